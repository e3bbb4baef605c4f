-- squawk-ignore-file require-concurrent-index-creation
-- The indexes are partial, and no row has the new columns yet: each is one pass over its table, and writes wait for it.

-- Pictures and other files in messages.

-- What is known of each file of a message: where the provider has it, its type, and whether Gable has a copy.
alter table messages add column media jsonb not null default '[]';

-- When files that Gable has no copy of yet are fetched next. Null if there are none.
alter table messages add column media_due_at timestamptz(3);

create index messages_media_due on messages (workspace_id, media_due_at) where media_due_at is not null;
-- Finds the message of a file, to check who may read it.
create index messages_with_media on messages using gin (media jsonb_path_ops) where media <> '[]';

select mark_columns('messages', 'personal: erased', 'media');
