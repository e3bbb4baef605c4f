-- Pipelines, their stages, and deals.

create table pipelines (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  description text,
  deal_type text constraint pipelines_deal_type check (
    deal_type in ('buyer', 'seller', 'dual', 'tenant', 'landlord', 'referral', 'other')
  ),
  is_default boolean not null,
  order_weight integer not null,
  -- Increments with each change.
  version integer not null,
  -- json, because jsonb reorders members.
  created_by json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (workspace_id, id)
);
create unique index pipelines_default on pipelines (workspace_id) where is_default;
select mark_columns('pipelines', 'not personal', 'name', 'description');
select mark_columns('pipelines', 'personal: kept, names who acted, not the contact', 'created_by');

create table pipeline_stages (
  workspace_id text collate "C" not null,
  pipeline_id text collate "C" not null,
  id text collate "C" not null,
  -- The order among the stages of the pipeline.
  position smallint not null,
  name text not null,
  color text,
  probability smallint not null,
  outcome text not null constraint pipeline_stages_outcome check (outcome in ('open', 'won', 'lost')),
  primary key (workspace_id, pipeline_id, id),
  constraint pipeline_stages_pipeline foreign key (workspace_id, pipeline_id) references pipelines (workspace_id, id)
);
create unique index pipeline_stages_by_id on pipeline_stages (workspace_id, id);
select mark_columns('pipeline_stages', 'not personal', 'name', 'color');

create table deals (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text,
  type text not null constraint deals_type check (
    type in ('buyer', 'seller', 'dual', 'tenant', 'landlord', 'referral', 'other')
  ),
  status text not null constraint deals_status check (status in ('open', 'won', 'lost', 'cancelled')),
  pipeline_id text collate "C" not null,
  stage_id text collate "C" not null,
  stage_changed_at timestamptz(3) not null,
  -- The order among the deals of its stage. Fractional indexing: between any two keys there is room for another.
  order_key text collate "C" not null,
  -- The first one is contact_id.
  contact_ids text[] collate "C" not null,
  participants json not null,
  owner_id text collate "C",
  lead_id text collate "C",
  listing_id text collate "C",
  address json,
  -- The limit, 10¹², has thirteen digits.
  list_price numeric(15, 2),
  offer_price numeric(15, 2),
  price numeric(15, 2),
  close_price numeric(15, 2),
  earnest_money_amount numeric(15, 2),
  currency text not null,
  commission json,
  -- Null for the stage's probability.
  probability smallint,
  lost_reason text,
  description text,
  listed_date date,
  offer_date date,
  mutual_acceptance_date date,
  contract_date date,
  earnest_money_due_date date,
  inspection_date date,
  due_diligence_date date,
  appraisal_date date,
  financing_contingency_date date,
  final_walkthrough_date date,
  expected_close_date date,
  close_date date,
  possession_date date,
  expiration_date date,
  -- Months since year 0. Unlike a date range, a single month can be read from an index in ID order.
  close_month integer generated always as (
    (extract(year from expected_close_date) * 12 + extract(month from expected_close_date))::integer
  ) stored,
  -- The text that `q` searches: the name, folded and masked, with a leading space.
  search_name text not null,
  created_by json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (workspace_id, id),
  constraint deals_stage foreign key (workspace_id, pipeline_id, stage_id)
    references pipeline_stages (workspace_id, pipeline_id, id),
  constraint deals_owner foreign key (workspace_id, owner_id) references members (workspace_id, id),
  constraint deals_lead foreign key (workspace_id, lead_id) references leads (workspace_id, id),
  constraint deals_listing foreign key (workspace_id, listing_id) references listings (workspace_id, id)
);
select mark_columns('deals', 'personal: erased', 'name', 'address', 'lost_reason', 'description', 'search_name');
select mark_columns('deals', 'personal: kept, names what people do in the deal', 'participants');
select mark_columns('deals', 'personal: kept, its labels name who is paid', 'commission');
select mark_columns('deals', 'personal: kept, names who acted, not the contact', 'created_by');
select mark_columns(
  'deals', 'not personal', 'order_key', 'contact_ids', 'list_price', 'offer_price', 'price', 'close_price',
  'earnest_money_amount', 'currency', 'listed_date', 'offer_date', 'mutual_acceptance_date', 'contract_date',
  'earnest_money_due_date', 'inspection_date', 'due_diligence_date', 'appraisal_date', 'financing_contingency_date',
  'final_walkthrough_date', 'expected_close_date', 'close_date', 'possession_date', 'expiration_date'
);

