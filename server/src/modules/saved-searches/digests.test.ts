import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { type Emailing, startEmailing } from '#test/support/emailing.ts'
import { idOf } from '#test/support/fixtures.ts'
import { unsubscribeToken } from '../messages/email/tokens.ts'
import { beginSends } from '../messages/outbox/begin-sends.ts'
import { settleSends } from '../messages/outbox/settle-sends.ts'
import type { SendOutcome } from '../messages/ports.ts'
import { listSenders } from '../senders/public.ts'
import { queueDigests } from './jobs.ts'
import { sendDigest } from './send-digest.ts'

let app: TestApp
let emailing: Emailing
let senderId: string
let agentId: string
let ctx: Ctx
let places = 0
let city: string

beforeAll(async () => {
  app = await testApp()
  emailing = await startEmailing(app)
  ctx = emailing.workspace.ctx
  senderId = found((await listSenders(ctx.db))[0]).id
  agentId = (await emailing.workspace.member('Hana Ito')).id
})
afterAll(() => app[Symbol.asyncDispose]())
// What one test lists is nothing to the searches of another.
beforeEach(() => {
  city = `City ${++places}`
})

const post = (path: string, body: object) => emailing.agent.post(path, body)
const patch = async (path: string, body: object) => (await emailing.agent.patch(path, body)).body

interface Saved {
  id: string
  contactId: string
  email: string
}

async function save(more: object = {}): Promise<Saved> {
  const email = `ada-${places}-${Math.random().toString(36).slice(2)}@reyes.example`
  const contactId = idOf(await post('/contacts', { first_name: 'Ada', email, owner_id: agentId }))
  const search = { contact_id: contactId, name: `Homes in ${city}`, criteria: { cities: [city] }, ...more }
  return { id: idOf(await post('/saved-searches', search)), contactId, email }
}

async function list(more: object = {}): Promise<string> {
  app.clock.advance(1000)
  return idOf(
    await post('/listings', { list_agent_id: agentId, list_price: 500_000, city, status: 'active', ...more }),
  )
}
const searchOf = async ({ id }: Saved) => (await emailing.agent.get(`/saved-searches/${id}`)).body

/** Half past eight of the next morning in New York. */
function nextMorning(days = 1): void {
  const now = Temporal.Instant.fromEpochMilliseconds(app.clock.now().getTime())
  const day = now.toZonedDateTimeISO('America/New_York').add({ days })
  app.clock.set(new Date(day.with({ hour: 8, minute: 31, second: 0 }).epochMilliseconds))
}

const run = ({ id }: Saved, context = ctx) => sendDigest(context, id)

interface Sent {
  id: string
  status: string
  subject: string
  body: string
  body_html: string
  source: string
  message_class: string
}
const messagesTo = ({ email }: Saved) =>
  asOwner<Sent>(
    app.databaseUrl,
    'select id, status, subject, body, body_html, source, message_class from messages where "to" = $1 order by id',
    [email],
  )

const taken: SendOutcome = { kind: 'taken', providerMessageId: null }

/** Sends what waits, with this outcome. */
async function deliver(outcome: SendOutcome = taken): Promise<void> {
  const begun = await beginSends(app.runtime, { workspaceId: emailing.workspace.id, senderId }, 100)
  const settled = begun.map(({ message, attemptId }) => ({ messageId: message.id, attemptId, outcome }))
  await settleSends(app.runtime, emailing.workspace.id, settled)
}

async function morning(saved: Saved): Promise<void> {
  nextMorning()
  await run(saved)
  await deliver()
}

const sentEvents = async ({ id }: Saved) =>
  (await emailing.events('saved_search.sent')).filter((data) => data['id'] === id)
const homesIn = ({ body }: Sent) => body.split('\n').filter((line) => line.endsWith(city)).length

