-- Extensions, roles and the directory: the small tables that say who may come in. They are not tenant data.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Roles belong to the whole cluster: another database, or a migration running at the same time, may have made them.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['gable_app', 'gable_search'] loop
    begin
      execute format('create role %I nologin', wanted);
    exception when duplicate_object or unique_violation then
      null;
    end;
    execute format('grant %I to current_user', wanted);
  end loop;
end
$$;

grant usage on schema public to gable_app, gable_search;

create table workspaces (
  id text collate "C" primary key,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table api_keys (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id),
  name text not null,
  hash bytea not null unique,
  -- The first characters, so that a person can tell keys apart.
  prefix text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3)
);

create index api_keys_workspace on api_keys (workspace_id, id);

-- One row a credential, written over by each new minute: it never grows. Unlogged, because after a crash a fresh
-- minute is an honest start; shared, because the limit holds over all instances.
create unlogged table rate_windows (
  credential_id text collate "C" primary key,
  window_start bigint not null,
  used integer not null
) with (fillfactor = 50);

grant select, insert, update on workspaces, api_keys to gable_app;
grant select, insert, update, delete on rate_windows to gable_app;
