-- squawk-ignore-file require-concurrent-index-creation
-- The index is partial, and few rows have the column: it is one pass over its table, and writes wait for it.

-- Which conversations contain what a masked credential does not see.
create index messages_hidden on messages (workspace_id, conversation_id) where hidden_from is not null;
