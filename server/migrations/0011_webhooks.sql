-- Webhooks: subscriptions and deliveries. The deliveries table is the queue.

create table webhooks (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  -- The app that subscribed; null for the workspace itself. Deleted with the app's grant.
  app_id text collate "C",
  url text not null,
  description text,
  -- Empty for all events.
  event_types text[] not null,
  -- The creator's scopes at creation. Only events of these scopes are delivered.
  scopes text[] not null,
  -- Sealed with the application's secret.
  secret bytea not null,
  -- Also signs deliveries until the given time.
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  paused boolean not null,
  -- Paused because its app is disabled.
  paused_with_app boolean not null,
  disabled_at timestamptz(3),
  -- Since when every attempt has failed; null after a success.
  failing_since timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
select mark_columns('webhooks', 'not personal: describes a program', 'description');
select mark_columns('webhooks', 'not personal: the address of a program', 'url');
select mark_columns('webhooks', 'not personal', 'event_types', 'scopes', 'secret', 'previous_secret');

-- The body of an event, shared by all its deliveries: these bytes are signed and sent.
create table webhook_payloads (
  workspace_id text collate "C" not null,
  event_id text collate "C" not null,
  body text not null,
  primary key (workspace_id, event_id)
);
select mark_columns('webhook_payloads', 'personal: erased', 'body');

create table webhook_deliveries (
  workspace_id text collate "C" not null,
  webhook_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  event text not null,
  -- Must be among the webhook's scopes at each attempt.
  scope text not null,
  status text not null constraint webhook_deliveries_status check (status in ('pending', 'delivered', 'failed')),
  -- Attempts claimed in the current round.
  attempt smallint not null,
  -- When the next attempt may begin.
  due_at timestamptz(3) not null,
  -- The worker that makes the attempt, and when the next attempt may begin if this one never reports.
  claimed_by text collate "C",
  claimed_until timestamptz(3),
  -- The result of each attempt, oldest first.
  attempts jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, webhook_id, id)
-- Settled rows must leave the index of pending rows soon, or claims scan past them.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
select mark_columns('webhook_deliveries', 'personal: erased', 'attempts');
select mark_columns('webhook_deliveries', 'not personal', 'event', 'scope', 'claimed_by');

-- By webhook first: a worker serves one webhook after another and never scans a backlog to reach the next. No index holds
-- a column that a claim sets, so that the new version of the row stays on its page (HOT).
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, due_at, id) where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (workspace_id, webhook_id, id) where status = 'failed';

-- The worker that serves a webhook, and until when. One at a time, so that a single worker enforces the concurrency
-- limit.
create table webhook_leases (
  workspace_id text collate "C" not null,
  webhook_id text collate "C" not null,
  worker text collate "C" not null,
  leased_until timestamptz(3) not null,
  primary key (workspace_id, webhook_id)
) with (fillfactor = 50);
select mark_columns('webhook_leases', 'not personal', 'worker');

select make_tenant_table('webhooks');
select make_tenant_table('webhook_payloads');
select make_tenant_table('webhook_deliveries');
select make_tenant_table('webhook_leases');

comment on table webhooks is 'queue';
comment on table webhook_payloads is 'queue';
comment on table webhook_deliveries is 'queue';
comment on table webhook_leases is 'queue';

-- The delivery worker sees webhooks and deliveries of all workspaces. Its role has rights on queue tables only.
create policy sender on webhooks to gable_sender using (true);
create policy sender on webhook_payloads to gable_sender using (true);
create policy sender on webhook_deliveries to gable_sender using (true);
create policy sender on webhook_leases to gable_sender using (true);

grant select, insert, update, delete on webhooks, webhook_payloads, webhook_deliveries, webhook_leases to gable_app;
grant select on webhooks, webhook_payloads, webhook_deliveries, webhook_leases to gable_sender;
grant update (status, attempt, due_at, claimed_by, claimed_until, attempts, updated_at) on webhook_deliveries
  to gable_sender;
grant insert, update, delete on webhook_leases to gable_sender;
grant update (failing_since) on webhooks to gable_sender;
