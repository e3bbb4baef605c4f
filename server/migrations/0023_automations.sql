-- Automations, the contacts in them, and the queue of their engine.

create table automations (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  description text,
  -- That of a campaign sends its message, and has its id.
  kind text not null default 'automation' constraint automations_kind check (kind in ('automation', 'campaign')),
  enabled boolean not null,
  -- While it is disabled: what became of the contacts in it.
  running text constraint automations_running check (running in ('pause', 'finish', 'cancel')),
  -- The change of many enrollments that is under way.
  change_id text collate "C",
  -- When the next of the enrollments goes on that resume behind their time, so that they do not all go on at once.
  paced_until timestamptz(3),
  -- json, because jsonb reorders members.
  definition json not null,
  -- The newest published version. Null while there is none.
  version integer,
  -- That which publishing makes of the draft. Null while the draft is as it was published.
  draft_version integer,
  -- Of that version: the events that start it.
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

-- What was published, unchanged from then on.
create table automation_versions (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  automation_id text collate "C" not null,
  version integer not null,
  definition json not null,
  -- The events at which the engine looks at its enrollments: names, all of a kind of record (deal.*), or all (*).
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
  -- Of a trigger: the event that started it.
  event_id text collate "C",
  -- Through how many other automations it was started, and their ids.
  chain text[] not null,
  context json,
  -- Of its automation: the exclusive group that it takes while it is active.
  group_name text,
  -- Of a triggered one whose automation takes so many an hour: from when on it may begin.
  begins_at timestamptz(3),
  -- The step that comes next, or for which it waits.
  step_key text,
  waiting_for json,
  -- The number of the next step that is recorded.
  seq integer not null,
  -- Attempts of the step that failed.
  attempts integer not null,
  -- When the engine goes on. Only it writes this, and what resumes a pause.
  due_at timestamptz(3),
  -- Of one that resumed behind its time: that time, while `due_at` is its turn.
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
-- A contact is in an automation once at a time. It also counts those in it.
create unique index enrollments_active on enrollments (workspace_id, automation_id, contact_id) include (version, status)
  where status in ('queued', 'running', 'paused');
-- And in one automation of an exclusive group.
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

-- A change of many enrollments, which the engine makes in batches.
create table automation_changes (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  automation_id text collate "C" not null,
  action text not null constraint automation_changes_action check (action in ('pause', 'resume', 'cancel', 'migrate')),
  -- Of a migration: to which version.
  version integer,
  status text not null constraint automation_changes_status check (status in ('running', 'done', 'replaced')),
  total integer not null,
  changed integer not null,
  unchanged integer not null,
  -- The first of those that were left as they are, each with its reason.
  left_out json not null,
  -- The last enrollment that was looked at.
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
select mark_columns('automation_changes', 'not personal', 'action', 'status', 'left_out', 'after');
select mark_columns('automation_changes', 'personal: kept, names who acted, not the contact', 'created_by');

-- What was done about an enrollment.
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
  -- Both null where a step of another automation was to enroll the contact.
  event text,
  event_id text collate "C",
  outcome text not null constraint automation_entries_outcome check (
    outcome in ('entered', 'loop', 'depth', 'disabled', 'erased', 'trash', 'condition', 'active', 're_enrollment', 'group', 'cap')
  ),
  -- With the tests that failed.
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

-- What the engine has to look at: events of contacts, new enrollments, and changes of enrollments by people.
create table automation_inbox (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  -- Null for a change of many enrollments, whose id is that of the row.
  contact_id text collate "C",
  -- Null if nothing happened but that an enrollment is to be looked at.
  event_id text collate "C",
  -- Whether the event can start automations.
  is_trigger boolean not null default false,
  -- In which a step of another automation enrolls the contact.
  automation_id text collate "C",
  -- Of what came from outside: the step that waits for it, and what it is.
  enrollment_id text collate "C",
  seq integer,
  response json,
  -- What was there before the event, by the order of the database, since clocks of processes differ: active enrollments of the
  -- contact that listen to it, and events that waited here and can start others.
  follows text[] not null,
  -- The automations through which that came to be, the first of them first.
  chain text[] not null,
  created_at timestamptz(3) not null,
  -- How often looking at it threw, and when it is tried again.
  attempts smallint not null default 0,
  due_at timestamptz(3),
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index automation_inbox_by_contact on automation_inbox (workspace_id, contact_id, id);
create index automation_inbox_put_off on automation_inbox (workspace_id, due_at) where due_at is not null;
create index automation_inbox_changes on automation_inbox (workspace_id, id) where contact_id is null;
select mark_columns('automation_inbox', 'not personal', 'chain', 'follows', 'response');

-- One for each workspace with enrollments: when the engine has to look at them next, and which engine does.
create table automation_lanes (
  workspace_id text collate "C" primary key,
  next_at timestamptz(3),
  holder_id text collate "C",
  held_until timestamptz(3) not null,
  -- When an engine last took it: of those that are due, the one that has waited longest goes first.
  held_at timestamptz(3),
  -- Goes up with each holder, so that an earlier one writes nothing more.
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

-- The engine finds what is due in all workspaces; it moves enrollments in one at a time, as gable_app.
create policy engine on automation_inbox for select to gable_engine using (true);
create policy engine on automation_lanes to gable_engine using (true);
grant select on automation_inbox to gable_engine;
grant select, insert, update on automation_lanes to gable_engine;
