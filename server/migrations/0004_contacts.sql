create table contacts (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  first_name text,
  last_name text,
  email text,
  phone text,
  stage text not null constraint contacts_stage check (
    stage in ('LEAD', 'HOT_LEAD', 'NURTURE', 'ACTIVE_CLIENT', 'PAST_CLIENT', 'SPHERE', 'TRASH')
  ),
  source text,
  tags text[] not null,
  notes text,
  owner_id text collate "C",
  ai_auto_response text not null constraint contacts_ai_auto_response check (ai_auto_response in ('active', 'paused')),
  -- What q looks in, folded, a space before each word: names for everybody, e-mail and phone for those who may see them.
  search_names text not null,
  search_details text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  erased_at timestamptz(3),
  primary key (workspace_id, id),
  constraint contacts_owner foreign key (workspace_id, owner_id) references members (workspace_id, id)
);

create index contacts_by_stage on contacts (workspace_id, stage, id) where erased_at is null;
create index contacts_by_owner on contacts (workspace_id, owner_id, id);
create index contacts_by_source on contacts (workspace_id, source, id) where erased_at is null;
create index contacts_by_tag on contacts using gin (workspace_id, tags) where erased_at is null;
create index contacts_by_name on contacts using gin (workspace_id, search_names gin_trgm_ops);
create index contacts_by_detail on contacts using gin (workspace_id, search_details gin_trgm_ops);

alter table contacts enable row level security;
alter table contacts force row level security;
create policy tenant on contacts using (workspace_id = current_setting('gable.workspace_id', true));
grant select, insert, update on contacts to gable_app;

-- Under row-level security LIKE and @> are not leakproof, so the planner may not use an index for them before the
-- tenant's rule has been applied: 60 ms instead of one. This function reads the tenant itself, belongs to a role
-- whose rule is "every row" and plans each query with its own values. The server's role can reach that only here.
create policy search on contacts for select to gable_search using (true);
grant select on contacts to gable_search;

create function search_contacts(
  terms text[],
  include_details boolean,
  wanted_stage text,
  wanted_source text,
  wanted_tag text,
  wanted_owner text,
  before_id text,
  max_rows integer
) returns setof contacts
language plpgsql
stable
security definer
set search_path = pg_catalog, public
as $$
declare
  workspace text := current_setting('gable.workspace_id', true);
  newest constant integer := 2000;
  candidates text := format('workspace_id = %L and erased_at is null', workspace);
  wanted text := 'true';
  term text;
  pattern text;
  answered integer;
  last_seen text;
begin
  if workspace is null or workspace = '' then
    return;
  end if;
  if before_id is not null then candidates := candidates || format(' and id < %L', before_id); end if;
  if wanted_stage is not null then wanted := wanted || format(' and stage = %L', wanted_stage); end if;
  if wanted_source is not null then wanted := wanted || format(' and source = %L', wanted_source); end if;
  if wanted_tag is not null then wanted := wanted || format(' and tags @> array[%L]', wanted_tag); end if;
  if wanted_owner is not null then wanted := wanted || format(' and owner_id = %L', wanted_owner); end if;

  foreach term in array terms loop
    -- One or two letters have no trigram inside a word but one at its beginning, so that is where they are looked for.
    pattern := case when length(term) < 3 then '% ' else '%' end
      || replace(replace(replace(term, '\', '\\'), '%', '\%'), '_', '\_') || '%';
    wanted := wanted || case when include_details
      then format(' and (search_names like %1$L or search_details like %1$L)', pattern)
      else format(' and search_names like %L', pattern) end;
  end loop;

  -- How common a word is, the planner cannot know well, so it is found out: what is common fills the page from among
  -- the newest, which the inner limit keeps on the primary key.
  return query execute format(
    'select * from (select * from contacts where %s order by id desc limit %s) recent where %s order by id desc limit %s',
    candidates, newest, wanted, max_rows
  );
  get diagnostics answered = row_count;
  if answered = max_rows then
    return;
  end if;
  execute format('select id from contacts where %s order by id desc offset %s limit 1', candidates, newest - 1)
    into last_seen;
  if last_seen is null then
    return;
  end if;

  -- What does not is rare: an index finds all of it quickest, and offset 0 keeps the order out of the choice of plan.
  return query execute format(
    'select * from (select * from contacts where %s and id < %L and %s offset 0) rest order by id desc limit %s',
    candidates, last_seen, wanted, max_rows - answered
  );
end
$$;

grant create on schema public to gable_search;
alter function search_contacts owner to gable_search;
revoke create on schema public from gable_search;
revoke execute on function search_contacts from public;
grant execute on function search_contacts to gable_app;
