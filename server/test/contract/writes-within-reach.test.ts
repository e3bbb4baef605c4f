import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { newId } from '#kernel/ids.ts'
import { fixtures } from '#test/support/all-fixtures.ts'
import { endpoints } from '../../src/api.ts'
import { scopesOf } from '../../src/modules/access/public.ts'
import { recordTables } from '../architecture/reach.ts'
import type { Client, Response } from '../support/client.ts'
import { asOwner, fingerprint, fingerprintBefore } from '../support/database.ts'
import { idOf, newPhone } from '../support/fixtures.ts'
import { readyToSend } from '../support/ready-to-send.ts'
import type { Schema } from './hostile-values.ts'
import { placesIn, put } from './places.ts'
import { bodyFor, kindsOf, parametersOf, pathTo, pathToNew, plain, prefixOf, takesId } from './requests.ts'
import { type Seat, type Seats, type Who, everyone, mayUse, takeSeats, visible } from './seats.ts'
import { distinguishable } from './tenants.ts'

/** Those who see only a part of the records. Everyone else has all of them within reach, or no scope for any. */
const limited: readonly Who[] = ['agent', 'team lead', 'key of an agent', 'key of its own']
const limitedAt = (endpoint: Endpoint) => limited.filter((who) => mayUse(who, endpoint))

const scopes: ReadonlySet<string> = scopesOf('agent')
const open = endpoints.filter(({ scope }) => scopes.has(scope))
const writes = open.filter(({ method }) => method !== 'GET')
const routeOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** The nouns that have owners, by the path of a record: `'/saved-searches/{id}'`, `saved_search`. */
const owned = new Map(
  Object.keys(fixtures.owners).map((prefix) => [
    prefix,
    (prefix.split('/')[1] ?? '').replaceAll('-', '_').replace(/(?<=ch)es$|s$/, ''),
  ]),
)
const hasReach = (noun: string) => noun === 'member' || [...owned.values()].includes(noun)

let seats: Seats
/** Sees all records, but no numbers and addresses. */
let masked: Client
/** A colleague, and a record of theirs of each noun. Requests must not change them, so all tests share them. */
const theirs = new Map<string, string>()

let people = 0
const newEmail = () => `person-${people++}@lind.example`

beforeAll(async () => {
  seats = await takeSeats()
  await readyToSend(seats.workspace)
  masked = await seats.workspace.credential(...[...scopes].filter((scope) => scope !== 'contacts:read:pii'))
  const { other } = seats.of('agent').members
  theirs.set('member', other ?? '')
  for (const [prefix, noun] of owned) {
    const get = endpoints.find(({ method, path }) => method === 'GET' && path === prefix)
    if (get === undefined) throw new Error(`Nothing reads ${prefix}.`)
    const id = (await pathToNew(get, seats.system)).split('/').at(-1) ?? ''
    await fixtures.owners[prefix]?.(id, other)
    theirs.set(noun, id)
  }
}, 60_000)
afterAll(() => seats.app[Symbol.asyncDispose]())

/** A response without what differs between any two requests: their IDs, numbers and addresses. */
function comparable(response: Response) {
  const { headers, ...error } = distinguishable(response)
  const varying = new Set(['content-length', 'etag', 'location'])
  const text = JSON.stringify([error, response.status < 400 ? response.body : {}])
    .replaceAll(/\bc[a-z0-9]{24}\b/g, 'id')
    .replaceAll(/\+1(312555|\*{6})\d{4}/g, 'number')
    .replaceAll(/person-\d+@/g, 'person@')
  return [headers.filter(([name]) => !varying.has(name)), text]
}

/** Sends a request that names a record of a colleague's and one that names nothing. Both must get the same response. */
async function expectAlike(send: (id: string) => Promise<Response>, noun: string, what: string) {
  const one = await send(theirs.get(noun) ?? '')
  const other = await send(newId(seats.app.clock.now()))
  expect(comparable(one), what).toEqual(comparable(other))
  return one
}

const placesOf = (accepts: (schema: Schema, name: string) => boolean) =>
  writes.flatMap(kindsOf).flatMap((endpoint) =>
    placesIn(plain(endpoint.body ?? {}), accepts).map(({ path: place, schema }) => ({
      endpoint,
      place,
      noun: schema['x-references'] ?? '',
      route: [routeOf(endpoint), endpoint.kind].join(' ').trim(),
      name: place.join('.'),
    })),
  )

