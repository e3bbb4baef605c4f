-- Who may not be contacted: opt-outs and suppressions. Numbers and addresses are kept as keyed hashes and in no other form,
-- so that the list outlives an erasure.

-- The random key of a workspace's hashes. It is sealed with the application's secret and not made from it, so that a
-- replacement of that secret leaves the hashes as they are. Without this row a workspace has no suppressions.
create table suppression_keys (
  workspace_id text collate "C" primary key references workspaces (id),
  sealed bytea not null,
  created_at timestamptz(3) not null
);

create table suppressions (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  subject_type text not null constraint suppressions_subject_type check (subject_type in ('phone', 'email', 'contact')),
  -- A contact's id, or the keyed hash of a number or an address.
  subject text collate "C" not null,
  kind text not null constraint suppressions_kind check (
    kind in (
      'opted_out', 'internal_dnc', 'litigator', 'reassigned_number', 'hard_bounce', 'complaint', 'manual'
    )
  ),
  -- What an opt-out is about. Empty for the other kinds, which hold for every channel of their subject.
  channels text[] not null,
  -- By which way it came.
  source text not null,
  actor jsonb not null,
  created_at timestamptz(3) not null,
  -- One that is lifted stays, for those who look up what held when.
  lifted_at timestamptz(3),
  lifted_by jsonb,
  primary key (workspace_id, id),
  -- Whoever removed the key would let everybody be contacted again.
  constraint suppressions_key foreign key (workspace_id) references suppression_keys (workspace_id),
  constraint suppressions_channels check ((kind = 'opted_out') = (cardinality(channels) > 0)),
  constraint suppressions_lifted check ((lifted_at is null) = (lifted_by is null))
);

-- One that holds, for each subject and kind. Look-ups go by it.
create unique index suppressions_live on suppressions (workspace_id, subject, kind) where lifted_at is null;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['suppression_keys', 'suppressions'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (workspace_id = current_setting(''gable.workspace_id'', true))',
      tenant_table
    );
    execute format('grant select, insert on %I to gable_app', tenant_table);
  end loop;
end
$$;

grant update (sealed) on suppression_keys to gable_app;
grant update (channels, lifted_at, lifted_by) on suppressions to gable_app;
