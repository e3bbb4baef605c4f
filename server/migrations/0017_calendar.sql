-- Appointments, tasks, and the members' calendars that appointments are pushed to.

create table appointments (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  title text,
  type text not null constraint appointments_type check (
    type in (
      'showing', 'buyer_consultation', 'listing_presentation', 'open_house', 'inspection', 'appraisal', 'closing', 'call',
      'video', 'other'
    )
  ),
  status text not null constraint appointments_status check (status in ('scheduled', 'completed', 'cancelled')),
  outcome text constraint appointments_outcome check (outcome in ('showed', 'no-show', 'cancelled')),
  outcome_at timestamptz(3),
  contact_id text collate "C",
  attendees json not null,
  host_id text collate "C",
  listing_id text collate "C",
  deal_id text collate "C",
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  -- Months since year 0, in UTC. Unlike a time range, a single month can be read from an index in ID order.
  starts_month integer generated always as (
    (extract(year from starts_at at time zone 'UTC') * 12 + extract(month from starts_at at time zone 'UTC'))::integer
  ) stored,
  -- The time zone in which it was agreed; the times above are instants.
  timezone text not null,
  location text,
  meeting_url text,
  invite boolean not null,
  -- Increments whenever something that an invitation shows changes.
  sequence integer not null,
  reschedule_count integer not null,
  created_by json not null,
  -- The member who booked it, directly or through a key or app.
  creator_id text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint appointments_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id),
  constraint appointments_host foreign key (workspace_id, host_id) references members (workspace_id, id),
  constraint appointments_listing foreign key (workspace_id, listing_id) references listings (workspace_id, id),
  constraint appointments_deal foreign key (workspace_id, deal_id) references deals (workspace_id, id),
  constraint appointments_creator foreign key (workspace_id, creator_id) references members (workspace_id, id)
);
select mark_columns('appointments', 'personal: erased', 'title', 'location', 'meeting_url', 'attendees');
select mark_columns('appointments', 'not personal', 'timezone');
select mark_columns('appointments', 'personal: kept, names who acted, not the contact', 'created_by');

create index appointments_by_host on appointments (workspace_id, host_id, id);
create index appointments_by_listing on appointments (workspace_id, listing_id, id) where listing_id is not null;
create index appointments_by_deal on appointments (workspace_id, deal_id, id) where deal_id is not null;
create index appointments_by_type on appointments (workspace_id, type, id);
create index appointments_by_status on appointments (workspace_id, status, id);
create index appointments_by_outcome on appointments (workspace_id, outcome, id) where outcome is not null;
create index appointments_by_time on appointments (workspace_id, starts_at, ends_at, id);
create index appointments_by_month on appointments (workspace_id, starts_month, id);
create index appointments_by_host_month on appointments (workspace_id, host_id, starts_month, id);
create index appointments_by_host_time on appointments (workspace_id, host_id, starts_at, ends_at, id);

-- The people in appointments: contacts, and the email addresses of others. Lists and erasures look up appointments
-- here.
create table appointment_persons (
  workspace_id text collate "C" not null,
  -- A contact ID or a lowercase email address.
  person text collate "C" not null,
  appointment_id text collate "C" not null,
  primary key (workspace_id, person, appointment_id),
  constraint appointment_persons_appointment foreign key (workspace_id, appointment_id)
    references appointments (workspace_id, id)
);
create index appointment_persons_of on appointment_persons (workspace_id, appointment_id);
select mark_columns('appointment_persons', 'personal: erased', 'person');

-- The last invitation sent to each person, so that each version is sent once.
create table appointment_invitations (
  workspace_id text collate "C" not null,
  appointment_id text collate "C" not null,
  -- A contact ID, a member ID, or a lowercase email address.
  person text collate "C" not null,
  method text not null constraint appointment_invitations_method check (method in ('REQUEST', 'CANCEL')),
  -- The increasing sequence number of the invitation, and the version of the appointment that it shows.
  sequence integer not null,
  version integer not null,
  primary key (workspace_id, appointment_id, person),
  constraint appointment_invitations_appointment foreign key (workspace_id, appointment_id)
    references appointments (workspace_id, id)
);
create index appointment_invitations_by_person on appointment_invitations (workspace_id, person);
select mark_columns('appointment_invitations', 'personal: erased', 'person');

-- A member's calendar and the credentials of their account. One per member.
create table calendar_connections (
  workspace_id text collate "C" not null,
  member_id text collate "C" not null,
  -- As entered by the member.
  address text not null,
  username text not null,
  -- Sealed with the application secret.
  password bytea not null,
  -- Hosts that may receive the credentials, because the member has seen them.
  hosts text[] not null,
  status text not null constraint calendar_connections_status check (
    status in ('new_host', 'choosing', 'active', 'resting')
  ),
  -- The host that the address leads to, until the member confirms it.
  new_host text,
  -- The discovered calendars, until the member chooses one.
  calendars json not null,
  calendar_url text,
  calendar_name text,
  error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, member_id)
);
comment on table calendar_connections is 'directory';
select mark_columns(
  'calendar_connections', 'personal: kept, the account of a member',
  'address', 'username', 'password', 'hosts', 'new_host', 'calendars', 'calendar_url', 'calendar_name', 'error'
);

