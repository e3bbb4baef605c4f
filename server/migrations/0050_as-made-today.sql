-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion, adding-not-nullable-field
-- Earlier versions made 0014, 0017, 0023 and 0024 a little differently. What their databases lack follows; what they have beyond it stays,
-- because servers of those versions may still run. None of this changes a database that the present ones have made.
create index if not exists calendar_pushes_unfinished on calendar_pushes (workspace_id, updated_at)
  where status = 'pending' or claimed_until is not null;
create index if not exists automation_changes_running on automation_changes (workspace_id, updated_at) where status = 'running';
drop index message_removals_due;
create index message_removals_due on message_removals (workspace_id, due_at);
-- Bulk changes were in the inbox. They are a job now, which their own table queues again.
delete from automation_inbox where contact_id is null;
alter table automation_inbox alter column contact_id set not null;
