-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
-- Each index is one pass over its table, and writes wait for it.

-- `updated_after` of the lists that grow with a workspace's business.
create index contacts_by_change on contacts (workspace_id, updated_at) where erased_at is null;
create index leads_by_change on leads (workspace_id, updated_at);
create index messages_by_change on messages (workspace_id, updated_at);
create index conversations_by_change on conversations (workspace_id, updated_at);
create index calls_by_change on calls (workspace_id, updated_at);
create index deals_by_change on deals (workspace_id, updated_at) where deleted_at is null;
create index listings_by_change on listings (workspace_id, updated_at) where deleted_at is null;
create index appointments_by_change on appointments (workspace_id, updated_at);
create index tasks_by_change on tasks (workspace_id, updated_at) where deleted_at is null;
create index documents_by_change on documents (workspace_id, updated_at);
create index saved_searches_by_change on saved_searches (workspace_id, updated_at);
create index generations_by_change on generations (workspace_id, updated_at);
create index enrollments_by_change on enrollments (workspace_id, automation_id, updated_at);

-- Further filters.
create index contacts_by_creation on contacts (workspace_id, created_at) where erased_at is null;
create index leads_by_creation on leads (workspace_id, created_at);
create index leads_by_status on leads (workspace_id, status, id);
create index leads_by_assignee on leads (workspace_id, assignee_id, id) where assignee_id is not null;
create index leads_by_source on leads (workspace_id, source, id) where source is not null;
create index events_by_subject on events (workspace_id, subject_id, id);
drop index events_of_subjects;

-- Conditions for columns: a value; a list of values; or an object with the bounds `from` and `before`, or with `given`.
create or replace function columns_equal(equal json) returns text
language sql
immutable
set search_path = pg_catalog
return (
  select coalesce(string_agg(case json_typeof(value)
    when 'array' then case json_array_length(value)
      when 1 then format(' and %I = %L', key, value ->> 0)
      else format(' and %I = any (%L::text[])', key, array(select json_array_elements_text(value))) end
    when 'object' then (
      select string_agg(case kind
        when 'from' then format(' and %I >= %L', key, bound)
        when 'before' then format(' and %I < %L', key, bound)
        when 'given' then format(' and %I is not null', key) end, '')
      from json_each_text(value) as part (kind, bound))
    else format(' and %I = %L', key, value #>> '{}') end, ''), '')
  from json_each(equal)
);

create function find_contacts(
  workspace text,
  reach text,
  terms text[],
  include_details boolean,
  equal json,
  -- All of them, in lower case.
  wanted_tags text[],
  before_id text,
  max_rows integer
) returns setof contacts
language plpgsql
stable
security definer
set search_path = pg_catalog, public
as $$
declare
  candidates text := format('workspace_id = %L and erased_at is null', workspace) || owned_within(reach) || columns_equal(equal);
  wanted text := 'true';
  term text;
begin
  if may_search(workspace, reach) is not true then return; end if;
  if cardinality(wanted_tags) > 0 then
    -- Until all contacts of the workspace are read again, some have only their tags as written.
    wanted := wanted || format(' and %s @> %L', case
      when exists (select from contacts c where c.workspace_id = workspace and c.read_by is null) then 'folded_tags(tags)'
      else 'search_tags' end, wanted_tags);
  end if;
  foreach term in array terms loop
    wanted := wanted || case when include_details
      then format(' and (search_names like %1$L or search_details like %1$L)', like_pattern(term))
      else format(' and search_names like %L', like_pattern(term)) end;
  end loop;
  return query select * from newest_matches(null::contacts, candidates, wanted, true, before_id, max_rows);
end
$$;

grant create on schema public to gable_search;
alter function find_contacts owner to gable_search;
revoke create on schema public from gable_search;
revoke execute on function find_contacts from public;
grant execute on function find_contacts to gable_app;

-- What the previous version calls.
create or replace function search_contacts(
  workspace text,
  reach text,
  terms text[],
  include_details boolean,
  equal json,
  wanted_tag text,
  before_id text,
  max_rows integer
) returns setof contacts
language sql
stable
security definer
set search_path = pg_catalog, public
as $$
  select * from find_contacts(
    workspace, reach, terms, include_details, equal,
    case when wanted_tag is null then '{}' else array[lower(wanted_tag)] end, before_id, max_rows
  )
$$;
