-- Workspaces, their members, and the offices and teams of members.

create table workspaces (
  id text collate "C" primary key,
  name text not null,
  timezone text not null,
  currency text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
comment on table workspaces is 'directory';
select mark_columns('workspaces', 'not personal', 'name', 'timezone', 'currency');

create table offices (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
select mark_columns('offices', 'not personal', 'name');

create table teams (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  office_id text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint teams_office foreign key (workspace_id, office_id) references offices (workspace_id, id)
);
select mark_columns('teams', 'not personal', 'name');

create table members (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  email text not null,
  role text not null constraint members_role check (
    role in ('owner', 'admin', 'isa', 'agent', 'compliance', 'developer')
  ),
  -- Whether the member sees the records of the members of their teams.
  team_lead boolean not null default false,
  -- Called when they place a call.
  phone text,
  active boolean not null,
  office_id text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint members_office foreign key (workspace_id, office_id) references offices (workspace_id, id)
);
select mark_columns('members', 'personal: kept, a member of the workspace, not a contact', 'name', 'email', 'phone');

create unique index members_email on members (workspace_id, lower(email));

create table team_members (
  workspace_id text collate "C" not null,
  team_id text collate "C" not null,
  member_id text collate "C" not null,
  primary key (workspace_id, team_id, member_id),
  constraint team_members_team foreign key (workspace_id, team_id) references teams (workspace_id, id),
  constraint team_members_member foreign key (workspace_id, member_id) references members (workspace_id, id)
);

select make_tenant_table('offices');
select make_tenant_table('teams');
select make_tenant_table('members');
select make_tenant_table('team_members');

grant select, insert, update on workspaces to gable_app;
grant select, insert, update, delete on offices, teams, members, team_members to gable_app;
