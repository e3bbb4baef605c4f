import { connected } from '../databases.ts'
import { progress } from '../progress.ts'
import type { Brokerage } from './scene.ts'

/** Number of deals on the board of the last pipeline. */
export const boardDeals = 10_000

/** Ids sort in the order of their numbers. */
export const recordId = (kind: 'd' | 'l' | 'a' | 't' | 'c', n: number) =>
  `c0000000${kind}${String(n).padStart(16, '0')}`

const idOf = (kind: string, n: string) => `'c0000000${kind}' || lpad((${n})::text, 16, '0')`
const nth = (list: string, by: string) => `(${list})[1 + (${by}) % cardinality(${list})]`
/** Numbers without a pattern that are the same in each run. */
const mixed = (n: string, salt: number) => `(hashint4(${n} + ${salt}) & 2147483647)`

/**
 * Fills the workspace with `count` each of deals, listings, appointments, and tasks. Most deals are closed and old,
 * most appointments and tasks are over, and 10,000 deals are on the board of one pipeline. A hundredth of each
 * belongs to the first member.
 */
export async function fillRecords(url: string, brokerage: Brokerage, count: number): Promise<void> {
  await connected(url, async (client) => {
    // Load in bulk: rows are not checked against other tables one by one.
    await client.query("set session_replication_role = 'replica'")
    const { workspaceId, memberIds } = brokerage
    await client.query(deals, [workspaceId, memberIds, count])
    progress(`${count} deals`)
    for (const [name, text] of Object.entries(loads)) {
      await client.query(text, [workspaceId, memberIds, count])
      progress(`${count} ${name}`)
    }
    for (const table of tables) await client.query(`vacuum (analyze) ${table}`)
  })
  progress('vacuumed')
}

const tables = [
  'deals',
  'deal_contacts',
  'deal_dates',
  'listings',
  'listing_open_houses',
  'appointments',
  'appointment_persons',
  'tasks',
]

/** One of 20,000 contacts, of whom only ids exist. */
const contact = idOf('c', `${mixed('n', 1)} % 20000`)
const by = `'{"type":"system","id":null}'`
const moment = "timestamptz '2026-11-20 15:00:00Z'"

/**
 * The first 10,000 are on the board of the last pipeline. All others are in the first pipeline, and one in twenty of
 * those is open.
 */
const deals = `
    with stages as materialized (
      select p.place, array_agg(s.pipeline_id order by s.position) as pipelines, array_agg(s.id order by s.position) as ids,
        array_agg(s.outcome order by s.position) as outcomes, count(*)::integer as count
      from (select id, row_number() over (order by order_weight) as place from pipelines where workspace_id = $1) p
      join pipeline_stages s on s.workspace_id = $1 and s.pipeline_id = p.id
      group by p.place)
    insert into deals (workspace_id, id, name, type, status, pipeline_id, stage_id, stage_changed_at, order_key, contact_ids,
      participants, owner_id, price, currency, expected_close_date, search_name, created_by, created_at, updated_at)
    select $1, ${idOf('d', 'n')}, 'Client ' || n, case when n % 3 = 0 then 'seller' else 'buyer' end,
      outcomes[stage], pipelines[stage], ids[stage],
      ${moment} - n * interval '1 minute', 'a0' || lpad(n::text, 7, '0') || 'V', array[${contact}], '[]',
      ${nth('$2::text[]', mixed('n', 2))}, 100000 + n % 900000, 'USD',
      (${moment} + ((n % 4000) - 3900) * interval '1 day')::date, ' client ' || n, ${by}, ${moment}, ${moment}
    from generate_series(1, $3::integer) n
    join stages on stages.place = case when n <= ${boardDeals} then 3 else 1 end,
      lateral (select 1 + case when n <= ${boardDeals} then n % count
        when n % 20 = 0 then n / 20 % (count - 2) else count - 2 + n % 2 end as stage) placed`

const loads = {
  'contacts of deals': `
    insert into deal_contacts (workspace_id, contact_id, deal_id, is_party)
    select $1, ${contact}, ${idOf('d', 'n')}, true
    from generate_series(1, $3::integer) n where cardinality($2::text[]) > 0`,
  'dates of deals': `
    insert into deal_dates (workspace_id, deal_id, owner_id, field, day)
    select $1, id, owner_id, field, expected_close_date - ago
    from deals, (values ('expected_close_date', 0), ('inspection_date', 20), ('contract_date', 30)) as dated (field, ago)
    where workspace_id = $1 and cardinality($2::text[]) > 0 and $3::integer > 0`,
  listings: `
    insert into listings (workspace_id, id, mls_number, status, property_type, list_price, original_list_price, currency,
      price_history, street_number, street_name, city, state, postal_code, bedrooms, list_agent_id, photos, open_houses,
      fair_housing, created_by, search_text, created_at, updated_at)
    select $1, ${idOf('l', 'n')}, 'MLS' || n,
      case when n % 50 = 0 then 'active' when n % 1000 = 1 then 'coming_soon' else 'closed' end,
      case when n % 100 = 0 then 'land' else 'residential' end, 50000 + ${mixed('n', 3)} % 950000, 50000, 'USD', '[]',
      n::text, 'Elm Street', 'City ' || (${mixed('n', 4)} % 200), 'IL', lpad((60000 + ${mixed('n', 4)} % 200)::text, 5, '0'),
      1 + ${mixed('n', 5)} % 6, ${nth('$2::text[]', mixed('n', 2))}, '[]', '[]', '{}', ${by},
      ' ' || n || ' elm street mls' || n, ${moment}, ${moment}
    from generate_series(1, $3::integer) n`,
  appointments: `
    insert into appointments (workspace_id, id, title, type, status, outcome, contact_id, attendees, host_id, starts_at,
      ends_at, timezone, invite, sequence, reschedule_count, created_by, created_at, updated_at)
    select $1, ${idOf('a', 'n')}, 'Showing ' || n, case when n % 20 = 0 then 'closing' else 'showing' end,
      case when n % 50 = 0 then 'scheduled' else 'completed' end, case when n % 50 = 0 then null else 'showed' end,
      ${contact}, '[]', ${nth('$2::text[]', mixed('n', 2))},
      ${moment} - (n / 300.0) * interval '1 day', ${moment} - (n / 300.0) * interval '1 day' + interval '45 minutes',
      'America/Chicago', false, 0, 0, ${by}, ${moment}, ${moment}
    from generate_series(1, $3::integer) n`,
  'persons of appointments': `
    insert into appointment_persons (workspace_id, person, appointment_id)
    select $1, ${contact}, ${idOf('a', 'n')}
    from generate_series(1, $3::integer) n where cardinality($2::text[]) > 0`,
  tasks: `
    insert into tasks (workspace_id, id, title, type, status, priority, due_at, assignee_id, contact_id, created_by, created_at,
      updated_at)
    select $1, ${idOf('t', 'n')}, 'Call client ' || n, case when n % 5 = 0 then 'email' else 'call' end,
      case when n % 50 = 0 then 'open' else 'completed' end, 'normal', ${moment} - (n / 300.0) * interval '1 day',
      ${nth('$2::text[]', mixed('n', 2))}, ${contact}, ${by}, ${moment}, ${moment}
    from generate_series(1, $3::integer) n`,
}
