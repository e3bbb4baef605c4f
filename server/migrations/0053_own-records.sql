-- squawk-ignore-file require-concurrent-index-creation
-- The indexes are partial, and few rows or none have the columns yet: each is one pass over its table, and writes wait for it.

-- A key with this sees only what it created.
alter table api_keys add column created_by_self boolean not null default false;

-- The key that created the record, if it sees only what it created.
alter table contacts add column created_by text collate "C";
alter table webhooks add column created_by text collate "C";
select mark_columns('contacts', 'not personal: the id of a credential', 'created_by');
select mark_columns('webhooks', 'not personal: the id of a credential', 'created_by');
create index contacts_by_creator on contacts (workspace_id, created_by, id) where created_by is not null;
create index leads_by_creator on leads (workspace_id, created_by, id) where created_by is not null;

-- The key in gable.reach that sees only what it created; null for members. A key is no member, so it has no other records.
create function creator_in_reach() returns text language sql stable as $$
  select substring(current_setting('gable.reach', true) from '^created_by:(.*)$')
$$;

alter policy reach on contacts using (
  owner_id = any ((select members_in_reach())::text[]) or created_by = (select creator_in_reach()));
alter policy reach on leads using (
  assignee_id = any ((select members_in_reach())::text[])
  or (assignee_id is null and offered_to && (select members_in_reach()) collate "C")
  or created_by = (select creator_in_reach()));
-- Such a key sees what it did, on whatever timeline that is.
alter policy reach on events using (
  (select true from contacts c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = timeline_id)
  or (select true from event_timelines t
    where t.workspace_id = current_setting('gable.workspace_id', true) and t.event_id = events.id limit 1)
  or actor ->> 'id' = (select creator_in_reach()));

-- As in migration 0047, with the records of a key.
create or replace function find_contacts(
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
  creator text := substring(reach from '^created_by:(.*)$');
  candidates text := format('workspace_id = %L and erased_at is null', workspace)
    || case when creator is null then owned_within(reach) else format(' and created_by = %L', creator) end
    || columns_equal(equal);
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
