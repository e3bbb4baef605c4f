-- Who may not be contacted: opt-outs and suppressions. Numbers and addresses are stored only as keyed hashes, so that the
-- list outlives an erasure.

-- The random key of a workspace's hashes. Sealed with the application's secret and not derived from it, so that replacing
-- the secret keeps the hashes. A workspace without this row has no suppressions.

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
  -- A contact's id, or the keyed hash of a number or an address.
  subject text collate "C" not null,
  kind text not null constraint suppressions_kind check (
    kind in (
      'opted_out', 'internal_dnc', 'litigator', 'reassigned_number', 'hard_bounce', 'complaint', 'manual',
      'consent_revoked'
    )
  ),
  -- The channels that it stops: those of an opt-out, else those of its kind that reach its subject.
  channels text[] not null,
  -- How it was recorded, such as an API request or a reply.
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

-- What a workspace has set for all that it sends. One that never changed it has no row.
create table compliance_settings (
  workspace_id text collate "C" primary key,
  enabled_countries text[] not null,
  postal_address text,
  -- Named in the response to HELP.
  support_contact text,
  cold_sources text[] not null,
  -- Codes of states in which a state of emergency is declared.
  emergency_states text[] not null default '{}',
  retention_days integer constraint compliance_settings_retention check (retention_days > 0),
  record_calls boolean not null default true,
  -- Of recordings of calls; null to keep them.
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

-- The consent ledger: what a person agreed to, took back or asked not to get, and what was lifted again. It has no number and no
-- address in it, and no content of a form, so that an erasure leaves every entry as it is.
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
  -- As in suppressions. Null where the key could not be opened.
  subject_type text constraint ledger_entries_subject_type check (subject_type in ('phone', 'email', 'contact')),
  subject text collate "C",
  -- The contact that it was about, where one was known.
  contact_id text collate "C",
  -- The lead, the suppression or the message that it is about.
  record_id text collate "C" not null,
  -- Of a suppression its kind.
  reason text,
  channels text[] not null,
  -- From when on it holds, where that is not the time of the entry.
  since timestamptz(3) not null,
  -- SHA-256 of the salted consent artifact, in hexadecimal. Without its salt, which an erasure removes, it says nothing.
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

-- The chain of the entries: each hash covers the hash before it and the entry. Entries are written without a lock, and chained
-- within seconds by one at a time. No foreign key: what verifies the chain must be able to say that an entry is gone.
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

-- The program adds to the ledger, and changes and deletes nothing in it.
grant select, insert on ledger_entries, ledger_links to gable_app;
grant select, insert, delete on ledger_unchained to gable_app;
create policy sender on ledger_unchained for select to gable_sender using (true);
grant select on ledger_unchained to gable_sender;
