-- What an installation knows about itself: one row.
create table installation (
  id boolean primary key default true constraint installation_one check (id),
  -- Shows whether a server has the application secret, and reveals nothing about it.
  secret_check bytea not null,
  -- Since when nothing leaves, because the database was restored. Null if nothing is held.
  held_since timestamptz(3),
  -- The span of a restored database whose opt-outs and erasures may be missing.
  uncovered_from timestamptz(3),
  uncovered_to timestamptz(3)
);
comment on table installation is 'directory';
select mark_columns('installation', 'not personal', 'secret_check');
grant select, insert, update on installation to gable_app;
