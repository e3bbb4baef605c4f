-- Makes the benchmark's data: the same at every run. Runs in one session in which the lists of names are temporary
-- tables (place, name, folded), workspace_sizes (place, size) says who has how many contacts, and the settings
-- bench.rare and bench.elsewhere hold two last names.

set work_mem = '256MB';
set maintenance_work_mem = '512MB';
set timezone = 'UTC';
-- Spares a million look-ups of owners that are right by construction.
set session_replication_role = replica;

-- A number from 0 to 1 that depends on the row and the question alone.
create function pg_temp.chance(n bigint, question bigint) returns double precision language sql immutable
return (hashint8extended(n, question) & 2147483647) / 2147483648.0;

-- A place in a list of so many, low places more often the higher the skew.
create function pg_temp.pick(n bigint, question bigint, many bigint, skew double precision) returns integer
language sql immutable
return floor(many * power(pg_temp.chance(n, question), skew))::integer;

-- An id in Gable's format: c, eight base-36 digits of milliseconds, sixteen more.
create function pg_temp.id_at(ms bigint, seed text) returns text language sql immutable
return 'c' || (
  select string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz', (ms / power(36, place)::bigint % 36)::integer + 1, 1), '' order by place desc)
  from generate_series(0, 7) place
) || left(md5(seed), 16);

create temp table spaces as
select place, pg_temp.id_at(1700000000000 + place * 1000, 'workspace ' || place) as id, size,
  greatest(3, size / 2000) as members
from workspace_sizes;

insert into workspaces (id, name, timezone, currency, created_at, updated_at)
select id, 'Realty ' || place, 'America/Chicago', 'USD', '2023-11-15', '2023-11-15' from spaces;

create temp table people as
select spaces.place, number, spaces.id as workspace_id,
  pg_temp.id_at(1710000000000 + spaces.place * 100000 + number, 'member ' || spaces.place || ' ' || number) as id
from spaces, generate_series(0, members - 1) number;

insert into members (workspace_id, id, name, email, role, active, created_at, updated_at)
select workspace_id, id, 'Agent ' || number, 'agent' || number || '@example.com',
  case number when 0 then 'owner' else 'agent' end, true, '2024-03-10', '2024-03-10'
from people;

-- Two years of contacts, evenly in time, the workspaces interleaved as they are where many work at once.
create temp table arrivals as
select row_number() over (order by hashint8extended(place * 10000000::bigint + k, 1)) as n, place
from spaces, generate_series(1, size) k;

insert into contacts (workspace_id, id, first_name, last_name, email, phone, phone_e164, stage, source, tags, notes, owner_id,
  ai_auto_response, search_names, search_details, search_tags, read_by, created_at, updated_at, erased_at)
select spaces.id, pg_temp.id_at(ms, 'contact ' || n), first.name, last.name, email, phone, phone,
  (array['LEAD', 'NURTURE', 'HOT_LEAD', 'SPHERE', 'PAST_CLIENT', 'ACTIVE_CLIENT', 'TRASH'])
    [1 + pg_temp.pick(n, 10, 7, 2)],
  source.name,
  made.tags,
  case when pg_temp.chance(n, 15) < 0.3
    then 'Looks for ' || 2 + pg_temp.pick(n, 16, 4, 1) || ' bedrooms near the park, budget about '
      || 200 + pg_temp.pick(n, 17, 900, 2) || ' thousand; prefers calls in the evening.' end,
  people.id, case when pg_temp.chance(n, 18) < 0.1 then 'paused' else 'active' end,
  ' ' || first.folded || ' ' || last.folded, ' ' || translate(email, '.-', '') || ' ' || substr(phone, 2), made.tags, 1,
  at, at, null
from arrivals
join spaces using (place)
join first_names first on first.place = pg_temp.pick(n, 1, (select count(*) from first_names), 1.7)
join last_names common on common.place = pg_temp.pick(n, 2, (select count(*) from last_names), 1.5)
join last_names second on second.place = pg_temp.pick(n, 3, (select count(*) from last_names), 1)
join sources source on source.place = pg_temp.pick(n, 4, (select count(*) from sources), 1.5)
join tag_names tag on tag.place = pg_temp.pick(n, 5, (select count(*) from tag_names), 1.5)
join area_codes area on area.place = pg_temp.pick(n, 6, (select count(*) from area_codes), 1)
left join people on people.place = arrivals.place and people.number = pg_temp.pick(n, 7, (members * 1.14)::bigint, 1)
cross join lateral (
  select case
      when pg_temp.chance(n, 20) < 0.00005 then current_setting('bench.rare')
      when pg_temp.chance(n, 20) < 0.01 and arrivals.place > 0 then current_setting('bench.elsewhere')
      when pg_temp.chance(n, 20) < 0.06 then common.name || '-' || second.name
      else common.name end as name,
    case
      when pg_temp.chance(n, 20) < 0.00005 then lower(current_setting('bench.rare'))
      when pg_temp.chance(n, 20) < 0.01 and arrivals.place > 0 then lower(current_setting('bench.elsewhere'))
      when pg_temp.chance(n, 20) < 0.06
        then common.folded || second.folded || ' ' || common.folded || ' ' || second.folded
      else common.folded end as folded
) last
cross join lateral (
  select (1730000000000 + n * (63072000000 / (select count(*) from arrivals)))::bigint as ms,
    first.folded || '.' || replace(last.folded, ' ', '-') || pg_temp.pick(n, 8, 1000, 1)
      || (array['@example.com', '@example.org', '@example.net', '@mail.example'])[1 + pg_temp.pick(n, 9, 4, 1.5)] as email,
    array_remove(array[
      case when pg_temp.chance(n, 11) < 0.35 then 'buyer' end,
      case when pg_temp.chance(n, 12) < 0.2 then 'seller' end,
      case when pg_temp.chance(n, 13) < 0.3 then tag.name end,
      case when pg_temp.chance(n, 14) < 0.0003 then 'probate' end
    ], null) as tags,
    '+1' || area.name || '55501' || lpad(pg_temp.pick(n, 19, 100, 1)::text, 2, '0') as phone
) made
cross join lateral (select to_timestamp(ms / 1000.0) as at) moment
order by n;

insert into contact_points (workspace_id, contact_id, kind, value, source, since)
select workspace_id, contacts.id, kind, value, 'contact', created_at
from contacts cross join lateral (values ('phone', phone), ('email', lower(email))) point (kind, value)
where value is not null order by created_at;

-- As creating each would have written it.
insert into events (workspace_id, id, name, subject_type, subject_id, timeline_id, actor, data, occurred_at)
select workspace_id, left(id, 9) || left(md5('event ' || id), 16), 'contact.created', 'contact', id, id,
  jsonb_build_object('type', 'api_key', 'id', workspace_id, 'name', 'Import'),
  jsonb_build_object('id', id, 'stage', stage, 'owner_id', owner_id, 'contact', jsonb_build_object(
    'first_name', first_name, 'last_name', last_name, 'email', left(email, 1) || '***@' || split_part(email, '@', 2),
    'phone', '+1******' || right(phone, 4), 'source', source, 'tags', tags)),
  created_at
from contacts order by created_at;
