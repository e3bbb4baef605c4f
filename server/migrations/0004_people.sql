-- People who sign in, and how. A person is one email address, in any number of workspaces. A person is looked up before
-- the workspace is known. Secrets are stored hashed or sealed.

create table people (
  id text collate "C" primary key,
  name text not null,
  email text not null,
  -- Argon2id in the PHC string format. Null for a person who signs in with a passkey only.
  password text,
  -- The authenticator app's key, sealed.
  totp bytea,
  -- When a first code proved that the app has the key. Until then, signing in does not require a code.
  totp_confirmed_at timestamptz(3),
  -- The time step of the last code used. Codes of this step or earlier are rejected.
  totp_step bigint,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
comment on table people is 'directory';
select mark_columns('people', 'personal: kept, a member of a workspace, not a contact', 'name', 'email');
select mark_columns('people', 'not personal', 'password', 'totp');

create unique index people_email on people (lower(email));

-- Which member of a workspace a person is. Role and activity are columns of the member.
create table memberships (
  person_id text collate "C" not null references people (id) on delete cascade,
  workspace_id text collate "C" not null references workspaces (id),
  member_id text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (person_id, workspace_id)
);
comment on table memberships is 'directory';

create unique index memberships_of_member on memberships (workspace_id, member_id);

create table sessions (
  hash bytea primary key,
  -- Identifies the session in the list of a person's sessions.
  id text collate "C" not null unique,
  person_id text collate "C" not null references people (id) on delete cascade,
  -- Derived from the browser's User-Agent.
  device text not null,
  -- When the person last authenticated. Creating keys and secrets requires a recent time.
  proved_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  -- When the session expires if unused, and when it expires regardless.
  expires_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
comment on table sessions is 'directory';
select mark_columns('sessions', 'personal: kept, the browser of a member, deleted with the session', 'device');
select mark_columns('sessions', 'not personal', 'hash');

create index sessions_person on sessions (person_id);
create index sessions_expiry on sessions (expires_at);

create table invitations (
  id text collate "C" primary key,
  hash bytea not null unique,
  workspace_id text collate "C" not null references workspaces (id),
  name text not null,
  email text not null,
  role text not null constraint invitations_role check (
    role in ('owner', 'admin', 'isa', 'agent', 'compliance', 'developer')
  ),
  -- The member who invited; null for the operator.
  invited_by text collate "C",
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null
);
comment on table invitations is 'directory';
select mark_columns(
  'invitations', 'personal: kept, a future member of the workspace, not a contact',
  'name', 'email'
);
select mark_columns('invitations', 'not personal', 'hash', 'invited_by');

-- One open invitation per address and workspace.
create unique index invitations_open on invitations (workspace_id, lower(email))
where accepted_at is null and revoked_at is null;
create index invitations_workspace on invitations (workspace_id, id);

create table password_resets (
  hash bytea primary key,
  person_id text collate "C" not null references people (id) on delete cascade,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
comment on table password_resets is 'directory';
select mark_columns('password_resets', 'not personal', 'hash');

create index password_resets_person on password_resets (person_id);
create index password_resets_expiry on password_resets (expires_at);

create table passkeys (
  -- The credential id, in base64url.
  id text collate "C" primary key,
  person_id text collate "C" not null references people (id) on delete cascade,
  name text not null,
  public_key bytea not null,
  -- The authenticator's signature counter. A counter that decreases reveals a copy (WebAuthn, 6.1.1).
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
comment on table passkeys is 'directory';
select mark_columns('passkeys', 'personal: kept, what a member calls a device', 'name');
select mark_columns('passkeys', 'not personal', 'public_key', 'transports');

create index passkeys_person on passkeys (person_id);

create table recovery_codes (
  person_id text collate "C" not null references people (id) on delete cascade,
  hash bytea not null,
  primary key (person_id, hash)
);
comment on table recovery_codes is 'directory';
select mark_columns('recovery_codes', 'not personal', 'hash');

-- A sign-in in progress: a pending second factor, or a challenge that a passkey signs.
create table sign_in_steps (
  hash bytea primary key,
  kind text not null,
  -- Null until the person is known.
  person_id text collate "C" references people (id) on delete cascade,
  -- In base64url.
  challenge text,
  expires_at timestamptz(3) not null
);
comment on table sign_in_steps is 'directory';
select mark_columns('sign_in_steps', 'not personal', 'hash', 'kind', 'challenge');

create index sign_in_steps_person on sign_in_steps (person_id);
create index sign_in_steps_expiry on sign_in_steps (expires_at);

-- Attempts in the current 15 minutes, keyed by a hash of what is limited. Unlogged: after a crash, counting starts
-- over.
create unlogged table sign_in_attempts (
  key bytea primary key,
  started_at timestamptz(3) not null,
  used integer not null
);
comment on table sign_in_attempts is 'directory';
select mark_columns('sign_in_attempts', 'not personal', 'key');

create index sign_in_attempts_age on sign_in_attempts (started_at);

grant select, insert, update, delete on
  people, memberships, sessions, invitations, password_resets, passkeys, recovery_codes, sign_in_steps, sign_in_attempts
  to gable_app;
