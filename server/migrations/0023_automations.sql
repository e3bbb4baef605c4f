-- Automations, their enrollments, and the engine's queue.

create table automations (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  description text,
  -- The automation of a campaign sends its message and shares its ID.
  kind text not null default 'automation' constraint automations_kind check (kind in ('automation', 'campaign')),
  enabled boolean not null,
  -- What happened to the enrolled contacts when the automation was disabled. Null while it is enabled.
  running text constraint automations_running check (running in ('pause', 'finish', 'cancel')),
  -- The bulk change of its enrollments that is in progress.
  change_id text collate "C",
  -- When the next overdue enrollment may continue after a resume. They are spread out, so that they do not all continue
  -- at once.
  paced_until timestamptz(3),
  -- json, because jsonb reorders members.
  definition json not null,
  -- The newest published version. Null if there is none.
  version integer,
  -- The version that publishing the draft would create. Null if the draft has not changed since it was published.
  draft_version integer,
  -- The events that start the newest published version.
  trigger_events text[] not null,
  archived_at timestamptz(3),
  created_by json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint automations_enabled check (not enabled or (version is not null and running is null and archived_at is null))
);
create index automations_by_enabled on automations (workspace_id, enabled, id) where kind = 'automation';
create index automations_by_archived on automations (workspace_id, (archived_at is null), id) where kind = 'automation';
select mark_columns('automations', 'personal: kept, a text of the workspace that may name people', 'name', 'description', 'definition');
select mark_columns('automations', 'not personal', 'trigger_events', 'running');
select mark_columns('automations', 'personal: kept, names who acted, not the contact', 'created_by');

-- Published versions, which never change.
create table automation_versions (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  automation_id text collate "C" not null,
  version integer not null,
  definition json not null,
  -- The events at which the engine checks its enrollments: names, all events of a record type (deal.*), or all (*).
  listens_to text[] not null default '{*}',
  created_by json not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, automation_id, version),
  constraint automation_versions_by_id unique (workspace_id, automation_id, id),
  constraint automation_versions_automation foreign key (workspace_id, automation_id)
    references automations (workspace_id, id)
);
select mark_columns('automation_versions', 'personal: kept, a text of the workspace that may name people', 'definition');
select mark_columns('automation_versions', 'not personal', 'listens_to');
select mark_columns('automation_versions', 'personal: kept, names who acted, not the contact', 'created_by');

-- A contact in an automation.
create table enrollments (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  automation_id text collate "C" not null,
  version integer not null,
  contact_id text collate "C" not null,
  status text not null constraint enrollments_status check (
    status in ('queued', 'running', 'paused', 'completed', 'exited', 'failed', 'cancelled')
  ),
  -- Why it ended, or why it is paused.
  reason text,
  source text not null constraint enrollments_source check (
    source in ('trigger', 'api', 'member', 'automation', 'backfill', 'campaign')
  ),
  -- For a trigger: the event that started it.
  event_id text collate "C",
  -- The IDs of the automations that led to this enrollment.
  chain text[] not null,
  context json,
  -- The automation's exclusive group, which the enrollment occupies while it is active.
  group_name text,
  -- For a triggered enrollment of an automation with an hourly cap: the earliest time at which it may start.
  begins_at timestamptz(3),
  -- The next step, or the step that it waits in.
  step_key text,
  waiting_for json,
  -- The number of the next step to be recorded.
  seq integer not null,
  -- Failed attempts at the current step.
  attempts integer not null,
  -- When the engine continues. Only the engine and the resumption of a pause write this.
  due_at timestamptz(3),
  -- The planned time of an enrollment that resumed late; `due_at` is then its turn.
  planned_at timestamptz(3),
  paused_at timestamptz(3),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint enrollments_version foreign key (workspace_id, automation_id, version)
    references automation_versions (workspace_id, automation_id, version),
  constraint enrollments_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id)
);
-- A contact is in an automation only once at a time. Also used to count active enrollments.
create unique index enrollments_active on enrollments (workspace_id, automation_id, contact_id) include (version, status)
  where status in ('queued', 'running', 'paused');
-- A contact is in only one automation of an exclusive group at a time.
create unique index enrollments_group on enrollments (workspace_id, contact_id, group_name)
  where status in ('queued', 'running', 'paused') and group_name is not null;
create index enrollments_by_beginning on enrollments (workspace_id, automation_id, begins_at)
  where begins_at is not null;
create index enrollments_active_by_contact on enrollments (workspace_id, contact_id)
  where status in ('queued', 'running', 'paused');
create index enrollments_due on enrollments (workspace_id, due_at, id) where status in ('queued', 'running');
create index enrollments_by_contact on enrollments (workspace_id, contact_id, id);
create index enrollments_by_automation on enrollments (workspace_id, automation_id, id);
create index enrollments_by_status on enrollments (workspace_id, automation_id, status, id);
select mark_columns('enrollments', 'not personal', 'reason', 'chain', 'step_key', 'waiting_for');
select mark_columns('enrollments', 'personal: kept, a text of the workspace that may name people', 'group_name');
select mark_columns('enrollments', 'personal: erased', 'context');

-- A bulk change of enrollments, which the engine applies in batches.
create table automation_changes (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  automation_id text collate "C" not null,
  action text not null constraint automation_changes_action check (action in ('pause', 'resume', 'cancel', 'migrate')),
  -- For a migration: the target version.
  version integer,
  status text not null constraint automation_changes_status check (status in ('running', 'done', 'replaced')),
  total integer not null,
  changed integer not null,
  unchanged integer not null,
  -- The first enrollments that were left unchanged, each with its reason.
  left_out json not null,
  -- The last enrollment that was processed.
  after text collate "C" not null,
  created_by json not null,
  ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint automation_changes_automation foreign key (workspace_id, automation_id)
    references automations (workspace_id, id)
);
create index automation_changes_by_automation on automation_changes (workspace_id, automation_id, id);
create index automation_changes_running on automation_changes (workspace_id, updated_at) where status = 'running';
select mark_columns('automation_changes', 'not personal', 'action', 'status', 'left_out', 'after');
select mark_columns('automation_changes', 'personal: kept, names who acted, not the contact', 'created_by');