test('a digest says what is new, back, and cheaper since the last one, and nothing twice', async () => {
  const before = await list({ street_number: '1', street_name: 'Old Road' })
  const back = await list({ street_number: '2', street_name: 'Elm Street', unit_number: '4' })
  await patch(`/listings/${back}`, { status: 'pending' })
  const saved = await save({ criteria: { cities: [city], price_max: 600_000 } })
  app.clock.advance(1000)
  await patch(`/listings/${back}`, { status: 'active' })
  app.clock.advance(1000)
  await patch(`/listings/${before}`, { list_price: 479_999.5, bedrooms: 3, bathrooms_total: 2.5 })
  await list({
    street_number: '48',
    street_name: 'Alder Court',
    state: 'IL',
    bedrooms: 1,
    living_area: 1840,
    virtual_tour_url: 'https://tours.example/48?a=1&b=2',
  })
  await list({ list_price: 700_000 })
  await list({ status: 'coming_soon' })
  await morning(saved)
  const [message, ...more] = await messagesTo(saved)
  expect(more).toEqual([])
  expect(message).toMatchObject({ status: 'sent', source: 'automation', message_class: 'marketing' })
  expect(message?.subject).toBe(`3 listings: Homes in ${city}`)
  expect(message?.body).toBe(`Hi Ada,

3 listings with news for your search “Homes in ${city}”:

48 Alder Court, ${city}, IL
$500,000 · 1 bed · 1,840 sq ft
New
https://tours.example/48?a=1&b=2

1 Old Road, ${city}
$479,999.50 · 3 beds · 2.5 baths
Price reduced from $500,000

2 Elm Street Unit 4, ${city}
$500,000
Back on the market

Hana Ito
Lantern & Oak`)
  expect(message?.body_html).toContain(`<strong>2 Elm Street Unit 4, ${city}</strong><br>$500,000<br>Back`)
  expect(message?.body_html).toContain('href="https://tours.example/48?a=1&amp;b=2"')
  expect(message?.body_html).toContain('Lantern &amp; Oak</p></body>')
  expect(await sentEvents(saved)).toEqual([
    {
      id: saved.id,
      contact_id: saved.contactId,
      message_id: message?.id,
      listing_count: 3,
      name: `Homes in ${city}`,
    },
  ])
  expect(await searchOf(saved)).toMatchObject({ active: true, last_sent_at: app.clock.now().toISOString() })
  await morning(saved)
  expect(await messagesTo(saved)).toHaveLength(1)
  const timeline = (await emailing.agent.get(`/contacts/${saved.contactId}/events`)).body['data']
  expect(timeline.map(({ title }: { title: string }) => title)).toContain('Listing alert sent: 3 listings')
})

test('an email shows twenty listings and counts the others, with prices in their currency', async () => {
  const saved = await save({ name: 'Chicago <b>' })
  for (let n = 0; n < 23; n++) await list({ currency: 'EUR' })
  await morning(saved)
  const message = found((await messagesTo(saved))[0])
  expect(homesIn(message)).toBe(20)
  expect(message.body).toContain('€500,000\nNew\n\nand 3 more.\n\nHana')
  expect(message.body_html).toContain('“Chicago &lt;b&gt;”')
  expect(await sentEvents(saved)).toMatchObject([{ listing_count: 23 }])
})

test('of runs at once one sends, and none again on the same day', async () => {
  const saved = await save()
  await list()
  nextMorning()
  await Promise.all(Array.from({ length: 8 }, () => run(saved)))
  expect(await messagesTo(saved)).toHaveLength(1)
  await deliver()
  const again = 'update saved_searches set next_at = created_at, unsent_since = created_at where id = $1'
  await asOwner(app.databaseUrl, again, [saved.id])
  await run(saved)
  expect(await messagesTo(saved)).toHaveLength(1)
  expect(Date.parse((await searchOf(saved))['next_at'])).toBeGreaterThan(app.clock.now().getTime())
  await asOwner(app.databaseUrl, 'update saved_searches set next_at = created_at where id = $1', [saved.id])
  await Promise.all(Array.from({ length: 8 }, () => run(saved)))
  expect(await sentEvents(saved)).toHaveLength(1)
})

