-- The workspace's own listings.

create table listings (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  mls_number text collate "C",
  source_system text,
  status text not null constraint listings_status check (
    status in (
      'active', 'active_under_contract', 'canceled', 'closed', 'coming_soon', 'expired', 'hold', 'incomplete', 'pending',
      'withdrawn'
    )
  ),
  property_type text constraint listings_property_type check (
    property_type in (
      'residential', 'residential_lease', 'residential_income', 'land', 'farm', 'manufactured_in_park', 'commercial_sale',
      'commercial_lease', 'business_opportunity'
    )
  ),
  property_sub_type text,
  list_price numeric(15, 2),
  -- For filters: unlike numeric comparisons, bigint comparisons are leakproof and can use an index.
  list_price_cents bigint generated always as ((list_price * 100)::bigint) stored,
  original_list_price numeric(15, 2),
  close_price numeric(15, 2),
  currency text not null,
  -- json, because jsonb reorders members.
  price_history json not null,
  street_number text,
  street_name text,
  unit_number text,
  city text collate "C",
  state text,
  postal_code text collate "C",
  latitude double precision,
  longitude double precision,
  bedrooms integer,
  bathrooms_total double precision,
  living_area double precision,
  lot_size_acres double precision,
  year_built integer,
  garage_spaces double precision,
  public_remarks text,
  -- At least one of the two, because only the workspace's own listings belong here.
  list_agent_id text collate "C",
  list_office_id text collate "C",
  listed_on date,
  closed_on date,
  expires_on date,
  photos json not null,
  virtual_tour_url text,
  open_houses json not null,
  seller_contact_id text collate "C",
  -- What the content scan found in the remarks, and who acknowledged it.
  fair_housing json not null,
  created_by json not null,
  -- Street, unit, and ZIP, folded. Null if they do not identify a property.
  address_key text collate "C",
  -- The text that `q` searches: folded, with a space before each word.
  search_text text not null,
  -- When it first came on the market, when it last came back, and when it last did either or became cheaper.
  listed_at timestamptz(3),
  relisted_at timestamptz(3),
  news_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (workspace_id, id),
  constraint listings_own check (list_agent_id is not null or list_office_id is not null),
  constraint listings_list_agent foreign key (workspace_id, list_agent_id) references members (workspace_id, id),
  constraint listings_list_office foreign key (workspace_id, list_office_id) references offices (workspace_id, id),
  constraint listings_seller_contact foreign key (workspace_id, seller_contact_id) references contacts (workspace_id, id)
);
create unique index listings_mls_number on listings (workspace_id, mls_number)
where mls_number is not null and deleted_at is null;
create index listings_by_address on listings (workspace_id, address_key, id)
where address_key is not null and deleted_at is null;
create index listings_by_status on listings (workspace_id, status, id) where deleted_at is null;
create index listings_by_property_type on listings (workspace_id, property_type, id) where deleted_at is null;
create index listings_by_city on listings (workspace_id, city, id) where deleted_at is null;
create index listings_by_postal_code on listings (workspace_id, postal_code, id) where deleted_at is null;
create index listings_by_price on listings (workspace_id, list_price_cents, id) where deleted_at is null;
create index listings_by_status_and_price on listings (workspace_id, status, list_price_cents, id) where deleted_at is null;
create index listings_by_bedrooms on listings (workspace_id, bedrooms, id) where deleted_at is null;
create index listings_by_list_agent on listings (workspace_id, list_agent_id, id);
create index listings_by_list_office on listings (workspace_id, list_office_id, id) where list_office_id is not null;
create index listings_by_seller_contact on listings (workspace_id, seller_contact_id, id)
where seller_contact_id is not null;
create index listings_in_review on listings (workspace_id, id) where fair_housing ->> 'status' = 'review' and deleted_at is null;
create index listings_by_news on listings (workspace_id, news_at) where news_at is not null and deleted_at is null;
create index listings_by_text on listings using gin (workspace_id, search_text gin_trgm_ops) where deleted_at is null;

select make_tenant_table('listings');
grant select, insert, update on listings to gable_app;
select mark_columns(
  'listings', 'personal: kept, the address and description of a property, which are published',
  'street_number', 'street_name', 'unit_number', 'city', 'state', 'postal_code', 'latitude', 'longitude', 'public_remarks',
  'address_key', 'search_text', 'photos', 'virtual_tour_url'
);
select mark_columns('listings', 'personal: kept, names members of the workspace', 'fair_housing', 'created_by');
select mark_columns(
  'listings', 'not personal',
  'mls_number', 'source_system', 'property_sub_type', 'list_price', 'original_list_price', 'close_price', 'currency',
  'price_history', 'bathrooms_total', 'living_area', 'lot_size_acres', 'garage_spaces', 'listed_on', 'closed_on',
  'expires_on', 'open_houses'
);

-- Every member can read all listings. Members with limited reach can change only those within it.
create policy reach on listings as restrictive for update to gable_member
  using (list_agent_id = any ((select members_in_reach())::text[])) with check (true);

-- Open houses of listings by time, for calendars.
create table listing_open_houses (
  workspace_id text collate "C" not null,
  listing_id text collate "C" not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  primary key (workspace_id, listing_id, starts_at),
  constraint listing_open_houses_listing foreign key (workspace_id, listing_id) references listings (workspace_id, id)
);
create index listing_open_houses_by_start on listing_open_houses (workspace_id, starts_at, listing_id);
select make_tenant_table('listing_open_houses');
grant select, insert, delete on listing_open_houses to gable_app;

-- A function for the same reasons as search_contacts. Also for prices: the plan for a high price differs from that for
-- a low one.
create policy search on listings for select to gable_search using (true);
grant select on listings to gable_search;

create function search_listings(
  workspace text,
  -- Every member can read all listings; may_search only compares this with the setting.
  reach text,
  terms text[],
  equal json,
  min_cents bigint,
  max_cents bigint,
  min_bedrooms integer,
  before_id text,
  max_rows integer
) returns setof listings
language plpgsql
stable
security definer
set search_path = pg_catalog, public
as $$
declare
  candidates text := format('workspace_id = %L and deleted_at is null', workspace) || columns_equal(equal);
  is_rare boolean := cardinality(terms) > 0 or (min_cents is not null and max_cents is not null);
  wanted text := 'true';
  term text;
begin
  if may_search(workspace, reach) is not true then return; end if;
  if min_cents is not null then wanted := wanted || format(' and list_price_cents >= %s', min_cents); end if;
  if max_cents is not null then wanted := wanted || format(' and list_price_cents <= %s', max_cents); end if;
  if min_bedrooms is not null then wanted := wanted || format(' and bedrooms >= %s', min_bedrooms); end if;
  foreach term in array terms loop
    wanted := wanted || format(' and search_text like %L', like_pattern(term));
  end loop;
  return query select * from newest_matches(null::listings, candidates, wanted, is_rare, before_id, max_rows);
end
$$;

grant create on schema public to gable_search;
alter function search_listings owner to gable_search;
revoke create on schema public from gable_search;
revoke execute on function search_listings from public;
grant execute on function search_listings to gable_app;
