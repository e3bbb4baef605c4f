import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { newId } from '#kernel/ids.ts'
import { fixtures } from '#test/support/all-fixtures.ts'
import { endpoints } from '../../src/api.ts'
import { scopesOf } from '../../src/modules/access/public.ts'
import type { Response } from '../support/client.ts'
import { asOwner } from '../support/database.ts'
import { bodyFor, pathTo, pathToNew, takesId } from './requests.ts'
import {
  type Seats,
  type Seat,
  type Who,
  type Whose,
  everyone,
  mayUse,
  roleOf,
  takeSeats,
  visible,
} from './seats.ts'
import { distinguishable } from './tenants.ts'

let seats: Seats

beforeAll(async () => void (seats = await takeSeats()), 60_000)
afterAll(() => seats.app[Symbol.asyncDispose]())

const prefixOf = ({ path }: Endpoint) => path.slice(0, path.lastIndexOf('}') + 1)
const aboutRecords = endpoints.filter(takesId)
const owned = aboutRecords.filter((endpoint) => typeof fixtures.owners[prefixOf(endpoint)] === 'function')

/** Whether a response names the member who owns the record. */
const namesOwner = ({ responses }: Endpoint) =>
  Object.values(responses).some((schema) => {
    const { properties = {} } = schema as { properties?: object }
    return 'owner_id' in properties || 'assignee_id' in properties
  })

test('each record whose response names an owner has a fixture that assigns one', () => {
  for (const endpoint of aboutRecords.filter(namesOwner))
    expect(owned.map(({ path }) => path)).toContain(endpoint.path)
})

/** What agents and ISAs change though it belongs to no member, each with the reason why they may. */
const sharedWork: Record<string, string> = {
  automations:
    'They enroll contacts within their reach. What an automation does is changed with `automations:write`.',
  backfills: 'They change a backfill whose contacts are all within their reach.',
  listings: 'Everyone reads all listings, and changes those whose listing agent is within reach.',
}

test('agents and ISAs change only records with an owner: what a workspace shares takes a scope that they lack', () => {
  const members = new Set<string>([...scopesOf('agent'), ...scopesOf('isa')])
  const nounOf = ({ path }: Endpoint) => path.split('/')[1] ?? ''
  const withOwner = new Set(Object.keys(fixtures.owners).map((path) => path.split('/')[1]))
  const shared = endpoints.filter(
    (endpoint) =>
      endpoint.method !== 'GET' && members.has(endpoint.scope) && !withOwner.has(nounOf(endpoint)),
  )
  expect([...new Set(shared.map(nounOf))].toSorted()).toEqual(Object.keys(sharedWork))
})

/** Gives the record in the path to a member or to no one. */
async function give(endpoint: Endpoint, path: string, memberId: string | null): Promise<void> {
  const at = endpoint.path.split('/').findLastIndex((segment) => segment.startsWith('{'))
  await fixtures.owners[prefixOf(endpoint)]?.(path.split('/')[at] ?? '', memberId)
}

/** Sends the endpoint's valid request. Members that it names are replaced with the caller. */
function send({ client, members }: Seat, endpoint: Endpoint, path: string): Promise<Response> {
  const body = bodyFor(endpoint)
  const named = Object.keys(body ?? {}).filter((name) =>
    ['owner_id', 'assignee_id', 'member_id'].includes(name),
  )
  const own = Object.fromEntries(named.map((name) => [name, members.own]))
  return client.request(endpoint.method, path, { body: body && { ...body, ...own } })
}

const eventsOf = (path: string) =>
  asOwner(
    seats.app.databaseUrl,
    'select id from events where workspace_id = $1 and (subject_id = $2 or timeline_id = $2) order by id',
    [seats.workspace.id, path.split('/')[2]],
  )

/**
 * For roles that see everything, only the records that are hardest to see are requested, and without the scope only
 * their own.
 */
function asked(who: Who, endpoint: Endpoint): readonly Whose[] {
  if (!mayUse(who, endpoint)) return ['own']
  return visible[who].length === 4 ? ['other', 'none'] : ['own', 'team', 'other', 'none']
}

/**
 * Sends a member's requests to records of several owners. A record is given to the next owner until a request may have
 * changed it.
 */
