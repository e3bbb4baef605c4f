-- When a message that had no final status was looked up at its provider, once.
alter table messages add column status_sought_at timestamptz(3);