/** The valid body without the records that it names, unless it must name one: then the caller. */
function bodyOf(endpoint: Endpoint, { members }: Seat): Record<string, unknown> | undefined {
  if (endpoint.body === undefined) return undefined
  const { properties = {}, required = [] } = plain(endpoint.body)
  const kept = Object.entries(bodyFor(endpoint) ?? {}).flatMap(([name, value]): [string, unknown][] => {
    const member = properties[name] ?? {}
    const names = placesIn(member, (one) => 'x-references' in one).length > 0
    if (!names || name === 'signers') return [[name, value]]
    return required.includes(name) ? [[name, 'x-references' in member ? members.own : value]] : []
  })
  return Object.fromEntries(kept)
}

/** The path of a new record of the caller's. */
async function ownPath(endpoint: Endpoint, { members, client }: Seat): Promise<string> {
  const path = await pathToNew(endpoint, seats.system)
  const [, noun = '', id = ''] = path.split('/')
  if (client === seats.of('key of its own').client && ['contacts', 'leads'].includes(noun))
    await asOwner(seats.app.databaseUrl, `update ${noun} set created_by = $2 where id = $1`, [
      id,
      client.keyId,
    ])
  await fixtures.owners[prefixOf(endpoint.path)]?.(id, members.own)
  if (endpoint.path.startsWith('/listings/{'))
    await asOwner(seats.app.databaseUrl, 'update listings set list_agent_id = $2 where id = $1', [
      id,
      members.own,
    ])
  return path
}

/** Those who may not change a record of the colleague's. */
const outside = (endpoint: Endpoint) =>
  everyone.filter((who) => visible[who].length < 4 || !mayUse(who, endpoint))

describe.each(writes.filter(({ path }) => owned.has(prefixOf(path))))('$method $path', (endpoint) => {
  test('changes nothing if the record is out of reach, and responds as to an unknown ID', async () => {
    seats.app.clock.advance(60_000)
    const before = await fingerprintBefore(seats.app.databaseUrl)
    for (const who of outside(endpoint)) {
      const here = seats.of(who)
      const { status } = await expectAlike(
        (id) => here.client.request(endpoint.method, pathTo(endpoint, id), { body: bodyOf(endpoint, here) }),
        owned.get(prefixOf(endpoint.path)) ?? '',
        who,
      )
      expect(status, who).toBe(mayUse(who, endpoint) ? 404 : 403)
    }
    expect(await fingerprint(seats.app.databaseUrl)).toEqual(before)
  })
})

test.each(placesOf((schema) => hasReach(schema['x-references'] ?? '')))(
  '$route changes nothing if $name is out of reach, and responds as to an unknown ID',
  async ({ endpoint, place, noun }) => {
    seats.app.clock.advance(60_000)
    const [field = ''] = place
    const alternatives = fixtures.alternatives[routeOf(endpoint)] ?? []
    const excluded = alternatives.includes(field) ? alternatives : []
    for (const who of limitedAt(endpoint)) {
      const here = seats.of(who)
      const kept = Object.entries(bodyOf(endpoint, here) ?? {}).filter(([name]) => !excluded.includes(name))
      const path = await ownPath(endpoint, here)
      const before = await fingerprintBefore(seats.app.databaseUrl)
      const { status, body } = await expectAlike(
        (id) =>
          here.client.request(endpoint.method, path, {
            body: put(plain(endpoint.body ?? {}), Object.fromEntries(kept), place, id),
          }),
        noun,
        who,
      )
      // A batch has an error for each row.
      const [row] = body['results'] ?? []
      const { code, details } = row?.error ?? body['error'] ?? {}
      const expected = row === undefined ? [404, place.join('.')] : [200, place.at(-1)]
      expect([status, details?.[0]?.path, code], who).toEqual([...expected, 'not_found'])
      expect(await fingerprint(seats.app.databaseUrl), who).toEqual(before)
    }
  },
)

const filters = open
  .filter(({ method }) => method === 'GET')
  .flatMap((endpoint) =>
    parametersOf(endpoint)
      .map(([name, schema]) => ({ name, noun: schema['x-references'] ?? name.replace(/_id$/, '') }))
      .filter(({ noun }) => hasReach(noun))
      .map((filter) => ({ endpoint, ...filter })),
  )

test.each(filters)(
  'GET $endpoint.path?$name= of a record out of reach responds as to an unknown ID',
  async ({ endpoint, name, noun }) => {
    seats.app.clock.advance(60_000)
    const path = takesId(endpoint) ? await pathToNew(endpoint, seats.system) : endpoint.path
    for (const who of limitedAt(endpoint))
      await expectAlike((id) => seats.of(who).client.get(`${path}?${name}=${id}`), noun, who)
  },
)

