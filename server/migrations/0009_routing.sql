-- Lead routing: rules, rotation cursors, agents, and every decision.

-- A snapshot of all rules of a workspace. A change inserts a new version; versions never change.

create table routing_rule_sets (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  timezone text not null,
  -- In evaluation order.
  rules jsonb not null,
  default_rule jsonb not null,
  actor jsonb not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint routing_rule_sets_version unique (workspace_id, version)
);
select mark_columns('routing_rule_sets', 'personal: kept, names who acted, not the contact', 'actor');
select mark_columns('routing_rule_sets', 'not personal', 'timezone', 'rules', 'default_rule');

-- The position of each rule's rotation.
create table routing_cursors (
  workspace_id text collate "C" not null,
  rule_id text collate "C" not null,
  state jsonb not null,
  moves bigint not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, rule_id)
) with (fillfactor = 50);
select mark_columns('routing_cursors', 'not personal', 'state');

-- When a member takes leads, and how many are open. A member without a row always takes leads and has none open.
create table routing_agents (
  workspace_id text collate "C" not null,
  member_id text collate "C" not null,
  paused boolean not null,
  -- Null if paused indefinitely.
  paused_until timestamptz(3),
  timezone text,
  shifts jsonb not null,
  open_leads integer not null,
  last_assigned_at timestamptz(3),
  -- Null until someone sets availability. Counting leads does not set it.
  updated_at timestamptz(3),
  primary key (workspace_id, member_id),
  constraint routing_agents_member foreign key (workspace_id, member_id) references members (workspace_id, id)
) with (fillfactor = 50);
select mark_columns('routing_agents', 'not personal', 'timezone', 'shifts');

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
  -- 0 is the rule's method, 1 its first fallback.
  step smallint not null,
  candidates jsonb not null,
  cursor jsonb,
  fallback_used text[] not null,
  reason text not null,
  -- What was known about the lead. Together with the rules of that version, it shows which rules failed and why. Null
  -- if the decision evaluated no rules, and after an erasure.
  facts jsonb,
  actor jsonb not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, lead_id, id)
);
select mark_columns('routing_decisions', 'personal: erased', 'facts');
select mark_columns('routing_decisions', 'not personal: the rule and the turn, nothing of the lead', 'reason');
select mark_columns('routing_decisions', 'personal: kept, names who acted, not the contact', 'actor');
select mark_columns(
  'routing_decisions', 'not personal',
  'rule_name', 'method', 'offered_to', 'candidates', 'cursor', 'fallback_used'
);

create index routing_decisions_by_assignee on routing_decisions (workspace_id, assignee_id, created_at)
  where assignee_id is not null;
create index routing_decisions_by_time on routing_decisions (workspace_id, created_at, id);

select make_tenant_table('routing_rule_sets');
select make_tenant_table('routing_cursors');
select make_tenant_table('routing_agents');
select make_tenant_table('routing_decisions');

grant select, insert on routing_rule_sets, routing_cursors, routing_agents, routing_decisions to gable_app;
grant update on routing_cursors, routing_agents to gable_app;
grant update (facts) on routing_decisions to gable_app;
