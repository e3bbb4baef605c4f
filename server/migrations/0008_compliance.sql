-- Opt-outs and suppressions: who must not be contacted. Numbers and addresses are stored only as keyed hashes, so that
-- the list survives an erasure.

-- The random key of a workspace's hashes. It is sealed with the application secret but not derived from it, so that
-- replacing the secret keeps the hashes valid. A workspace without this row has no suppressions.

create table suppression_keys (
  workspace_id text collate "C" primary key,
  sealed bytea not null,
  created_at timestamptz(3) not null
);
select mark_columns('suppression_keys', 'not personal', 'sealed');

create table suppressions (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  subject_type text not null constraint suppressions_subject_type check (subject_type in ('phone', 'email', 'contact')),
  -- A contact's ID, or the keyed hash of a phone number or email address.
  subject text collate "C" not null,
  kind text not null constraint suppressions_kind check (
    kind in (
      'opted_out', 'internal_dnc', 'litigator', 'reassigned_number', 'hard_bounce', 'complaint', 'manual',
      'consent_revoked'
    )
  ),
  -- The channels that it blocks: those of the opt-out, or else those of its kind that reach its subject.
  channels text[] not null,
  -- How it was recorded, such as by an API request or a reply.
  source text not null,
  actor jsonb not null,
  created_at timestamptz(3) not null,
  -- Lifted suppressions are kept, to show what applied when.
  lifted_at timestamptz(3),
  lifted_by jsonb,
  primary key (workspace_id, id),
  -- Deleting the key would make every suppression unfindable.
  constraint suppressions_key foreign key (workspace_id) references suppression_keys (workspace_id),
  constraint suppressions_channels check (cardinality(channels) > 0),
  constraint suppressions_lifted check ((lifted_at is null) = (lifted_by is null))
);
select mark_columns(
  'suppressions', 'personal: kept, a keyed hash or a contact id, so that an erased contact stays suppressed',
  'subject'
);
select mark_columns('suppressions', 'personal: kept, names who acted, not the contact', 'actor', 'lifted_by');
select mark_columns('suppressions', 'not personal', 'channels', 'source');

-- One active suppression per subject and kind; also the index of lookups.
create unique index suppressions_live on suppressions (workspace_id, subject, kind) where lifted_at is null;

-- The list and its filters.
create index suppressions_by_subject on suppressions (workspace_id, subject, id);
create index suppressions_by_kind on suppressions (workspace_id, kind, id);
create index suppressions_by_subject_type on suppressions (workspace_id, subject_type, id);
create index suppressions_lifted_by_id on suppressions (workspace_id, id) where lifted_at is not null;

select make_tenant_table('suppression_keys');
select make_tenant_table('suppressions');

-- The workspace's settings for everything that it sends. There is no row until they change.
create table compliance_settings (
  workspace_id text collate "C" primary key,
  enabled_countries text[] not null,
  postal_address text,
  -- Included in the response to HELP.
  support_contact text,
  cold_sources text[] not null,
  -- State codes in which a state of emergency is declared.
  emergency_states text[] not null default '{}',
  retention_days integer constraint compliance_settings_retention check (retention_days > 0),
  record_calls boolean not null default true,
  -- For call recordings; null to keep them.
  recording_retention_days integer
    constraint compliance_settings_recording_retention check (recording_retention_days > 0)
);
select make_tenant_table('compliance_settings');
select mark_columns(
  'compliance_settings', 'not personal', 'enabled_countries', 'postal_address', 'support_contact', 'cold_sources', 'emergency_states'
);
grant select, insert, update on compliance_settings to gable_app;

grant select, insert on suppression_keys, suppressions to gable_app;
grant update (sealed) on suppression_keys to gable_app;
grant update (channels, created_at, lifted_at, lifted_by) on suppressions to gable_app;

-- The consent ledger: what a person consented to, revoked, or opted out of, and what was lifted again. It contains no
-- phone numbers, email addresses, or form contents, so an erasure leaves every entry unchanged.
create table ledger_entries (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz(3) not null,
  kind text not null constraint ledger_entries_kind check (
    kind in (
      'consent_captured', 'consent_revoked', 'opted_out', 'opt_out_lifted', 'suppressed', 'suppression_lifted',
      'opt_out_confirmed'
    )
  ),
  -- As in suppressions. Null if the key could not be opened.
  subject_type text constraint ledger_entries_subject_type check (subject_type in ('phone', 'email', 'contact')),
  subject text collate "C",
  -- The contact that it was about, if known.
  contact_id text collate "C",
  -- The lead, suppression, or message that it is about.
  record_id text collate "C" not null,
  -- The kind of the suppression.
  reason text,
  channels text[] not null,
  -- When it takes effect, which can differ from the time of the entry.
  since timestamptz(3) not null,
  -- SHA-256 of the salted consent artifact, in hexadecimal. Meaningless without the salt, which an erasure removes.
  artifact_sha256 text,
  source text not null,
  actor jsonb not null,
  primary key (workspace_id, id)
);
create index ledger_entries_by_subject on ledger_entries (workspace_id, subject, id);
create index ledger_entries_by_contact on ledger_entries (workspace_id, contact_id, id) where contact_id is not null;
select mark_columns(
  'ledger_entries', 'personal: kept, a keyed hash or a contact id, so that an erased contact stays suppressed', 'subject'
);
select mark_columns('ledger_entries', 'personal: kept, names who acted, not the contact', 'actor');
select mark_columns('ledger_entries', 'not personal', 'reason', 'channels', 'artifact_sha256', 'source');

-- The hash chain of the entries: each hash covers the previous hash and the entry. Entries are written without a lock;
-- one process at a time chains them within seconds. No foreign key, because verification must be able to report a
-- missing entry.
create table ledger_links (
  workspace_id text collate "C" not null,
  sequence integer not null constraint ledger_links_sequence check (sequence > 0),
  entry_id text collate "C" not null,
  -- SHA-256 in hexadecimal.
  previous text collate "C" not null,
  hash text collate "C" not null,
  primary key (workspace_id, sequence),
  constraint ledger_links_entry unique (workspace_id, entry_id)
);
select mark_columns('ledger_links', 'not personal', 'previous', 'hash');

-- Entries that are not chained yet.
create table ledger_unchained (
  workspace_id text collate "C" not null,
  entry_id text collate "C" not null,
  primary key (workspace_id, entry_id)
) with (autovacuum_vacuum_scale_factor = 0.02);

select make_tenant_table('ledger_entries');
select make_tenant_table('ledger_links');
select make_tenant_table('ledger_unchained');
comment on table ledger_unchained is 'queue';

-- The program appends to the ledger and never changes or deletes entries.
grant select, insert on ledger_entries, ledger_links to gable_app;
grant select, insert, delete on ledger_unchained to gable_app;
create policy sender on ledger_unchained for select to gable_sender using (true);
grant select on ledger_unchained to gable_sender;
