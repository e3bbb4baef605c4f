-- How far each running worker's clock is ahead of PostgreSQL's: one that is wrong sends nothing. A row that is old is of a worker
-- that has ended.
create table worker_clocks (
  id uuid primary key,
  ahead_ms bigint not null,
  compared_at timestamptz(3) not null
);
comment on table worker_clocks is 'directory';
grant select, insert, update, delete on worker_clocks to gable_app;
