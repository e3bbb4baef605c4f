-- squawk-ignore-file ban-drop-table
-- The log of requests in batches: a row for what one process gathered of a workspace within a second. A row for each
-- request cost a tenth of a simple read. No release had that table.
drop table requests;
create table request_batches (
  workspace_id text collate "C" not null,
  -- The greatest and the least ID of its requests.
  id text collate "C" not null,
  first_id text collate "C" not null,
  requests json not null,
  error_codes text[] collate "C" not null,
  -- The records that the bodies name. An erasure of one of them removes the bodies.
  subjects text[] collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
-- Several times as fast as the default, where the server has it.
do $$
begin
  alter table request_batches alter column requests set compression lz4;
exception when feature_not_supported then
  null;
end
$$;
create index request_batches_with_errors on request_batches (workspace_id, id) where error_codes <> '{}';
create index request_batches_by_subject on request_batches using gin (subjects) where subjects <> '{}';
select make_tenant_table('request_batches');
select mark_columns('request_batches', 'not personal', 'error_codes', 'subjects');
select mark_columns('request_batches', 'personal: erased', 'requests');
grant select, insert, update, delete on request_batches to gable_app;
