-- The IDs that other systems have for a contact, as responses show them.
alter table contacts add column external_ids json not null default '[]';
select mark_columns('contacts', 'personal: erased', 'external_ids');

-- By which external IDs a contact is found, and by whom.
create table contact_external_ids (
  workspace_id text collate "C" not null,
  system text collate "C" not null,
  -- The ID. After an erasure, its keyed hash.
  value text collate "C" not null,
  contact_id text collate "C" not null,
  -- Empty if a credential that sees all contacts in full wrote the ID; else the credential or member, whose IDs are its own.
  author text collate "C" not null,
  erased boolean not null default false,
  primary key (workspace_id, system, value, contact_id, author),
  constraint contact_external_ids_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id)
);
create index contact_external_ids_by_contact on contact_external_ids (workspace_id, contact_id);
create unique index contact_external_ids_once on contact_external_ids (workspace_id, system, value)
  where author = '' and not erased;
select make_tenant_table('contact_external_ids');
select mark_columns('contact_external_ids', 'not personal: the name of a system', 'system');
select mark_columns('contact_external_ids', 'personal: kept, an erasure leaves a keyed hash, so that an upsert does not bring the person back', 'value');
select mark_columns('contact_external_ids', 'not personal: the id of a credential or a member', 'author');
grant select, insert, update (value, erased), delete on contact_external_ids to gable_app;

create policy reach on contact_external_ids as restrictive to gable_member
  using ((select true from contacts c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = contact_id))
  with check (true);
