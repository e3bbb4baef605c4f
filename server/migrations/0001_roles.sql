-- Extensions, the roles that the program assumes, and the function that turns a table into a tenant table.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Roles belong to the whole cluster, so another database or a concurrent migration may have created them already.
-- gable_app runs every request. gable_member has the same rights and runs the requests of members who see only some
-- records. gable_search owns the search functions. gable_sender finds due messages, webhook deliveries, and unchained
-- ledger entries across workspaces; gable_engine does the same for automations.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['gable_app', 'gable_member', 'gable_search', 'gable_sender', 'gable_engine'] loop
    begin
      execute format('create role %I nologin', role_name);
    exception when duplicate_object or unique_violation then
      null;
    end;
    execute format('grant %I to current_user', role_name);
  end loop;
end
$$;

grant usage on schema public to gable_app, gable_search, gable_sender, gable_engine;

-- Each table's comment states its kind. Directory tables (people, credentials, workspaces) and queue tables (claimed by
-- workers across workspaces) live on one node when the database is distributed; tenant tables are sharded by
-- workspace_id. No statement and no foreign key spans two kinds. server/test/architecture/catalog.test.ts checks the
-- rules of each kind.

-- Makes a table a tenant table. A session sees only the rows of the workspace in gable.workspace_id; without that
-- setting, no rows. Row-level security is forced, so that it also applies to the table owner.
create function make_tenant_table(tenant_table regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy tenant on %s using (workspace_id = current_setting(''gable.workspace_id'', true))',
    tenant_table
  );
  execute format('comment on table %s is ''tenant''', tenant_table);
end
$$;

revoke execute on function make_tenant_table from public;

-- Comments columns with what happens to them when a contact is erased. Every column has one of three comments, except
-- IDs, times, numbers, booleans, and columns that a check limits to a list of values:
--   personal: erased             describes a contact; an erasure empties it or deletes the row
--   personal: kept, <reason>     describes a person; an erasure leaves it
--   not personal[: <reason>]     describes no person
create function mark_columns(marked regclass, meaning text, variadic columns name[]) returns void language plpgsql as $$
declare
  marked_column name;
begin
  foreach marked_column in array columns loop
    execute format('comment on column %s.%I is %L', marked, marked_column, meaning);
  end loop;
end
$$;

revoke execute on function mark_columns from public;

grant gable_app to gable_member;

-- The members in gable.reach, whose records gable_member sees; without that setting, no records.
create function members_in_reach() returns text[] language sql stable as $$
  select string_to_array(current_setting('gable.reach', true), ',')
$$;
