-- People who sign in. A person is one e-mail address, whatever the workspaces they are a member of; these are directory
-- tables, since who it is is asked before it is known where. Of every secret only a hash is kept, or it is sealed.

create table people (
  id text collate "C" primary key,
  name text not null,
  email text not null,
  -- Argon2id in the PHC string format. Null for one who signs in by passkey alone.
  password text,
  -- The key of an authenticator app, sealed.
  totp bytea,
  -- When a first code showed that the app has the key; until then it is not asked for.
  totp_confirmed_at timestamptz(3),
  -- The time step whose code was used last: none of it or before it is taken again.
  totp_step bigint,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create unique index people_email on people (lower(email));

-- Which member of a workspace a person is. What they may there, and whether they still may, stands with the member.
create table memberships (
  person_id text collate "C" not null references people (id) on delete cascade,
  workspace_id text collate "C" not null references workspaces (id),
  member_id text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (person_id, workspace_id),
  constraint memberships_member foreign key (workspace_id, member_id) references members (workspace_id, id)
);

create unique index memberships_of_member on memberships (workspace_id, member_id);

create table sessions (
  hash bytea primary key,
  -- By which a person tells one of theirs from another, and ends it.
  id text collate "C" not null unique,
  person_id text collate "C" not null references people (id) on delete cascade,
  -- What the browser calls itself.
  device text not null,
  -- When they last showed who they are. Old sessions are asked again before keys and secrets are made.
  proved_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  -- When it ends unless it is used before, and when it ends even so.
  expires_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);

create index sessions_person on sessions (person_id);
create index sessions_expiry on sessions (expires_at);

create table invitations (
  id text collate "C" primary key,
  hash bytea not null unique,
  workspace_id text collate "C" not null references workspaces (id),
  name text not null,
  email text not null,
  role text not null constraint invitations_role check (role in ('owner', 'admin', 'agent')),
  -- The member who invited; null for an operator.
  invited_by text collate "C",
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null
);

-- One that is open, for each address and workspace.
create unique index invitations_open on invitations (workspace_id, lower(email))
where accepted_at is null and revoked_at is null;
create index invitations_workspace on invitations (workspace_id, id);

create table password_resets (
  hash bytea primary key,
  person_id text collate "C" not null references people (id) on delete cascade,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);

create index password_resets_person on password_resets (person_id);
create index password_resets_expiry on password_resets (expires_at);

create table passkeys (
  -- The credential id, in base64url.
  id text collate "C" primary key,
  person_id text collate "C" not null references people (id) on delete cascade,
  name text not null,
  public_key bytea not null,
  -- The authenticator's own count of its signatures; one that goes back is a copy (WebAuthn, 6.1.1).
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);

create index passkeys_person on passkeys (person_id);

create table recovery_codes (
  person_id text collate "C" not null references people (id) on delete cascade,
  hash bytea not null,
  primary key (person_id, hash)
);

-- What a browser is in the middle of: a second step of signing in, or a challenge that a passkey is to sign.
create table sign_in_steps (
  hash bytea primary key,
  kind text not null,
  -- Null while nobody knows who it is.
  person_id text collate "C" references people (id) on delete cascade,
  -- In base64url.
  challenge text,
  expires_at timestamptz(3) not null
);

create index sign_in_steps_person on sign_in_steps (person_id);
create index sign_in_steps_expiry on sign_in_steps (expires_at);

-- Attempts in the running quarter of an hour, by hash of what they are counted by. Unlogged, as rate_windows is.
create unlogged table sign_in_attempts (
  key bytea primary key,
  started_at timestamptz(3) not null,
  used integer not null
);

create index sign_in_attempts_age on sign_in_attempts (started_at);

grant select, insert, update, delete on
  people, memberships, sessions, invitations, password_resets, passkeys, recovery_codes, sign_in_steps, sign_in_attempts
  to gable_app;
