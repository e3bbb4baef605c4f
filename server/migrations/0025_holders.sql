-- squawk-ignore-file require-concurrent-index-creation
-- The indexes are partial, and no row has the new columns yet: each is one pass over its table, and writes wait for it.

-- Whose a number or address is. A point is a double if the member who added it cannot see the contact that has it already. The
-- contact with a double does not take over the other's messages and calls.
alter table contact_points add column double boolean not null default false;
grant update (double) on contact_points to gable_app;

-- The contact that a message or call belongs to is `contact_id`. Its author may have named another, or a number alone.
alter table messages
  -- The contact that was named, if it is another.
  add column addressed_contact_id text collate "C",
  -- The member who wrote to a number without seeing whose it is. They keep what they wrote.
  add column author_id text collate "C",
  -- The credential that wrote to a number without seeing whose it is. Its events show it to no masked credential.
  add column hidden_from text collate "C",
  add constraint messages_addressed foreign key (workspace_id, addressed_contact_id)
    references contacts (workspace_id, id) not valid,
  add constraint messages_author foreign key (workspace_id, author_id) references members (workspace_id, id) not valid;
create index messages_addressed_to on messages (workspace_id, addressed_contact_id, id)
  where addressed_contact_id is not null;
create index messages_by_author on messages (workspace_id, author_id, id) where author_id is not null;
alter policy reach on messages using (
  owner_id in (select unnest(members_in_reach())) or author_id in (select unnest(members_in_reach())));

alter table calls
  add column addressed_contact_id text collate "C",
  add column author_id text collate "C",
  add column hidden_from text collate "C",
  add constraint calls_addressed foreign key (workspace_id, addressed_contact_id)
    references contacts (workspace_id, id) not valid,
  add constraint calls_author foreign key (workspace_id, author_id) references members (workspace_id, id) not valid;
create index calls_addressed_to on calls (workspace_id, addressed_contact_id, id)
  where addressed_contact_id is not null;
create index calls_by_author on calls (workspace_id, author_id, id) where author_id is not null;
alter policy reach on calls using (
  owner_id in (select unnest(members_in_reach())) or author_id in (select unnest(members_in_reach())));

-- A link to a file checks whether its reader can see the record of the file.
create index calls_by_recording on calls (workspace_id, recording_file_id) where recording_file_id is not null;
create index documents_by_file on documents (workspace_id, file_id) where file_id is not null;

-- How far the points, messages, and calls from before this migration have been assigned to holders: modules/holders.
create table holder_assignments (
  workspace_id text collate "C" primary key,
  step text not null constraint holder_assignments_step check (step in ('points', 'messages', 'calls', 'done')),
  -- The last contact, message, or call of the step.
  after text collate "C" not null,
  -- What is newer was assigned when it was written.
  began_at timestamptz(3) not null
);
select make_tenant_table('holder_assignments');
grant select, insert, update on holder_assignments to gable_app;
select mark_columns('holder_assignments', 'not personal: the id of a record', 'after');
select mark_columns('messages', 'not personal: the id of a credential', 'hidden_from');
select mark_columns('calls', 'not personal: the id of a credential', 'hidden_from');
