-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
-- Each index is one pass over its table, and writes wait for it.

-- What a contact's phone is as a number; `phone` stays as it was written.
alter table contacts
  add column phone_e164 text,
  add column phone_extension text,
  -- By which version of the code the number and the columns that `q` searches were made. Null: by one before this migration.
  -- contacts/read-again.ts makes them again.
  add column read_by smallint;
select mark_columns('contacts', 'personal: erased', 'phone_e164', 'phone_extension');
create index contacts_to_read_again on contacts (workspace_id, id) where read_by is null;

-- A lead's phone is its number already.
alter table leads add column phone_extension text;
select mark_columns('leads', 'personal: erased', 'phone_extension');

-- A tag is one tag in any case: the tags in lower case. A column, because a search reads it for thousands of rows.
alter table contacts add column search_tags text[];
select mark_columns('contacts', 'personal: erased', 'search_tags');
drop index contacts_by_tag;
create index contacts_by_tag on contacts using gin (workspace_id, search_tags) where erased_at is null;

create function folded_tags(tags text[]) returns text[]
language sql
immutable
parallel safe
return string_to_array(lower(array_to_string(tags, chr(31))), chr(31));

create or replace function search_contacts(
  workspace text,
  reach text,
  terms text[],
  include_details boolean,
  -- Columns and the values that they must equal.
  equal json,
  wanted_tag text,
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
  if wanted_tag is not null then
    -- Until all contacts of the workspace are read again, some have only their tags as written.
    wanted := wanted || format(' and %s @> %L', case
      when exists (select from contacts c where c.workspace_id = workspace and c.read_by is null) then 'folded_tags(tags)'
      else 'search_tags' end, array[lower(wanted_tag)]);
  end if;
  foreach term in array terms loop
    wanted := wanted || case when include_details
      then format(' and (search_names like %1$L or search_details like %1$L)', like_pattern(term))
      else format(' and search_names like %L', like_pattern(term)) end;
  end loop;
  return query select * from newest_matches(null::contacts, candidates, wanted, true, before_id, max_rows);
end
$$;
