-- squawk-ignore-file require-concurrent-index-creation
-- Each index is one pass over its table, and writes wait for it.

-- By which version of the folding of contacts/search-form.ts the text that `q` searches was made. Null: by one before
-- this migration. A job makes it again.
alter table deals add column search_by smallint;
create index deals_to_fold_again on deals (workspace_id, id) where search_by is null;
alter table listings add column search_by smallint;
create index listings_to_fold_again on listings (workspace_id, id) where search_by is null;
