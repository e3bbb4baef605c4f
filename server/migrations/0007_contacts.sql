create table contacts (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  first_name text,
  last_name text,
  email text,
  phone text,
  -- json, because jsonb reorders members.
  address json,
  address_source text constraint contacts_address_source check (address_source in ('contact', 'lead')),
  timezone text,
  stage text not null constraint contacts_stage check (
    stage in ('LEAD', 'HOT_LEAD', 'NURTURE', 'ACTIVE_CLIENT', 'PAST_CLIENT', 'SPHERE', 'TRASH')
  ),
  source text,
  tags text[] not null,
  notes text,
  owner_id text collate "C",
  ai_auto_response text not null constraint contacts_ai_auto_response check (ai_auto_response in ('active', 'paused')),
  -- Why the AI is paused.
  ai_paused_reason text constraint contacts_ai_paused_reason check (
    ai_paused_reason in ('note', 'message', 'opt_out', 'wrong_number', 'review', 'handoff', 'automation', 'manual')
  ),
  -- The columns that `q` searches: folded, with a space before each word. search_details holds email and phone, and is
  -- only searched for credentials that may see them.
  search_names text not null,
  search_details text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  erased_at timestamptz(3),
  primary key (workspace_id, id),
  constraint contacts_owner foreign key (workspace_id, owner_id) references members (workspace_id, id)
);
select mark_columns(
  'contacts', 'personal: erased',
  'first_name', 'last_name', 'email', 'phone', 'address', 'timezone', 'source', 'tags', 'notes', 'search_names', 'search_details'
);

create index contacts_by_stage on contacts (workspace_id, stage, id) where erased_at is null;
create index contacts_by_owner on contacts (workspace_id, owner_id, id);
create index contacts_by_source on contacts (workspace_id, source, id) where erased_at is null;
create index contacts_by_tag on contacts using gin (workspace_id, tags) where erased_at is null;
create index contacts_by_name on contacts using gin (workspace_id, search_names gin_trgm_ops);
create index contacts_by_detail on contacts using gin (workspace_id, search_details gin_trgm_ops);

-- Every phone number and email address that a contact or its leads ever had.
create table contact_points (
  workspace_id text collate "C" not null,
  contact_id text collate "C" not null,
  kind text not null constraint contact_points_kind check (kind in ('phone', 'email')),
  -- A number in E.164, or a lowercase email address.
  value text collate "C" not null,
  -- `contact`: the contact's own phone or email. `lead`: it only came with the contact's leads.
  source text not null constraint contact_points_source check (source in ('contact', 'lead')),
  since timestamptz(3) not null,
  -- Null while the contact has the point.
  former_since timestamptz(3),
  primary key (workspace_id, contact_id, kind, value),
  constraint contact_points_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id)
);
select mark_columns('contact_points', 'personal: erased', 'value');

create index contact_points_by_value on contact_points (workspace_id, kind, value, contact_id);

select make_tenant_table('contacts');
grant select, insert, update on contacts to gable_app;

-- Row-level security by member. Writes are not checked, because a record may be given to a member out of reach.
create policy reach on contacts as restrictive to gable_member
  using (owner_id = any ((select members_in_reach())::text[])) with check (true);

select make_tenant_table('contact_points');
-- A scalar subquery instead of EXISTS, for which the planner may hash all contacts within reach in every statement.
create policy reach on contact_points as restrictive to gable_member using (
  (select true from contacts c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = contact_id)
) with check (true);

-- Timelines of contacts. A member with limited reach sees no events that are on no timeline.
create policy reach on events as restrictive to gable_member using (
  (select true from contacts c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = timeline_id)
  or (select true from event_timelines t
    where t.workspace_id = current_setting('gable.workspace_id', true) and t.event_id = events.id limit 1)
) with check (true);
create policy reach on event_timelines as restrictive to gable_member using (
  (select true from contacts c where c.workspace_id = current_setting('gable.workspace_id', true) and c.id = timeline_id)
) with check (true);

grant select, insert, update (source, former_since), delete on contact_points to gable_app;

