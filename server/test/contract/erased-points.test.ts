import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner, freshDatabase } from '../support/database.ts'
import { readyToSend } from '../support/ready-to-send.ts'
import { type Texting, startTexting } from '../support/texting.ts'
import type { Schema } from './hostile-values.ts'
import { type Mark, markedMembers } from './marks.ts'
import { type Place, placesIn, put } from './places.ts'
import { pathsOf } from './rejections.ts'
import { bodyFor, kindsOf, plain, readyAgain } from './requests.ts'

/** Whose a number or address is when Ada is erased: what names it is gone or stays. */
const relations = {
  'her own': 'gone',
  'one that she had': 'gone',
  'one that a lead of hers has': 'gone',
  'one that she had and that is now a neighbor’s': 'stays',
  'one that she had and that is now a neighbor’s, who wrote nothing': 'stays',
  'a neighbor’s': 'stays',
} as const
type Relation = keyof typeof relations
const all = Object.keys(relations) as Relation[]
/** With these, people write to each other once they have them. */
const written = all.filter((relation) => !relation.endsWith('nothing'))

const points = Object.fromEntries(
  Object.keys(relations).map((relation, n) => [
    relation,
    { phone: `+13125557${n}${n}1`, email: `marker${n}${n}@reyes.example` },
  ]),
) as Record<Relation, Mark>
const needlesOf = (relation: Relation) => [points[relation].phone.slice(-7), points[relation].email]

let app: TestApp
let texting: Texting
const places: Record<'before' | 'after', Record<Relation, string[]>> = { before: {}, after: {} } as never

/** Columns that a contact's number or address may be in: text of any form, in every table. */
async function placesOf(relation: Relation): Promise<string[]> {
  const columns = await asOwner<{ part: string }>(
    app.databaseUrl,
    `select format('select %L as place, count(*)::text as rows from %I t where lower(%I::text) like any ($1) having count(*) > 0',
       relname || '.' || attname, relname, attname) as part
     from pg_class c join pg_attribute a on attrelid = c.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and relkind = 'r' and atttypid::regtype::text in ('text', 'text[]', 'json', 'jsonb')`,
  )
  const rows = await asOwner<{ place: string; rows: string }>(
    app.databaseUrl,
    columns.map(({ part }) => part).join(' union all '),
    [needlesOf(relation).map((needle) => `%${needle}%`)],
  )
  return rows.map(({ place, rows: count }) => `${place} ${count}`).toSorted()
}

/** Ada and a neighbor, with all their numbers and addresses. */
async function meet(): Promise<Record<'ada' | 'neighbor', string>> {
  const { agent } = texting
  const lead = async (point: Mark) => {
    const consent = {
      captured_at: '2026-01-02T15:00:00Z',
      source_url: 'https://reyes.example',
      form_snapshot: point,
    }
    const draft = { ...point, source: 'Website', skip_routing: true, consent, context: point }
    return (await agent.post('/leads', draft)).body['contact_id'] as string
  }
  const ada = await lead(points['one that she had'])
  const passed = all.filter((relation) => relation.includes('is now'))
  for (const relation of [...passed, 'her own'] as const) {
    await agent.patch(`/contacts/${ada}`, { ...points[relation] })
    expect(await lead(points[relation])).toBe(ada)
  }
  for (const kind of ['phone', 'email'] as const)
    expect(await lead({ ...points['one that a lead of hers has'], [kind]: points['her own'][kind] })).toBe(
      ada,
    )
  const neighbor = await lead(points['a neighbor’s'])
  for (const relation of passed) await agent.post('/contacts', points[relation])
  return { ada, neighbor }
}

const isPoint = ({ type }: Schema, name: string) =>
  type === 'string' && ['phone', 'email', 'to'].includes(name)
const isContact = (schema: Schema) => schema['x-references'] === 'contact'

/** Requests that write what is about a person: they name a contact, a number or an address. */
const writes = endpoints
  .filter(
    ({ method, path }) => method === 'POST' && (!path.includes('{') || path.startsWith('/contacts/{id}/')),
  )
  // They make people, hold texts of the workspace, or change nothing.
  .filter(
    ({ path }) =>
      !/^\/(contacts|leads|members|invitations|listings|campaigns|personas)$|batch|preview|test|preflight/.test(
        path,
      ),
  )
  .flatMap(kindsOf)
  .map((endpoint) => ({
    endpoint,
    pointPlaces: placesIn(plain(endpoint.body ?? {}), isPoint),
    contactPlaces: placesIn(plain(endpoint.body ?? {}), isContact),
  }))

type Write = (typeof writes)[number]

/**
 * Writes to the point, or about its contact, with the point in every free text. A message or a call that is blocked is
 * recorded, too.
 */