-- The recorded steps of an enrollment.
create table enrollment_steps (
  workspace_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  seq integer not null,
  step_key text not null,
  type text not null,
  planned_at timestamptz(3) not null,
  at timestamptz(3) not null,
  outcome text not null constraint enrollment_steps_outcome check (
    outcome in ('done', 'deferred', 'skipped', 'blocked', 'failed')
  ),
  reason text,
  refs json not null,
  primary key (workspace_id, enrollment_id, seq),
  constraint enrollment_steps_enrollment foreign key (workspace_id, enrollment_id)
    references enrollments (workspace_id, id)
);
select mark_columns('enrollment_steps', 'not personal', 'step_key', 'type', 'reason', 'refs');

-- What became of each event that could have started an automation for a contact. Kept for 30 days.
create table automation_entries (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  automation_id text collate "C" not null,
  version integer not null,
  contact_id text collate "C" not null,
  -- Both null if a step of another automation was to enroll the contact.
  event text,
  event_id text collate "C",
  outcome text not null constraint automation_entries_outcome check (
    outcome in ('entered', 'loop', 'depth', 'disabled', 'erased', 'trash', 'condition', 'active', 're_enrollment', 'group', 'cap')
  ),
  -- Includes the conditions that failed.
  triggers json not null,
  enrollment_id text collate "C",
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint automation_entries_automation foreign key (workspace_id, automation_id)
    references automations (workspace_id, id)
);
create index automation_entries_by_automation on automation_entries (workspace_id, automation_id, id);
create index automation_entries_by_outcome on automation_entries (workspace_id, automation_id, outcome, id);
create index automation_entries_by_contact on automation_entries (workspace_id, contact_id, id);
select mark_columns('automation_entries', 'not personal', 'event', 'outcome');
select mark_columns('automation_entries', 'personal: erased', 'triggers');

-- The engine's inbox: events of contacts, new enrollments, and changes of enrollments by people.
create table automation_inbox (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  contact_id text collate "C" not null,
  -- Null if there is no event and an enrollment only needs to be checked.
  event_id text collate "C",
  -- Whether the event can start automations.
  is_trigger boolean not null default false,
  -- The automation in which a step of another automation enrolls the contact.
  automation_id text collate "C",
  -- For external input: the step that waits for it, and the input.
  enrollment_id text collate "C",
  seq integer,
  response json,
  -- What existed before the event, in the order of the database, because clocks of processes differ: active enrollments
  -- of the contact that listen to it, and events that waited here and can start others.
  follows text[] not null,
  -- The automations that led to this row, first one first.
  chain text[] not null,
  created_at timestamptz(3) not null,
  -- How often processing it failed, and when it is retried.
  attempts smallint not null default 0,
  due_at timestamptz(3),
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index automation_inbox_by_contact on automation_inbox (workspace_id, contact_id, id);
create index automation_inbox_put_off on automation_inbox (workspace_id, due_at) where due_at is not null;
select mark_columns('automation_inbox', 'not personal', 'chain', 'follows', 'response');

-- One per workspace with enrollments: when the engine must process them next, and which engine holds the lease.
create table automation_lanes (
  workspace_id text collate "C" primary key,
  next_at timestamptz(3),
  holder_id text collate "C",
  held_until timestamptz(3) not null,
  -- When an engine last took the lease. Of the due workspaces, the one that has waited longest goes first.
  held_at timestamptz(3),
  -- Increments with each holder, so that a previous holder can write nothing more.
  fence bigint not null
) with (fillfactor = 50);
create index automation_lanes_due on automation_lanes (next_at) where next_at is not null;

select make_tenant_table('automations');
select make_tenant_table('automation_versions');
select make_tenant_table('enrollments');
select make_tenant_table('automation_changes');
select make_tenant_table('enrollment_steps');
select make_tenant_table('automation_entries');
select make_tenant_table('automation_inbox');
select make_tenant_table('automation_lanes');
comment on table automation_inbox is 'queue';
comment on table automation_lanes is 'queue';

create policy reach on enrollments as restrictive to gable_member using (
  (select true from contacts c
    where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = contact_id)
) with check (true);
create policy reach on enrollment_steps as restrictive to gable_member using (
  (select true from enrollments e
    where e.workspace_id = current_setting('gable.workspace_id', true) and e.id = enrollment_id)
) with check (true);

create policy reach on automation_entries as restrictive to gable_member using (
  (select true from contacts c
    where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = contact_id)
) with check (true);

grant select, insert, update on automations to gable_app;
grant select, insert on automation_versions to gable_app;
grant select, insert, update on enrollments to gable_app;
grant select, insert, update on automation_changes to gable_app;
grant select, insert, update (outcome, reason) on enrollment_steps to gable_app;
grant select, insert, update, delete on automation_entries to gable_app;
grant select, insert, delete, update (attempts, due_at) on automation_inbox to gable_app;
grant select, insert, update on automation_lanes to gable_app;

-- The engine finds due work in all workspaces, then moves the enrollments of one workspace at a time as gable_app.
create policy engine on automation_inbox for select to gable_engine using (true);
create policy engine on automation_lanes to gable_engine using (true);
grant select on automation_inbox to gable_engine;
grant select, insert, update on automation_lanes to gable_engine;