-- LIKE and @> are not leakproof, so under row-level security the planner uses no index for them: 60 ms instead of 1 ms.
-- Searches therefore run in functions such as search_contacts below. Each function checks workspace and reach against
-- the settings itself, is owned by a role whose policy allows every row, and plans each query with its actual values.
-- gable_app reaches those rows only through these functions.

-- The LIKE pattern for a term. One or two letters, alone or before punctuation, contain no trigram. At the start of a
-- word they do, because the word boundary is part of a trigram, so they match only there. Every term has a letter or
-- digit.
create function like_pattern(term text) returns text
language sql
immutable
set search_path = pg_catalog
return case when term ~ '[[:alnum:]]{3}|[^[:alnum:]][[:alnum:]]|[[:alnum:]]{2}[^[:alnum:]]' then '%' else '% ' end
  || replace(replace(replace(term, '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- Whether the arguments match the transaction's workspace and reach.
create function may_search(workspace text, reach text) returns boolean
language sql
stable
set search_path = pg_catalog
return workspace <> '' and workspace = current_setting('gable.workspace_id', true)
  and reach = coalesce(nullif(current_setting('gable.reach', true), ''), 'all');

-- Builds conditions: columns_equal compares columns with values; owned_within limits the owner to a comma-separated
-- list of members, or adds no condition for `all`.
create function columns_equal(equal json) returns text
language sql
immutable
set search_path = pg_catalog
return (select coalesce(string_agg(format(' and %I = %L', key, value), ''), '') from json_each_text(equal));

create function owned_within(reach text) returns text
language sql
immutable
set search_path = pg_catalog
return case when reach = 'all' then '' else format(' and owner_id = any (%L::text[])', string_to_array(reach, ',')) end;

-- The newest matching rows of a table. `candidates` is the condition for rows in scope, `wanted` the condition for
-- matches.
create function newest_matches(
  -- A null of the table's type.
  of_table anyelement,
  candidates text,
  wanted text,
  -- Whether matches are rare if the newest rows have few: the planner cannot estimate how common words are.
  is_rare boolean,
  before_id text,
  max_rows integer
) returns setof anyelement
language plpgsql
stable
set search_path = pg_catalog, public
as $$
declare
  newest constant integer := 2000;
  returned integer;
  last_seen text;
begin
  if before_id is not null then candidates := candidates || format(' and id < %L', before_id); end if;
  -- Common matches fill the page from the newest rows, which the inner limit reads by primary key.
  return query execute format(
    'select * from (select * from %s where %s order by id desc limit %s) recent where %s order by id desc limit %s',
    pg_typeof(of_table), candidates, newest, wanted, max_rows
  );
  get diagnostics returned = row_count;
  if returned = max_rows then return; end if;
  execute format('select id from %s where %s order by id desc offset %s limit 1', pg_typeof(of_table), candidates, newest - 1)
    into last_seen;
  if last_seen is null then return; end if;
  -- For rare matches, an index finds all of them fastest, and offset 0 keeps the order from affecting the plan.
  return query execute format(
    'select * from (select * from %s where %s and id < %L and %s %s) rest order by id desc limit %s',
    pg_typeof(of_table), candidates, last_seen, wanted, case when is_rare then 'offset 0' else '' end, max_rows - returned
  );
end
$$;

-- Restricted, because it executes its arguments as SQL.
revoke execute on function newest_matches from public;
grant execute on function newest_matches to gable_search;

create policy search on contacts for select to gable_search using (true);
grant select on contacts to gable_search;

create function search_contacts(
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
  if wanted_tag is not null then wanted := wanted || format(' and tags @> array[%L]', wanted_tag); end if;
  foreach term in array terms loop
    wanted := wanted || case when include_details
      then format(' and (search_names like %1$L or search_details like %1$L)', like_pattern(term))
      else format(' and search_names like %L', like_pattern(term)) end;
  end loop;
  return query select * from newest_matches(null::contacts, candidates, wanted, true, before_id, max_rows);
end
$$;

grant create on schema public to gable_search;
alter function search_contacts owner to gable_search;
revoke create on schema public from gable_search;
revoke execute on function search_contacts from public;
grant execute on function search_contacts to gable_app;