test('a run that ends before its commit leaves nothing, and the next one sends', async () => {
  const saved = await save()
  await list()
  nextMorning()
  const crashing: Ctx = {
    ...ctx,
    transaction: (work) =>
      ctx.transaction(async (tx) => {
        await work(tx)
        await tx.flush()
        throw new Error('crash')
      }),
  }
  const before = await searchOf(saved)
  await expect(run(saved, crashing)).rejects.toThrow('crash')
  expect([await messagesTo(saved), await searchOf(saved)]).toEqual([[], before])
  await run(saved)
  expect(await messagesTo(saved)).toHaveLength(1)
})

test('what a gate forbids pauses the search with the reason, and a resumed one has what was missed', async () => {
  const saved = await save()
  await list()
  const { id: suppression } = (await post('/suppressions', { kind: 'manual', email: saved.email })).body
  await morning(saved)
  expect(await messagesTo(saved)).toMatchObject([{ status: 'blocked' }])
  const paused = { active: false, paused_reason: 'suppressed_manual', next_at: null, last_sent_at: null }
  expect(await searchOf(saved)).toMatchObject(paused)
  const changes = (await emailing.events('saved_search.updated')).filter((data) => data['id'] === saved.id)
  expect(changes).toMatchObject([
    {
      changes: [
        { field: 'active', to: false },
        { field: 'paused_reason', to: 'suppressed_manual' },
      ],
    },
  ])
  await list()
  await morning(saved)
  expect(await messagesTo(saved)).toHaveLength(1)
  await post(`/suppressions/${suppression}/lift`, { reason: 'They asked for it.' })
  expect(await patch(`/saved-searches/${saved.id}`, { active: true })).toMatchObject({ paused_reason: null })
  await morning(saved)
  const [, sent] = await messagesTo(saved)
  expect(homesIn(found(sent))).toBe(2)
  expect(await sentEvents(saved)).toHaveLength(1)
})

test('a suppression between the queue and the sending pauses the search too', async () => {
  const saved = await save()
  await list()
  nextMorning()
  await run(saved)
  expect(await messagesTo(saved)).toMatchObject([{ status: 'queued' }])
  await post('/suppressions', { kind: 'manual', email: saved.email })
  await deliver()
  expect(await searchOf(saved)).toMatchObject({ active: false, paused_reason: 'suppressed_manual' })
  expect(await sentEvents(saved)).toEqual([])
})

