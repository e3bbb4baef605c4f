-- The log of requests, without the values that describe people. Kept for 30 days.
create table requests (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  method text not null,
  path text not null,
  status smallint not null,
  ms integer not null,
  credential_type text not null,
  credential_id text collate "C" not null,
  ip text,
  error_code text,
  request_body json,
  response_body json,
  -- The records that the bodies name. An erasure of one of them removes the bodies.
  subjects text[] collate "C" not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index requests_by_error on requests (workspace_id, error_code, id) where error_code is not null;
create index requests_by_subject on requests using gin (subjects) where subjects <> '{}';
select make_tenant_table('requests');
select mark_columns('requests', 'not personal', 'method', 'path', 'credential_type', 'error_code', 'subjects');
select mark_columns('requests', 'personal: kept, the address of a program or a member', 'ip');
select mark_columns('requests', 'personal: erased', 'request_body', 'response_body');
grant select, insert, update, delete on requests to gable_app;
