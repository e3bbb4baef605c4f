-- Files that belong to a workspace: what a stored content is, and whether it may still be read. The content is in the file store.
create table files (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  -- The name under which people download it. Null once it has been erased.
  name text,
  media_type text not null,
  -- The scope that reads it.
  scope text not null,
  -- Of the content, in bytes; null until it is stored, as are the hash and the time.
  size bigint,
  sha256 text,
  stored_at timestamptz(3),
  -- No one can read it any more. The row goes once the content is removed.
  erased_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index files_erased on files (workspace_id, id) where erased_at is not null;
select make_tenant_table('files');
select mark_columns('files', 'personal: erased', 'name');
select mark_columns('files', 'not personal', 'media_type', 'scope', 'sha256');
grant select, insert, update, delete on files to gable_app;
