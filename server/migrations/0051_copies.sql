-- A restored database is another installation: the original may go on beside it.
-- The installation whose backup was restored here. Its journal of opt-outs is read, too.
alter table installation_identity add column copied_from text collate "C";
select mark_columns('installation_identity', 'not personal', 'copied_from');
