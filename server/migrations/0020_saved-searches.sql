-- Saved searches of contacts, and their listing alert digests.

create table saved_searches (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  contact_id text collate "C" not null,
  name text not null,
  -- json, because jsonb reorders members.
  criteria json not null,
  frequency text not null constraint saved_searches_frequency check (frequency in ('daily', 'weekly')),
  active boolean not null,
  -- Why the last digest could not be sent, which paused the search. Null if a person paused it.
  paused_reason text,
  last_sent_at timestamptz(3),
  -- When to check for the next digest. Null while the search is paused.
  next_at timestamptz(3),
  -- News since this time has not been sent.
  unsent_since timestamptz(3) not null,
  created_by json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint saved_searches_next check (active = (next_at is not null)),
  constraint saved_searches_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id)
);
select mark_columns('saved_searches', 'personal: erased', 'name', 'criteria');
select mark_columns('saved_searches', 'not personal', 'paused_reason');
select mark_columns('saved_searches', 'personal: kept, names who acted, not the contact', 'created_by');

create index saved_searches_by_contact on saved_searches (workspace_id, contact_id, id);
create index saved_searches_by_active on saved_searches (workspace_id, active, id);
create index saved_searches_by_frequency on saved_searches (workspace_id, frequency, id);
create index saved_searches_due on saved_searches (workspace_id, next_at, id) where next_at is not null;

-- Digests that became messages: at most one per search and day in the workspace's time zone.
create table saved_search_digests (
  workspace_id text collate "C" not null,
  search_id text collate "C" not null,
  local_date date not null,
  message_id text collate "C" not null,
  listing_count integer not null,
  -- The digest contains the news up to this time.
  until timestamptz(3) not null,
  sent_at timestamptz(3),
  -- When its message ended without being sent.
  failed_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, search_id, local_date),
  constraint saved_search_digests_search foreign key (workspace_id, search_id)
    references saved_searches (workspace_id, id)
);
select mark_columns('saved_search_digests', 'not personal', 'local_date');
create unique index saved_search_digests_by_message on saved_search_digests (workspace_id, message_id);

select make_tenant_table('saved_searches');
select make_tenant_table('saved_search_digests');

create policy reach on saved_searches as restrictive to gable_member using (
  (select true from contacts c
    where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = contact_id)
) with check (true);
create policy reach on saved_search_digests as restrictive to gable_member using (
  (select true from saved_searches s
    where s.workspace_id = current_setting('gable.workspace_id', true) and s.id = search_id)
) with check (true);

grant select, insert, update, delete on saved_searches to gable_app;
grant select, insert, update, delete on saved_search_digests to gable_app;