-- Secret feed URLs of members' calendars.
create table calendar_feeds (
  -- SHA-256 of the secret.
  hash bytea primary key,
  workspace_id text collate "C" not null,
  member_id text collate "C" not null,
  created_at timestamptz(3) not null
);
create unique index calendar_feeds_by_member on calendar_feeds (workspace_id, member_id);
comment on table calendar_feeds is 'directory';
select mark_columns('calendar_feeds', 'not personal', 'hash');

-- Appointments that are pushed to members' calendars.
create table calendar_pushes (
  workspace_id text collate "C" not null,
  appointment_id text collate "C" not null,
  member_id text collate "C" not null,
  status text not null constraint calendar_pushes_status check (status in ('pending', 'synced', 'failed', 'removed')),
  error text,
  -- The version of the calendar event that was written last.
  etag text,
  -- How often the appointment had been moved when its event was found deleted from the calendar.
  moves integer,
  -- Until when a worker has claimed it.
  claimed_until timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (workspace_id, appointment_id, member_id),
  constraint calendar_pushes_appointment foreign key (workspace_id, appointment_id)
    references appointments (workspace_id, id),
  constraint calendar_pushes_member foreign key (workspace_id, member_id) references members (workspace_id, id)
);
create index calendar_pushes_by_member on calendar_pushes (workspace_id, member_id, status, appointment_id);
create index calendar_pushes_unfinished on calendar_pushes (workspace_id, updated_at)
  where status = 'pending' or claimed_until is not null;
select mark_columns('calendar_pushes', 'not personal', 'error', 'etag');

create table tasks (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  title text not null,
  description text,
  type text not null constraint tasks_type check (
    type in ('call', 'text', 'email', 'follow_up', 'showing', 'closing', 'other')
  ),
  status text not null constraint tasks_status check (status in ('open', 'completed', 'cancelled')),
  priority text not null constraint tasks_priority check (priority in ('low', 'normal', 'high')),
  due_at timestamptz(3),
  -- Months since year 0, in UTC. Unlike a time range, a single month can be read from an index in ID order.
  due_month integer generated always as (
    (extract(year from due_at at time zone 'UTC') * 12 + extract(month from due_at at time zone 'UTC'))::integer
  ) stored,
  assignee_id text collate "C",
  contact_id text collate "C",
  deal_id text collate "C",
  completed_at timestamptz(3),
  created_by json not null,
  -- Keyed hash of what was posted. Detects an identical task for 60 seconds.
  fingerprint text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (workspace_id, id),
  constraint tasks_assignee foreign key (workspace_id, assignee_id) references members (workspace_id, id),
  constraint tasks_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id),
  constraint tasks_deal foreign key (workspace_id, deal_id) references deals (workspace_id, id)
);
select mark_columns('tasks', 'personal: erased', 'title', 'description', 'fingerprint');
select mark_columns('tasks', 'personal: kept, names who acted, not the contact', 'created_by');

create index tasks_by_assignee on tasks (workspace_id, assignee_id, id) where deleted_at is null;
create index tasks_by_contact on tasks (workspace_id, contact_id, id) where contact_id is not null;
create index tasks_by_deal on tasks (workspace_id, deal_id, id) where deal_id is not null;
create index tasks_by_status on tasks (workspace_id, status, id) where deleted_at is null;
create index tasks_by_type on tasks (workspace_id, type, id) where deleted_at is null;
create index tasks_by_time on tasks (workspace_id, due_at, id) where deleted_at is null and due_at is not null;
create index tasks_by_month on tasks (workspace_id, due_month, id) where deleted_at is null;
create index tasks_by_assignee_month on tasks (workspace_id, assignee_id, due_month, id) where deleted_at is null;
create index tasks_by_status_month on tasks (workspace_id, status, due_month, id) where deleted_at is null;
create index tasks_by_assignee_time on tasks (workspace_id, assignee_id, due_at, id)
  where deleted_at is null and due_at is not null;
create index tasks_by_fingerprint on tasks (workspace_id, fingerprint, created_at) where fingerprint is not null;

select make_tenant_table('appointments');
select make_tenant_table('appointment_persons');
select make_tenant_table('appointment_invitations');
select make_tenant_table('calendar_pushes');
select make_tenant_table('tasks');

create policy reach on appointments as restrictive to gable_member
  using (host_id = any ((select members_in_reach())::text[])) with check (true);
create policy reach on appointment_persons as restrictive to gable_member using (
  (select true from appointments a
    where a.workspace_id = current_setting('gable.workspace_id', true) and a.id = appointment_id)
) with check (true);
create policy reach on appointment_invitations as restrictive to gable_member using (
  (select true from appointments a
    where a.workspace_id = current_setting('gable.workspace_id', true) and a.id = appointment_id)
) with check (true);
create policy reach on calendar_pushes as restrictive to gable_member using (
  (select true from appointments a
    where a.workspace_id = current_setting('gable.workspace_id', true) and a.id = appointment_id)
) with check (true);
create policy reach on tasks as restrictive to gable_member
  using (assignee_id = any ((select members_in_reach())::text[])) with check (true);

grant select, insert, update on appointments to gable_app;
grant select, insert, delete on appointment_persons to gable_app;
grant select, insert, update, delete on appointment_invitations to gable_app;
grant select, insert, update, delete on calendar_connections to gable_app;
grant select, insert, delete on calendar_feeds to gable_app;
grant select, insert, update, delete on calendar_pushes to gable_app;
grant select, insert, update on tasks to gable_app;
