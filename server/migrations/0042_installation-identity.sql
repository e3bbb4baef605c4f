-- Which installation this is, and since when its database goes on from a restored one: one row.
create table installation_identity (
  only_one boolean primary key default true constraint installation_identity_one check (only_one),
  -- Distinguishes this installation's journal of opt-outs from those of others in the same folder or bucket.
  id text collate "C" not null default gen_random_uuid()::text,
  -- What was received before may have been dealt with in a database that is lost. Null if it was never restored.
  restored_at timestamptz(3)
);
comment on table installation_identity is 'directory';
grant select, insert, update on installation_identity to gable_app;
