-- OAuth 2.0: applications that act for workspaces. Directory tables, since a token is looked up before its workspace is
-- known. Of every secret only the SHA-256 is kept.

create table oauth_apps (
  -- Also the client_id.
  id text collate "C" primary key,
  -- Whose developers registered it. Which workspaces it may act for, the grants say.
  workspace_id text collate "C" not null references workspaces (id),
  name text not null,
  redirect_uris text[] not null,
  -- What it may ask for.
  scopes text[] not null,
  -- Has secrets. One that cannot keep any, such as a program on a desk, has none.
  confidential boolean not null,
  disabled_at timestamptz(3),
  -- Its name stays, for those who look up what it did.
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index oauth_apps_workspace on oauth_apps (workspace_id, id);

create table oauth_app_secrets (
  id text collate "C" primary key,
  app_id text collate "C" not null references oauth_apps (id) on delete cascade,
  hash bytea not null,
  prefix text not null,
  created_at timestamptz(3) not null,
  -- Null for the present one; another still works until then.
  expires_at timestamptz(3)
);

create unique index oauth_app_secrets_present on oauth_app_secrets (app_id) where expires_at is null;
create index oauth_app_secrets_app on oauth_app_secrets (app_id);

-- What a workspace allows an app.
create table oauth_grants (
  id text collate "C" primary key,
  app_id text collate "C" not null references oauth_apps (id) on delete cascade,
  workspace_id text collate "C" not null references workspaces (id),
  -- Who approved it last.
  member_id text collate "C" not null,
  scopes text[] not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint oauth_grants_member foreign key (workspace_id, member_id) references members (workspace_id, id)
);

-- One that lives, for each app and workspace. What was revoked never wakes up again.
create unique index oauth_grants_live on oauth_grants (app_id, workspace_id) where revoked_at is null;
create index oauth_grants_workspace on oauth_grants (workspace_id, id);

-- All tokens that one approval, or one exchange of client credentials, has led to.
create table oauth_families (
  id text collate "C" primary key,
  grant_id text collate "C" not null references oauth_grants (id) on delete cascade,
  scopes text[] not null,
  -- When nothing of it lives any more, unless it is used before.
  expires_at timestamptz(3) not null,
  -- When it ends even so; null for never.
  ends_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null
);

create index oauth_families_grant on oauth_families (grant_id);
create index oauth_families_expiry on oauth_families (expires_at);

create table oauth_codes (
  hash bytea primary key,
  grant_id text collate "C" not null references oauth_grants (id) on delete cascade,
  redirect_uri text not null,
  scopes text[] not null,
  -- PKCE, always S256.
  challenge text not null,
  expires_at timestamptz(3) not null,
  -- What it was exchanged for; a second exchange revokes it.
  family_id text collate "C" references oauth_families (id) on delete cascade,
  created_at timestamptz(3) not null
);

create index oauth_codes_family on oauth_codes (family_id);
create index oauth_codes_grant on oauth_codes (grant_id);
create index oauth_codes_unused on oauth_codes (expires_at) where family_id is null;

-- Those that have been exchanged stay as long as their family: whoever shows one of them revokes it.
create table oauth_refresh_tokens (
  hash bytea primary key,
  family_id text collate "C" not null references oauth_families (id) on delete cascade,
  retired_at timestamptz(3),
  created_at timestamptz(3) not null
);

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

create index oauth_access_tokens_family on oauth_access_tokens (family_id);
create index oauth_access_tokens_expiry on oauth_access_tokens (expires_at);

grant select, insert, update, delete on
  oauth_apps, oauth_app_secrets, oauth_grants, oauth_families, oauth_codes, oauth_refresh_tokens, oauth_access_tokens
  to gable_app;

-- The app that subscribed; null where it was the workspace itself. Goes with the app's grant.
alter table webhooks add column app_id text collate "C";
-- Rests because its app is disabled.
alter table webhooks add column paused_with_app boolean not null default false;
