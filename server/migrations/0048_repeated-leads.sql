-- squawk-ignore-file require-concurrent-index-creation
-- The index is partial, and no row has the new column yet: it is one pass over its table, and writes wait for it.

-- The credential or member that captured the lead. Null for one that an earlier version captured.
alter table leads add column created_by text collate "C";
select mark_columns('leads', 'not personal: the id of a credential', 'created_by');
create index leads_repeated on leads (workspace_id, created_by, source_ref, id)
  where source_ref is not null and created_by is not null;
