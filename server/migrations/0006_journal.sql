-- The journal of events, and the responses to requests with an Idempotency-Key. Both are written in the transaction of
-- the change. No foreign key to workspaces here or in other busy tables: each insert would lock the one workspace row.

create table events (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  subject_type text not null,
  subject_id text collate "C" not null,
  -- The contact on whose timeline the event appears; if there are several, the first.
  timeline_id text collate "C",
  actor jsonb not null,
  data jsonb not null,
  occurred_at timestamptz(3) not null,
  -- A key or app that sees the event only with contacts:read:pii, because it could infer that a number was known.
  hidden_from text collate "C",
  -- Whether the audit log lists it.
  audit boolean not null default false,
  primary key (workspace_id, id)
);
select mark_columns('events', 'personal: erased', 'data');
select mark_columns('events', 'personal: kept, names who acted, not the contact', 'actor');
select mark_columns('events', 'not personal', 'name', 'subject_type', 'hidden_from');

create index events_timeline on events (workspace_id, timeline_id, id) where timeline_id is not null;
-- Few events are audited. For all others, an insert only evaluates the condition.
create index events_audit on events (workspace_id, id) where audit;
-- The history of a record, for the timelines of contacts who are added to it, and for erasures.
create index events_of_subjects on events (workspace_id, subject_id) where subject_type in ('appointment', 'deal', 'task');
create index events_notes on events (workspace_id, timeline_id, id) where name = 'note.added';

-- Additional contacts on whose timelines an event appears, such as the second buyer of a deal.
create table event_timelines (
  workspace_id text collate "C" not null,
  timeline_id text collate "C" not null,
  event_id text collate "C" not null,
  primary key (workspace_id, timeline_id, event_id)
);
create index event_timelines_by_event on event_timelines (workspace_id, event_id);

-- Kept for 24 hours.
create table idempotency_replies (
  workspace_id text collate "C" not null,
  credential_id text collate "C" not null,
  key text not null,
  -- Keyed hash of method, path, query, and body.
  fingerprint bytea not null,
  status smallint not null,
  -- Null once a contact in the response has been erased.
  body text,
  -- IDs in path and body, by which an erasure finds the row.
  subjects text[] collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, credential_id, key)
);
select mark_columns('idempotency_replies', 'personal: erased', 'body');
select mark_columns('idempotency_replies', 'not personal: chosen by the client, deleted after 24 hours', 'key');
select mark_columns('idempotency_replies', 'personal: kept, a keyed hash, deleted after 24 hours', 'fingerprint');
select mark_columns('idempotency_replies', 'not personal', 'subjects');

create index idempotency_replies_age on idempotency_replies (workspace_id, created_at);

select make_tenant_table('events');
select make_tenant_table('event_timelines');
select make_tenant_table('idempotency_replies');

grant select, insert, update on events to gable_app;
grant select, insert on event_timelines to gable_app;
grant select, insert, update, delete on idempotency_replies to gable_app;