test('who unsubscribes by the link of a digest gets no other', async () => {
  const saved = await save()
  await list()
  await morning(saved)
  const [message] = await messagesTo(saved)
  const wish = { workspaceId: ctx.workspaceId, messageId: found(message).id, address: saved.email }
  const { status } = await fetch(`${app.url}/unsubscribe/${unsubscribeToken(ctx.keys, wish)}`, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(status).toBe(200)
  await list()
  await morning(saved)
  expect(await searchOf(saved)).toMatchObject({ active: false, paused_reason: 'opted_out' })
  expect((await messagesTo(saved)).map((one) => one.status)).toEqual(['sent', 'blocked'])
})

test('what could not be delivered is in the next digest, and one on its way has no second beside it', async () => {
  const saved = await save()
  await list()
  nextMorning()
  await run(saved)
  await deliver({ kind: 'rejected', failure: { code: 'rejected', carrierCode: null, message: 'No.' } })
  expect(await messagesTo(saved)).toMatchObject([{ status: 'failed' }])
  expect(await searchOf(saved)).toMatchObject({ active: true, last_sent_at: null })
  nextMorning()
  await run(saved)
  await list()
  nextMorning()
  await run(saved)
  expect((await messagesTo(saved)).map(homesIn)).toEqual([1, 1])
  await deliver()
  await morning(saved)
  expect((await messagesTo(saved)).map(homesIn)).toEqual([1, 1, 1])
  expect(await sentEvents(saved)).toHaveLength(2)
})

test.for([
  ['pausing', (id: string) => patch(`/saved-searches/${id}`, { active: false })],
  ['deleting', (id: string) => emailing.agent.delete(`/saved-searches/${id}`)],
] as const)('%s a search cancels the digest that waits', async ([, act]) => {
  const saved = await save()
  await list()
  nextMorning()
  await run(saved)
  await act(saved.id)
  await deliver()
  expect(await messagesTo(saved)).toMatchObject([{ status: 'cancelled' }])
  expect(await sentEvents(saved)).toEqual([])
})

test('a paused search, and one whose contact has no email, send nothing', async () => {
  const saved = await save({ active: false })
  const mute = await save()
  await list()
  await patch(`/contacts/${mute.contactId}`, { email: null, phone: '+13125550142' })
  await morning(saved)
  await run(mute)
  expect([await messagesTo(saved), await messagesTo(mute)]).toEqual([[], []])
  expect(await searchOf(saved)).toMatchObject({ active: false, paused_reason: null })
  expect(await searchOf(mute)).toMatchObject({ active: false, paused_reason: 'email_missing' })
})

test('a digest that is late waits for the morning', async () => {
  const saved = await save()
  await list()
  nextMorning()
  app.clock.advance(16 * 3_600_000)
  await run(saved)
  expect(await messagesTo(saved)).toEqual([])
  await morning(saved)
  expect(await messagesTo(saved)).toMatchObject([{ status: 'sent' }])
})

test('what was listed minutes ago is in the next digest', async () => {
  const saved = await save()
  nextMorning()
  app.clock.advance(-5 * 60_000)
  await list()
  nextMorning(0)
  await run(saved)
  expect(await messagesTo(saved)).toEqual([])
  await morning(saved)
  expect(await messagesTo(saved)).toHaveLength(1)
})

test('a resent digest counts as sent', async () => {
  const saved = await save()
  await list()
  nextMorning()
  await run(saved)
  await deliver({ kind: 'rejected', failure: { code: 'rejected', carrierCode: null, message: 'No.' } })
  const [failed] = await messagesTo(saved)
  const again = idOf(await post(`/messages/${failed?.id}/resend`, {}))
  await deliver()
  expect(await sentEvents(saved)).toMatchObject([{ message_id: again }])
})

test('an erasure leaves nothing of the searches, and cancels what waits', async () => {
  const saved = await save({ name: 'Ada and Bo' })
  await list()
  await morning(saved)
  await list()
  nextMorning()
  await run(saved)
  await emailing.agent.delete(`/contacts/${saved.contactId}`)
  await deliver()
  const left = await asOwner(
    app.databaseUrl,
    `select id from saved_searches where contact_id = $1
     union all select search_id from saved_search_digests where search_id = $2`,
    [saved.contactId, saved.id],
  )
  expect(left).toEqual([])
  const messages = await asOwner(
    app.databaseUrl,
    'select status, subject, body from messages where contact_id = $1 order by id',
    [saved.contactId],
  )
  expect(messages).toEqual(['sent', 'cancelled'].map((status) => ({ status, subject: null, body: null })))
  expect(await sentEvents(saved)).toEqual([expect.not.objectContaining({ name: expect.anything() })])
  const journal = await asOwner(app.databaseUrl, 'select data::text from events where subject_id = $1', [
    saved.id,
  ])
  expect(JSON.stringify(journal)).not.toContain('Ada and Bo')
  await run(saved)
})

test('a worker queues what is due, and nothing else', async () => {
  const due = await save()
  const paused = await save({ active: false })
  nextMorning()
  const later = await save()
  await queueDigests.handle(app.runtime)
  await queueDigests.handle(app.runtime)
  const jobs = await asOwner<{ key: string }>(
    app.databaseUrl,
    "select key from graphile_worker.jobs where task_identifier = 'send-listing-digest'",
  )
  const queued = [due, paused, later].map(({ id }) => jobs.filter(({ key }) => key.endsWith(id)).length)
  expect(queued).toEqual([1, 0, 0])
})
