-- When the last backup ended: one row.
create table last_backup (
  id boolean primary key default true constraint last_backup_one check (id),
  ended_at timestamptz(3) not null
);
comment on table last_backup is 'directory';
grant select, insert, update on last_backup to gable_app;
