-- OAuth 2.0: apps that act for workspaces. A token is looked up before its workspace is known. Secrets and tokens are
-- stored as SHA-256.

create table oauth_apps (
  -- Also the client_id.
  id text collate "C" primary key,
  -- The workspace that registered the app. Grants say which workspaces the app may act for.
  workspace_id text collate "C" not null references workspaces (id),
  name text not null,
  redirect_uris text[] not null,
  -- The scopes that the app may request.
  scopes text[] not null,
  -- Whether the app has a secret. Public clients, such as desktop programs, have none.
  confidential boolean not null,
  -- Null for a public app. The previous secret works until previous_secret_until.
  secret_hash bytea,
  secret_prefix text,
  previous_secret_hash bytea,
  previous_secret_until timestamptz(3),
  disabled_at timestamptz(3),
  -- The name is kept for the audit log.
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
comment on table oauth_apps is 'directory';
select mark_columns(
  'oauth_apps', 'not personal', 'name', 'redirect_uris', 'scopes', 'secret_hash', 'secret_prefix', 'previous_secret_hash'
);

create index oauth_apps_workspace on oauth_apps (workspace_id, id);

-- What a workspace allows an app to do.
create table oauth_grants (
  id text collate "C" primary key,
  app_id text collate "C" not null references oauth_apps (id) on delete cascade,
  workspace_id text collate "C" not null references workspaces (id),
  -- The member who approved it last.
  member_id text collate "C" not null,
  scopes text[] not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
comment on table oauth_grants is 'directory';
select mark_columns('oauth_grants', 'not personal', 'scopes');

-- One active grant per app and workspace. A revoked grant never becomes active again.
create unique index oauth_grants_live on oauth_grants (app_id, workspace_id) where revoked_at is null;
create index oauth_grants_workspace on oauth_grants (workspace_id, id);

-- All tokens of one approval, or of one exchange of client credentials.
create table oauth_families (
  id text collate "C" primary key,
  grant_id text collate "C" not null references oauth_grants (id) on delete cascade,
  scopes text[] not null,
  -- When the last token of the family expires if unused.
  expires_at timestamptz(3) not null,
  -- When the family expires regardless; null for never.
  ends_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null
);
comment on table oauth_families is 'directory';
select mark_columns('oauth_families', 'not personal', 'scopes');

create index oauth_families_grant on oauth_families (grant_id);
create index oauth_families_expiry on oauth_families (expires_at);

create table oauth_codes (
  hash bytea primary key,
  grant_id text collate "C" not null references oauth_grants (id) on delete cascade,
  redirect_uri text not null,
  scopes text[] not null,
  -- PKCE challenge, always S256.
  challenge text not null,
  expires_at timestamptz(3) not null,
  -- The tokens that the code was exchanged for. A second exchange revokes them.
  family_id text collate "C" references oauth_families (id) on delete cascade,
  created_at timestamptz(3) not null
);
comment on table oauth_codes is 'directory';
select mark_columns('oauth_codes', 'not personal', 'hash', 'redirect_uri', 'scopes', 'challenge');

create index oauth_codes_family on oauth_codes (family_id);
create index oauth_codes_grant on oauth_codes (grant_id);
create index oauth_codes_unused on oauth_codes (expires_at) where family_id is null;

-- Exchanged tokens are kept as long as their family: presenting one again revokes the family.
create table oauth_refresh_tokens (
  hash bytea primary key,
  family_id text collate "C" not null references oauth_families (id) on delete cascade,
  retired_at timestamptz(3),
  created_at timestamptz(3) not null
);
comment on table oauth_refresh_tokens is 'directory';
select mark_columns('oauth_refresh_tokens', 'not personal', 'hash');

create index oauth_refresh_tokens_family on oauth_refresh_tokens (family_id);
create unique index oauth_refresh_tokens_live on oauth_refresh_tokens (family_id) where retired_at is null;

create table oauth_access_tokens (
  hash bytea primary key,
  family_id text collate "C" not null references oauth_families (id) on delete cascade,
  scopes text[] not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null
);
comment on table oauth_access_tokens is 'directory';
select mark_columns('oauth_access_tokens', 'not personal', 'hash', 'scopes');

create index oauth_access_tokens_family on oauth_access_tokens (family_id);
create index oauth_access_tokens_expiry on oauth_access_tokens (expires_at);

grant select, insert, update, delete on
  oauth_apps, oauth_grants, oauth_families, oauth_codes, oauth_refresh_tokens, oauth_access_tokens
  to gable_app;