/** Where a number or address of a colleague's client adds to what the colleague has, each with the reason. */
const addedTo: Record<string, { reason: string; tables: readonly string[] }> = {
  'POST /contacts': { reason: 'The holder’s timeline shows that there is a double.', tables: ['events'] },
  'POST /calls': { reason: 'A call to a number belongs to its holder.', tables: ['calls', 'events'] },
  'POST /messages': {
    reason: 'A message to a number or address belongs to its holder.',
    tables: ['conversations', 'events', 'messages'],
  },
  'POST /leads': {
    reason: 'A lead belongs to the contact with its number or address, no matter who captures it.',
    tables: ['contact_points', 'contacts', 'events', 'leads'],
  },
}

for (const { path, batches } of endpoints)
  if (batches !== undefined)
    addedTo[`POST ${path}`] = addedTo[`POST ${batches.path}`] ?? { reason: '', tables: [] }

/** The workspace's rows that name a record of the colleague's, by table. */
async function rowsOfTheirs(): Promise<Record<string, string>> {
  const ids = [...theirs].filter(([noun]) => noun !== 'member').map(([, id]) => `%${id}%`)
  const selects = recordTables.map(
    (table) =>
      `select '${table}' as name, string_agg(t::text, ' ' order by t::text) as rows from ${table} t
       where workspace_id = $2 and t::text like any ($1)`,
  )
  const found = await asOwner<{ name: string; rows: string }>(
    seats.app.databaseUrl,
    selects.join(' union all '),
    [ids, seats.workspace.id],
  )
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]))
}

/** Sends the request with this number or address. Returns all that the caller then sees: the record and its events. */
async function sendTo(
  here: Seat,
  { endpoint, place }: { endpoint: Endpoint; place: string[] },
  address: string,
): Promise<{ status: number; seen: unknown[] }> {
  // Appointments at the same time would be conflicts.
  await asOwner(seats.app.databaseUrl, "update appointments set status = 'cancelled' where host_id = $1", [
    here.members.own,
  ])
  await fixtures.reset[routeOf(endpoint)]?.('')
  const events = async () =>
    (await here.client.get('/events?limit=200')).body['data'] as { id: string; event: string }[]
  const path = await ownPath(endpoint, here)
  const known = new Set((await events()).map(({ id }) => id))
  const body = bodyOf(endpoint, here) ?? {}
  // Whose turn it is would decide whether the caller gets the lead.
  const own = {
    phone: newPhone(),
    email: newEmail(),
    ...(endpoint.path === '/leads' && { skip_routing: true }),
  }
  for (const [name, value] of Object.entries(own))
    if (name in body || name === 'skip_routing') body[name] = value
  const sent = put(plain(endpoint.body ?? {}), body, place, address) as { items?: object[] }
  if (endpoint.path === '/leads/batch')
    sent.items = sent.items?.map((item) => ({ ...item, skip_routing: true })) ?? []
  const response = await here.client.request(endpoint.method, path, { body: sent })
  const made =
    response.status === 201 ? [await here.client.get(`${path}/${String(response.body['id'])}`)] : []
  const follow = (await events()).filter(({ id }) => !known.has(id))
  return {
    status: response.status,
    seen: [...[response, ...made].map(comparable), follow.map(({ event }) => event)],
  }
}

const addresses = placesOf(({ type }, name) => type === 'string' && ['phone', 'email', 'to'].includes(name))

test.each(addresses)(
  '$route with a $name of a colleague’s client responds as to one of no one’s',
  async ({ endpoint, place }) => {
    seats.app.clock.advance(60_000)
    const isEmail = place.at(-1) === 'email' || endpoint.kind === 'email'
    for (const who of [...limitedAt(endpoint), 'masked'] as const) {
      const here = who === 'masked' ? { ...seats.of('agent'), client: masked } : seats.of(who)
      const client = { phone: newPhone(), email: newEmail() }
      const draft = { ...client, owner_id: here.members.other }
      theirs.set('contact', idOf(await seats.system.post('/contacts', draft)))
      const before = await rowsOfTheirs()
      const one = await sendTo(here, { endpoint, place }, isEmail ? client.email : client.phone)
      const other = await sendTo(here, { endpoint, place }, isEmail ? newEmail() : newPhone())
      expect([200, 201, 422], who).toContain(one.status)
      expect(one, who).toEqual(other)
      const after = await rowsOfTheirs()
      const mayChange = addedTo[routeOf(endpoint)]?.tables ?? []
      const changed = recordTables.filter((table) => after[table] !== before[table])
      expect(
        changed.filter((table) => !mayChange.includes(table)),
        who,
      ).toEqual([])
    }
  },
)
