-- The people of a workspace and how they are grouped.

create table offices (
  workspace_id text collate "C" not null references workspaces (id),
  id text collate "C" not null,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table teams (
  workspace_id text collate "C" not null references workspaces (id),
  id text collate "C" not null,
  name text not null,
  office_id text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint teams_office foreign key (workspace_id, office_id) references offices (workspace_id, id)
);

create table members (
  workspace_id text collate "C" not null references workspaces (id),
  id text collate "C" not null,
  name text not null,
  email text not null,
  role text not null constraint members_role check (role in ('owner', 'admin', 'agent')),
  active boolean not null,
  office_id text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  constraint members_office foreign key (workspace_id, office_id) references offices (workspace_id, id)
);

create unique index members_email on members (workspace_id, lower(email));

create table team_members (
  workspace_id text collate "C" not null,
  team_id text collate "C" not null,
  member_id text collate "C" not null,
  primary key (workspace_id, team_id, member_id),
  constraint team_members_team foreign key (workspace_id, team_id) references teams (workspace_id, id),
  constraint team_members_member foreign key (workspace_id, member_id) references members (workspace_id, id)
);

-- Forced, so that it binds the tables' owner too. A query without a workspace sees nothing.
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['offices', 'teams', 'members', 'team_members'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (workspace_id = current_setting(''gable.workspace_id'', true))',
      tenant_table
    );
    execute format('grant select, insert, update, delete on %I to gable_app', tenant_table);
  end loop;
end
$$;
