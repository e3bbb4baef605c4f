-- Backfills, which gradually enroll the contacts of a snapshot, and the campaigns that run as backfills.

create table backfills (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  automation_id text collate "C" not null,
  conditions json not null,
  per_hour integer not null,
  status text not null constraint backfills_status check (
    status in ('scheduled', 'running', 'paused', 'completed', 'cancelled')
  ),
  -- Why it is paused, if no one requested it.
  reason text,
  -- The members whose contacts it includes: the creator's reach. Null for all.
  reach text[],
  -- The channel on which each number or address counts once; null if it counts contacts.
  channel text constraint backfills_channel check (channel in ('SMS', 'WHATSAPP', 'EMAIL')),
  -- Contacts are selected in batches, in ID order. This is the last one processed.
  scanned_to text collate "C",
  -- When the selection was complete.
  frozen_at timestamptz(3),
  -- When the engine processes it next; null for never.
  next_at timestamptz(3),
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

create table backfill_contacts (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  backfill_id text collate "C" not null,
  contact_id text collate "C" not null,
  -- The keyed hash of the backfill and the number or address, so that each counts once.
  point text collate "C",
  status text not null constraint backfill_contacts_status check (status in ('waiting', 'entered', 'left_out')),
  -- Why it was left out.
  reason text,
  enrollment_id text collate "C",
  -- The earliest time at which a waiting contact enters.
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
  -- Once started, follows the status of its backfill, which has the same ID.
  status text collate "C" not null constraint campaigns_status check (
    status in ('draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled')
  ),
  reason text,
  -- The compliance gates' verdict on the audience, as far as it has been processed.
  compliance_summary json,
  -- The hash of what was summarized, and the last contact that was processed.
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
