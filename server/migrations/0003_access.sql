-- API keys and request rates. Looked up before the workspace is known.

create table api_keys (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id),
  name text not null,
  hash bytea not null unique,
  -- The first characters, by which people recognize the key.
  prefix text not null,
  scopes text[] not null,
  -- The member that the key acts for; null for the workspace.
  member_id text collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3)
);
comment on table api_keys is 'directory';
select mark_columns('api_keys', 'not personal', 'name', 'hash', 'prefix', 'scopes');

create index api_keys_workspace on api_keys (workspace_id, id);

-- One row per credential, overwritten each minute, so the table never grows. Unlogged: after a crash, counting starts
-- over. Shared: the limit applies across all instances.
create unlogged table rate_windows (
  credential_id text collate "C" primary key,
  window_start bigint not null,
  used integer not null
) with (fillfactor = 50);
comment on table rate_windows is 'directory';
grant select, insert, update on api_keys to gable_app;
grant select, insert, update, delete on rate_windows to gable_app;
