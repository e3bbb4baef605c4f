-- Backfills, which enroll the contacts of a snapshot little by little, and the campaigns that run as one.

create table backfills (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  automation_id text collate "C" not null,
  conditions json not null,
  per_hour integer not null,
  status text not null constraint backfills_status check (
    status in ('scheduled', 'running', 'paused', 'completed', 'cancelled')
  ),
  -- Why it is paused, where that was not asked for.
  reason text,
  -- Of whose contacts; null for everyone's. That of who created it.
  reach text[],
  -- The channel on which each number or address counts once; null where contacts count.
  channel text constraint backfills_channel check (channel in ('SMS', 'WHATSAPP', 'EMAIL')),
  -- Which contacts it takes is decided in batches, in the order of their ids: as far as this one.
  scanned_to text collate "C",
  -- When all had been looked at.
  frozen_at timestamptz(3),
  -- When the engine looks at it next; null if it does not.
  next_at timestamptz(3),
  -- Of a campaign that was resumed: when the next of its paused enrollments goes on. Null once they all do.
  resumes_from timestamptz(3),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  created_by json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint backfills_automation foreign key (workspace_id, automation_id) references automations (workspace_id, id)
);
create index backfills_due on backfills (workspace_id, next_at) where next_at is not null;
create index backfills_by_automation on backfills (workspace_id, automation_id, id);
select mark_columns('backfills', 'personal: kept, a text of the workspace that may name people', 'conditions');
select mark_columns('backfills', 'not personal', 'reason', 'reach', 'scanned_to');
select mark_columns('backfills', 'personal: kept, names who acted, not the contact', 'created_by');

-- The contacts of a backfill.
create table backfill_contacts (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  backfill_id text collate "C" not null,
  contact_id text collate "C" not null,
  -- The keyed hash of the backfill and the number or address, which counts once.
  point text collate "C",
  status text not null constraint backfill_contacts_status check (status in ('waiting', 'entered', 'left_out')),
  -- Why it was left out.
  reason text,
  enrollment_id text collate "C",
  -- When it enters at the earliest, while it waits.
  due_at timestamptz(3),
  -- When it entered or was left out.
  decided_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint backfill_contacts_once unique (workspace_id, backfill_id, contact_id),
  constraint backfill_contacts_backfill foreign key (workspace_id, backfill_id) references backfills (workspace_id, id),
  constraint backfill_contacts_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id)
);
create unique index backfill_contacts_points on backfill_contacts (workspace_id, point) where point is not null;
create index backfill_contacts_due on backfill_contacts (workspace_id, backfill_id, due_at, id) where status = 'waiting';
create index backfill_contacts_by_status on backfill_contacts (workspace_id, backfill_id, status, id);
create index backfill_contacts_by_reason on backfill_contacts (workspace_id, backfill_id, reason) where status = 'left_out';
create index backfill_contacts_by_contact on backfill_contacts (workspace_id, contact_id);
select mark_columns('backfill_contacts', 'personal: erased', 'point');
select mark_columns('backfill_contacts', 'not personal', 'reason');

select make_tenant_table('backfills');
select make_tenant_table('backfill_contacts');
create policy reach on backfill_contacts as restrictive to gable_member using (
  (select true from contacts c
    where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = contact_id)
) with check (true);
grant select, insert, update on backfills, backfill_contacts to gable_app;

create table campaigns (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  channel text collate "C" not null constraint campaigns_channel check (channel in ('SMS', 'WHATSAPP', 'EMAIL')),
  audience json not null,
  template json not null,
  sender_id text collate "C",
  persona_id text collate "C",
  schedule json,
  throttle_per_hour integer not null,
  -- From its start on that of its backfill, which has its id.
  status text collate "C" not null constraint campaigns_status check (
    status in ('draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled')
  ),
  reason text,
  -- What the gates say of the audience, as far as it has been looked at.
  compliance_summary json,
  -- The hash of what was summarized, and the last contact that was looked at.
  summary_of text,
  summary_to text collate "C",
  started_at timestamptz(3),
  ended_at timestamptz(3),
  created_by json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint campaigns_sender foreign key (workspace_id, sender_id) references senders (workspace_id, id),
  constraint campaigns_persona foreign key (workspace_id, persona_id) references personas (workspace_id, id)
);
create index campaigns_by_status on campaigns (workspace_id, status, id);
create index campaigns_by_channel on campaigns (workspace_id, channel, id);
select mark_columns('campaigns', 'personal: kept, a text of the workspace that may name people', 'name', 'audience', 'template');
select mark_columns('campaigns', 'not personal', 'schedule', 'reason', 'compliance_summary', 'summary_of', 'summary_to');
select mark_columns('campaigns', 'personal: kept, names who acted, not the contact', 'created_by');
select make_tenant_table('campaigns');
grant select, insert, update on campaigns to gable_app;
