-- The journal: everything that happened, written in the transaction that made it happen. It feeds the timelines.
-- No foreign key to workspaces here and in other busy tables: each insert would lock the one workspace row for share.

create table events (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  subject_type text not null,
  subject_id text collate "C" not null,
  -- On whose timeline it appears.
  timeline_id text collate "C",
  actor jsonb not null,
  data jsonb not null,
  occurred_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create index events_timeline on events (workspace_id, timeline_id, id) where timeline_id is not null;
create index events_notes on events (workspace_id, timeline_id, id) where name = 'note.added';

alter table events enable row level security;
alter table events force row level security;
create policy tenant on events using (workspace_id = current_setting('gable.workspace_id', true));
grant select, insert, update on events to gable_app;

-- Answers to POST requests that came with an Idempotency-Key, kept for 24 hours.
create table idempotency_replies (
  workspace_id text collate "C" not null,
  credential_id text collate "C" not null,
  key text not null,
  -- Keyed hash of method, path, query and body.
  fingerprint bytea not null,
  status smallint not null,
  -- Null once what it speaks of has been erased.
  body text,
  -- Ids that occur in path and body: what an erasure finds it by.
  subjects text[] collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, credential_id, key)
);

create index idempotency_replies_age on idempotency_replies (workspace_id, created_at);

alter table idempotency_replies enable row level security;
alter table idempotency_replies force row level security;
create policy tenant on idempotency_replies using (workspace_id = current_setting('gable.workspace_id', true));
grant select, insert, update, delete on idempotency_replies to gable_app;