async function expectOutcomes(who: Who, endpoint: Endpoint): Promise<void> {
  const here = seats.of(who)
  let path: string | undefined
  let unknown: Response | undefined
  for (const whose of asked(who, endpoint)) {
    const what = `${who}, ${whose}`
    path ??= await pathToNew(endpoint, seats.system)
    await give(endpoint, path, here.members[whose])
    const mayAsk = mayUse(who, endpoint)
    if (mayAsk && visible[who].includes(whose)) {
      expect([200, 201, 202, 409], what).toContain((await send(here, endpoint, path)).status)
      if (endpoint.method !== 'GET') path = undefined
      continue
    }
    const before = await eventsOf(path)
    const response = await send(here, endpoint, path)
    if (mayAsk) {
      unknown ??= await send(here, endpoint, pathTo(endpoint, newId(seats.app.clock.now())))
      expect(distinguishable(response), what).toEqual(distinguishable(unknown))
      expect(response.status, what).toBe(404)
    } else expect([response.status, response.body['error'].code], what).toEqual([403, 'insufficient_scope'])
    expect(await eventsOf(path), what).toEqual(before)
  }
}

test.each(owned)(
  '$method $path returns 403 without the scope, 404 out of reach, and neither within reach',
  async (endpoint) => {
    seats.app.clock.advance(60_000)
    await Promise.all(everyone.map((who) => expectOutcomes(who, endpoint)))
  },
  60_000,
)

/** Lists of records, with the id of the record for which a row stands. */
const lists: [string, string, (row: { id: string; data?: { id: string } }) => string | null][] = [
  ['/contacts', '/contacts/{id}', ({ id }) => id],
  ['/contacts?q=Ada', '/contacts/{id}', ({ id }) => id],
  ['/contacts?tag=buyer', '/contacts/{id}', ({ id }) => id],
  ['/leads', '/leads/{id}', ({ id }) => id],
  ['/events?type=contact.created', '/contacts/{id}', ({ data }) => data?.['id'] ?? null],
]

const given = new Map<string, Promise<string>>()

/** The ID of a record that belongs to this member or to no one: the same one for each list. */
function givenTo(memberId: string | null, prefix: string): Promise<string> {
  const get = aboutRecords.find(({ method, path }) => method === 'GET' && path === prefix)
  if (get === undefined) throw new Error(`Nothing reads ${prefix}.`)
  const create = async () => {
    const path = await pathToNew(get, seats.system)
    await give(get, path, memberId)
    return path.split('/').at(-1) ?? ''
  }
  const key = `${prefix} ${memberId}`
  const record = given.get(key) ?? create()
  given.set(key, record)
  return record
}

describe.each(lists)('GET %s', (path, prefix, idOf) => {
  test.each(everyone)('shows a %s exactly the records in reach', async (who) => {
    seats.app.clock.advance(60_000)
    const here = seats.of(who)
    const made = new Map<string, Whose>()
    for (const whose of ['own', 'team', 'other', 'none'] as const)
      made.set(await givenTo(here.members[whose], prefix), whose)
    await asOwner(
      seats.app.databaseUrl,
      "update contacts set tags = '{buyer}', search_tags = '{buyer}' where id = any ($1)",
      [[...made.keys()]],
    )
    const { status, body } = await here.client.get(`${path}${path.includes('?') ? '&' : '?'}limit=200`)
    if (status === 403) {
      expect([who, body['error'].code]).toEqual(['developer', 'insufficient_scope'])
      return
    }
    const shown = body['data'].map(idOf) as string[]
    const seen = [...made].filter(([id]) => shown.includes(id)).map(([, whose]) => whose)
    expect(seen).toEqual(visible[who])
    if (roleOf(who) === 'agent') {
      const foreign = await asOwner<{ id: string }>(
        seats.app.databaseUrl,
        `select id from contacts where workspace_id = $1 and (owner_id is null or owner_id <> all ($2::text[]))
         union all
         select id from leads where workspace_id = $1 and (assignee_id is null or assignee_id <> all ($2::text[]))
           and not (assignee_id is null and offered_to && $2::text[] collate "C")`,
        [seats.workspace.id, visible[who].map((whose) => here.members[whose])],
      )
      expect(foreign.map(({ id }) => id).filter((id) => shown.includes(id))).toEqual([])
    }
  })
})
