-- Files of a workspace: metadata of the stored content, and whether it may still be read. The content is in the file
-- store.
create table files (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  -- The file name for downloads. Null once the file has been erased.
  name text,
  media_type text not null,
  -- The scope required to read it.
  scope text not null,
  -- Size of the content in bytes. Null until the content is stored, as are the hash and the time.
  size bigint,
  sha256 text,
  stored_at timestamptz(3),
  -- From then on, no one can read the file. The row is deleted once the content is.
  erased_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index files_erased on files (workspace_id, id) where erased_at is not null;
select make_tenant_table('files');
select mark_columns('files', 'personal: erased', 'name');
select mark_columns('files', 'not personal', 'media_type', 'scope', 'sha256');
grant select, insert, update, delete on files to gable_app;
