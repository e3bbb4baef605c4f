-- Webhooks: who wants to hear of what, and what is still to be told. The queue is the table of deliveries itself.

create table webhooks (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  url text not null,
  description text,
  -- Empty for all events.
  event_types text[] not null,
  -- What its maker might see when it was made. Only events of these scopes go out.
  scopes text[] not null,
  -- Sealed with the application's secret.
  secret bytea not null,
  -- Still signs beside the present one until then.
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  paused boolean not null,
  disabled_at timestamptz(3),
  -- Since when every attempt has failed; null while they succeed.
  failing_since timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

-- What an event says to the outside, once for all its deliveries: these very bytes are signed and sent.
create table webhook_payloads (
  workspace_id text collate "C" not null,
  event_id text collate "C" not null,
  body text not null,
  primary key (workspace_id, event_id)
);

create table webhook_deliveries (
  workspace_id text collate "C" not null,
  webhook_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  event text not null,
  -- Must be among the subscription's at each attempt.
  scope text not null,
  status text not null constraint webhook_deliveries_status check (status in ('pending', 'delivered', 'failed')),
  -- Attempts claimed of the present round.
  attempt smallint not null,
  -- When the next attempt may begin.
  due_at timestamptz(3) not null,
  -- Which worker has it in hand, and when the next attempt may begin should nothing be heard of this one.
  claimed_by text collate "C",
  claimed_until timestamptz(3),
  -- What came of each attempt, oldest first.
  attempts jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, webhook_id, id)
-- What has been settled must leave the index of what is pending soon, or claims wade through it.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- By endpoint first: a worker goes from endpoint to endpoint and never wades through one's backlog to reach the next.
-- What a claim sets is in no index, so that the new version of the row stays on its page and costs no index entry.
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, due_at, id) where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (workspace_id, webhook_id, id) where status = 'failed';

-- Which worker serves an endpoint, and until when: one at a time, so that its cap is one worker's affair.
create table webhook_holds (
  workspace_id text collate "C" not null,
  webhook_id text collate "C" not null,
  worker text collate "C" not null,
  held_until timestamptz(3) not null,
  primary key (workspace_id, webhook_id)
) with (fillfactor = 50);

-- The worker that sends sees webhooks and what is delivered to them in all workspaces, and nothing else of any.
do $$
begin
  begin
    create role gable_sender nologin;
  exception when duplicate_object or unique_violation then
    null;
  end;
  grant gable_sender to current_user;
end
$$;

grant usage on schema public to gable_sender;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['webhooks', 'webhook_payloads', 'webhook_deliveries', 'webhook_holds'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I to gable_app using (workspace_id = current_setting(''gable.workspace_id'', true))',
      tenant_table
    );
    execute format('create policy sender on %I to gable_sender using (true)', tenant_table);
    execute format('grant select, insert, update, delete on %I to gable_app', tenant_table);
    execute format('grant select on %I to gable_sender', tenant_table);
  end loop;
end
$$;

grant update (status, attempt, due_at, claimed_by, claimed_until, attempts, updated_at) on webhook_deliveries
  to gable_sender;
grant insert, update, delete on webhook_holds to gable_sender;
grant update (failing_since) on webhooks to gable_sender;