create index deals_by_pipeline on deals (workspace_id, pipeline_id, id) where deleted_at is null;
create index deals_by_stage on deals (workspace_id, stage_id, id) where deleted_at is null;
create index deals_by_status on deals (workspace_id, status, id) where deleted_at is null;
create index deals_by_owner on deals (workspace_id, owner_id, id) where deleted_at is null;
create index deals_by_type on deals (workspace_id, type, id) where deleted_at is null;
create index deals_by_close_month on deals (workspace_id, close_month, id) include (expected_close_date) where deleted_at is null;
create index deals_by_owner_month on deals (workspace_id, owner_id, close_month, id) where deleted_at is null;
create index deals_by_listing on deals (workspace_id, listing_id, id) where listing_id is not null;
create index deals_by_lead on deals (workspace_id, lead_id) where lead_id is not null;
create index deals_by_name on deals using gin (workspace_id, search_name gin_trgm_ops);
-- The board. Deleted and cancelled deals keep their positions.
create index deals_in_order on deals (workspace_id, stage_id, order_key, id);
create index deals_by_owner_in_order on deals (workspace_id, owner_id, stage_id, order_key, id);

-- The contacts of a deal, from contact_ids and the participants. A table, because under row-level security no index can
-- find a contact in an array.
create table deal_contacts (
  workspace_id text collate "C" not null,
  contact_id text collate "C" not null,
  deal_id text collate "C" not null,
  -- Whether it is one of contact_ids.
  is_party boolean not null,
  primary key (workspace_id, contact_id, deal_id),
  constraint deal_contacts_contact foreign key (workspace_id, contact_id) references contacts (workspace_id, id),
  constraint deal_contacts_deal foreign key (workspace_id, deal_id) references deals (workspace_id, id)
);
create index deal_contacts_by_deal on deal_contacts (workspace_id, deal_id);

-- Deal dates by day, for calendars.
create table deal_dates (
  workspace_id text collate "C" not null,
  deal_id text collate "C" not null,
  -- The deal's owner, which determines who sees it.
  owner_id text collate "C",
  -- The field of the deal, such as inspection_date.
  field text not null,
  day date not null,
  primary key (workspace_id, deal_id, field),
  constraint deal_dates_deal foreign key (workspace_id, deal_id) references deals (workspace_id, id)
);
create index deal_dates_by_day on deal_dates (workspace_id, day, deal_id, field);
create index deal_dates_by_owner on deal_dates (workspace_id, owner_id, day, deal_id, field) where owner_id is not null;
select mark_columns('deal_dates', 'not personal', 'field', 'day');

select make_tenant_table('pipelines');
select make_tenant_table('pipeline_stages');
select make_tenant_table('deals');
select make_tenant_table('deal_contacts');
select make_tenant_table('deal_dates');

create policy reach on deals as restrictive to gable_member
  using (owner_id = any ((select members_in_reach())::text[])) with check (true);
create policy reach on deal_contacts as restrictive to gable_member using (
  (select true from deals d where d.workspace_id = current_setting('gable.workspace_id', true) and d.id = deal_id)
) with check (true);
create policy reach on deal_dates as restrictive to gable_member
  using (owner_id = any ((select members_in_reach())::text[])) with check (true);

grant select, insert, update on pipelines, deals to gable_app;
grant select, insert, update, delete on pipeline_stages to gable_app;
grant select, insert, update (is_party), delete on deal_contacts to gable_app;
grant select, insert, delete on deal_dates to gable_app;

-- A function for the same reasons as search_contacts.
create policy search on deals for select to gable_search using (true);
create policy search on deal_contacts for select to gable_search using (true);
grant select on deals, deal_contacts to gable_search;

create function search_deals(
  workspace text,
  reach text,
  terms text[],
  equal json,
  wanted_contact text,
  close_from date,
  close_to date,
  before_id text,
  max_rows integer
) returns setof deals
language plpgsql
stable
security definer
set search_path = pg_catalog, public
as $$
declare
  candidates text := format('workspace_id = %L and deleted_at is null', workspace) || owned_within(reach) || columns_equal(equal);
  wanted text := 'true';
  term text;
begin
  if may_search(workspace, reach) is not true then return; end if;
  if wanted_contact is not null then
    wanted := wanted || format(
      ' and id = any (array(select deal_id from deal_contacts where workspace_id = %L and contact_id = %L and is_party))',
      workspace, wanted_contact
    );
  end if;
  if close_from is not null then wanted := wanted || format(' and expected_close_date >= %L', close_from); end if;
  if close_to is not null then wanted := wanted || format(' and expected_close_date <= %L', close_to); end if;
  foreach term in array terms loop
    wanted := wanted || format(' and search_name like %L', like_pattern(term));
  end loop;
  return query select * from newest_matches(null::deals, candidates, wanted, true, before_id, max_rows);
end
$$;

grant create on schema public to gable_search;
alter function search_deals owner to gable_search;
revoke create on schema public from gable_search;
revoke execute on function search_deals from public;
grant execute on function search_deals to gable_app;