async function write({ endpoint, ...sites }: Write, mark: Mark, contactId: string, by: 'point' | 'contact') {
  const schema = plain(endpoint.body ?? {})
  const path = endpoint.path.replace('{id}', contactId)
  const named = by === 'point' ? sites.pointPlaces : sites.contactPlaces
  if (named.length === 0 && path === endpoint.path) return
  const valueAt = (place: Place) => {
    if (by === 'contact') return contactId
    return place.path.at(-1) === 'email' || endpoint.kind === 'email' ? mark.email : mark.phone
  }
  const formal = new Set(['contact_id', 'media_urls', 'template'])
  for (;;) {
    let body: unknown = { ...bodyFor(endpoint), ...markedMembers(endpoint, mark, formal) }
    if (by === 'contact')
      for (const place of sites.pointPlaces)
        if (place.path[0] === 'to')
          body = put(schema, body, place.path, endpoint.kind === 'email' ? mark.email : mark.phone)
    for (const place of named)
      if (!formal.has(place.path[0] ?? '') || place.path[0] === 'contact_id')
        body = put(schema, body, place.path, valueAt(place))
    await readyAgain(endpoint, path)
    const response = await texting.agent.post(path, body, { 'idempotency-key': `${requests++}` })
    if (response.status < 300 || response.status === 422) return
    const rejected = pathsOf(response)
      .map((one) => one.split('.')[0] ?? '')
      .filter((one) => !formal.has(one))
    // What names a number that is no longer the contact's.
    if (rejected.length === 0 || rejected.includes('to')) return
    for (const one of rejected) formal.add(one)
  }
}
let requests = 0

beforeAll(async () => {
  app = await testApp({ databaseUrl: await freshDatabase('erased_points') })
  texting = await startTexting(app, { number: '+13125550191' })
  await readyToSend(texting.workspace)
  // What was written to and came from a number that no one had belongs to no contact.
  for (const relation of all) {
    for (const to of Object.values(points[relation]))
      await texting.agent.post('/messages', {
        ...(to.includes('@') ? { channel: 'email', subject: to } : { channel: 'sms' }),
        to,
        body: to,
      })
    await texting.text(points[relation].phone, points[relation].email)
  }
  const { ada, neighbor } = await meet()
  for (const one of writes)
    for (const relation of written)
      for (const by of ['point', 'contact'] as const) {
        app.clock.advance(60_000)
        await write(one, points[relation], relations[relation] === 'gone' ? ada : neighbor, by)
      }
  for (const relation of written) await texting.text(points[relation].phone, 'Is the place on Elm for sale?')
  for (const relation of all) places.before[relation] = await placesOf(relation)
  await texting.agent.delete(`/contacts/${ada}`)
  for (const relation of all) places.after[relation] = await placesOf(relation)
}, 120_000)
afterAll(() => app[Symbol.asyncDispose]())

/** Where a number or address may be left, with the reason. */
const kept: Record<string, string> = {
  'deals.address': 'Its street is erased; its city is not the person’s.',
}

/** What changes although the number is another person’s, with the reason. */
const changed: Record<string, string> = {
  'contact_points.value': 'That she had it is erased.',
  'leads.phone': 'Her lead with it is erased.',
  'leads.email': 'Her lead with it is erased.',
  'leads.context': 'Her lead with it is erased.',
  'lead_consents.form_snapshot': 'Her lead with it is erased.',
}
const columnOf = (place: string) => place.split(' ')[0] ?? ''

test.each(all.filter((one) => relations[one] === 'gone'))(
  'an erasure leaves nothing of a number or address: %s',
  (relation) => {
    expect(places.after[relation].filter((place) => !(columnOf(place) in kept))).toEqual([])
  },
)

test.each(all.filter((one) => relations[one] === 'stays'))(
  'an erasure leaves a number or address where it is: %s',
  (relation) => {
    const without = (some: string[]) => some.filter((place) => !(columnOf(place) in changed))
    expect(without(places.after[relation])).toEqual(without(places.before[relation]))
    if (relation === 'a neighbor’s') expect(places.after[relation]).toEqual(places.before[relation])
  },
)

/** Tables with personal columns that no request puts a number into, with the reason. */
const unreached: Record<string, string> = {
  appointment_invitations: 'They are written when an invitation leaves.',
  automation_entries: 'What a condition compared is in the tests of the entries.',
  backfill_contacts: 'It holds a keyed hash.',
  call_transcripts: 'Providers write them; see the tests of calls.',
  enrollments: 'Its context is in the tests of the engine.',
  files: 'Their names come with files.',
  generations: 'Models write them; see the tests of the AI.',
  message_attempts: 'Providers write them; see the tests of messages.',
  outbox: 'It holds a keyed hash.',
  request_batches: 'The log keeps no text of a body.',
  routing_decisions: 'They hold what a rule compared.',
  webhook_deliveries: 'It holds what receivers respond.',
  webhook_payloads: 'They are masked.',
}

test('every table that may hold a number or address has held one', async () => {
  const rows = await asOwner<{ name: string }>(
    app.databaseUrl,
    `select distinct relname as name from pg_class c join pg_attribute a on attrelid = c.oid
     where relnamespace = 'public'::regnamespace and col_description(c.oid, attnum) = 'personal: erased'`,
  )
  const reached = new Set(places.before['her own'].map((place) => place.split('.')[0]))
  const missing = rows.map(({ name }) => name).filter((name) => !reached.has(name))
  expect(missing.toSorted()).toEqual(Object.keys(unreached))
})
