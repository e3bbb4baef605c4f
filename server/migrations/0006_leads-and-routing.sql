-- Leads, what their senders consented to, and how each found its agent.

-- What a lead recognises a contact by: the number in E.164, the address in lower case. Written with the contact.
alter table contacts add column phone_key text collate "C";
alter table contacts add column email_key text collate "C";

-- Forced row-level security would hide every row from an owner that is no superuser.
alter table contacts no force row level security;
update contacts set
  email_key = lower(email),
  phone_key = case
    when phone ~ '^\s*\+' then '+' || bare.digits
    when bare.digits ~ '^1?[2-9][0-9]{9}$' then '+1' || right(bare.digits, 10)
  end
from (
  -- Without an extension, and without the zero that is left out from abroad.
  select workspace_id, id,
    regexp_replace(regexp_replace(phone, '\(0\)|\s*(x|ext\.?|#)\s*[0-9]+\s*$', '', 'gi'), '\D', '', 'g') as digits
  from contacts
) bare
where contacts.workspace_id = bare.workspace_id and contacts.id = bare.id and contacts.erased_at is null
  and (contacts.email is not null or contacts.phone is not null);
alter table contacts force row level security;

-- Not concurrently: a migration is one transaction. It holds the table while it fills the columns, about five seconds for
-- each hundred thousand contacts, in which nobody reads or writes them.
-- squawk-ignore require-concurrent-index-creation
create index contacts_by_phone_key on contacts (workspace_id, phone_key, id) where phone_key is not null;
-- squawk-ignore require-concurrent-index-creation
create index contacts_by_email_key on contacts (workspace_id, email_key, id) where email_key is not null;

-- All rules of a workspace as they were at one time. A change makes a new row; none is ever changed.
create table routing_rule_sets (
  workspace_id text collate "C" not null references workspaces (id),
  version integer not null,
  timezone text not null,
  -- In the order in which they are tried.
  rules jsonb not null,
  default_rule jsonb not null,
  actor jsonb not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, version)
);

-- Where the rotation of a rule stands.
create table routing_cursors (
  workspace_id text collate "C" not null,
  rule_id text collate "C" not null,
  state jsonb not null,
  moves bigint not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, rule_id)
) with (fillfactor = 50);

-- When a member takes leads, and how many they have. Members without a row always do, and have none.
create table routing_agents (
  workspace_id text collate "C" not null,
  member_id text collate "C" not null,
  paused boolean not null,
  -- Null: until further notice.
  paused_until timestamptz(3),
  timezone text,
  shifts jsonb not null,
  open_leads integer not null,
  last_assigned_at timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (workspace_id, member_id),
  constraint routing_agents_member foreign key (workspace_id, member_id) references members (workspace_id, id)
) with (fillfactor = 50);

create table routing_decisions (
  workspace_id text collate "C" not null,
  lead_id text collate "C" not null,
  id text collate "C" not null,
  outcome text not null constraint routing_decisions_outcome check (
    outcome in ('assigned', 'offered', 'pond', 'held', 'unassigned')
  ),
  rules_version integer not null,
  rule_id text collate "C",
  rule_name text,
  rule_version integer,
  method text,
  assignee_id text collate "C",
  previous_assignee_id text collate "C",
  offered_to text[] collate "C" not null,
  until timestamptz(3),
  -- The rule's method is step 0, its fallbacks come after it.
  step smallint not null,
  candidates jsonb not null,
  cursor jsonb,
  fallback_used text[] not null,
  reason text not null,
  -- What was known of the lead; from it and the rules of then follows which rules failed, and on what. Null where it
  -- was not asked about, and after an erasure.
  facts jsonb,
  actor jsonb not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, lead_id, id)
);

create index routing_decisions_by_assignee on routing_decisions (workspace_id, assignee_id, created_at)
  where assignee_id is not null;
create index routing_decisions_by_time on routing_decisions (workspace_id, created_at, id);

create table leads (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  -- Null once the contact has been erased.
  contact_id text collate "C",
  status text not null constraint leads_status check (
    status in ('new', 'assigned', 'claimed', 'contacted', 'converted', 'disqualified')
  ),
  source text,
  source_ref text,
  first_name text,
  last_name text,
  phone text,
  email text,
  context jsonb,
  assignee_id text collate "C",
  -- What it waits for while nobody has it: an eligible agent, a rule's hours, a claim in time, or any claim.
  waits_for text constraint leads_waits_for check (waits_for in ('agent', 'hours', 'claim', 'pond')),
  offered_to text[] collate "C" not null,
  offered_until timestamptz(3),
  -- When it is tried again to place a lead that waits for an agent or for hours.
  try_at timestamptz(3),
  -- In short, the decision that holds.
  routing jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  erased_at timestamptz(3),
  primary key (workspace_id, id),
  constraint leads_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id),
  constraint leads_assignee foreign key (workspace_id, assignee_id) references members (workspace_id, id)
);

create index leads_by_contact on leads (workspace_id, contact_id, id) where contact_id is not null;
create index leads_unlinked on leads (workspace_id, id) where contact_id is null;
create index leads_waiting on leads (workspace_id, id) where waits_for in ('agent', 'hours');

-- What a person agreed to when they sent the form, as it came; a revocation is another row.
create table lead_consents (
  workspace_id text collate "C" not null,
  lead_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null constraint lead_consents_kind check (kind in ('given', 'revoked')),
  -- As it was sent: a text, a number, or whatever else.
  captured_at json,
  source_url text,
  ip text,
  -- As json and not as jsonb, which would order its members anew: its hash is that of its text.
  form_snapshot json,
  -- SHA-256 of the snapshot, in hexadecimal.
  form_sha256 text,
  actor jsonb not null,
  received_at timestamptz(3) not null,
  primary key (workspace_id, lead_id, id),
  constraint lead_consents_lead foreign key (workspace_id, lead_id) references leads (workspace_id, id)
);

-- Evidence is not edited. Only an erasure may empty it.
create function keep_consent() returns trigger language plpgsql as $$
begin
  if (new.workspace_id, new.lead_id, new.id, new.kind, new.actor, new.received_at)
      is distinct from (old.workspace_id, old.lead_id, old.id, old.kind, old.actor, old.received_at)
    or coalesce(new.captured_at::text, new.source_url, new.ip, new.form_snapshot::text, new.form_sha256) is not null
  then
    raise exception 'a consent artifact is immutable';
  end if;
  return new;
end
$$;

create trigger lead_consents_immutable before update on lead_consents
  for each row execute function keep_consent();

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'routing_rule_sets', 'routing_cursors', 'routing_agents', 'routing_decisions', 'leads', 'lead_consents'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (workspace_id = current_setting(''gable.workspace_id'', true))',
      tenant_table
    );
    execute format('grant select, insert on %I to gable_app', tenant_table);
  end loop;
  foreach tenant_table in array array['routing_cursors', 'routing_agents', 'leads'] loop
    execute format('grant update on %I to gable_app', tenant_table);
  end loop;
end
$$;

grant update (facts) on routing_decisions to gable_app;
grant update (captured_at, source_url, ip, form_snapshot, form_sha256) on lead_consents to gable_app;
