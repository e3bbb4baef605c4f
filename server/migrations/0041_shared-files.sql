-- squawk-ignore-file require-concurrent-index-creation
-- The index is partial, and no row has the new column yet: it is one pass over its table, and writes wait for it.

-- A file that is stored before its record exists: it is erased then, unless the record claims it.
alter table files add column expires_at timestamptz(3);
create index files_unclaimed on files (workspace_id, expires_at) where expires_at is not null;
