import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { type Emailing, startEmailing } from '#test/support/emailing.ts'
import { idOf } from '#test/support/fixtures.ts'
import { beginSends } from '../../src/modules/messages/outbox/begin-sends.ts'
import { settleSends } from '../../src/modules/messages/outbox/settle-sends.ts'
import type { SendOutcome } from '../../src/modules/messages/ports.ts'
import { sendDigest } from '../../src/modules/saved-searches/send-digest.ts'
import { listSenders } from '../../src/modules/senders/public.ts'

/** The application of a file of tests, and a workspace in it that can send emails. */
export let app: TestApp
export let emailing: Emailing
let senderId: string
let agentId: string
export let ctx: Ctx
let places = 0
/** Another one for each test: what one lists is nothing to the searches of another. */
export let city: string

/** Opens it before the tests of the file that calls it. */
export function openDigests(): void {
  beforeAll(async () => {
    app = await testApp()
    emailing = await startEmailing(app)
    ctx = emailing.workspace.ctx
    senderId = orNotFound((await listSenders(ctx.db))[0]).id
    agentId = (await emailing.workspace.member('Hana Ito')).id
  })
  afterAll(() => app[Symbol.asyncDispose]())
  beforeEach(() => {
    city = `City ${++places}`
  })
}

export const post = (path: string, body: object) => emailing.agent.post(path, body)
export const patch = async (path: string, body: object) => (await emailing.agent.patch(path, body)).body

interface Saved {
  id: string
  contactId: string
  email: string
}

export async function save(more: object = {}): Promise<Saved> {
  const email = `ada-${places}-${Math.random().toString(36).slice(2)}@reyes.example`
  const contactId = idOf(await post('/contacts', { first_name: 'Ada', email, owner_id: agentId }))
  const search = { contact_id: contactId, name: `Homes in ${city}`, criteria: { cities: [city] }, ...more }
  return { id: idOf(await post('/saved-searches', search)), contactId, email }
}

export async function list(more: object = {}): Promise<string> {
  app.clock.advance(1000)
  return idOf(
    await post('/listings', { list_agent_id: agentId, list_price: 500_000, city, status: 'active', ...more }),
  )
}
export const searchOf = async ({ id }: Saved) => (await emailing.agent.get(`/saved-searches/${id}`)).body

/** Half past eight of the next morning in New York. */
export function nextMorning(days = 1): void {
  const now = Temporal.Instant.fromEpochMilliseconds(app.clock.now().getTime())
  const day = now.toZonedDateTimeISO('America/New_York').add({ days })
  app.clock.set(new Date(day.with({ hour: 8, minute: 31, second: 0 }).epochMilliseconds))
}

export const run = ({ id }: Saved, context = ctx) => sendDigest(context, id)

interface Sent {
  id: string
  status: string
  subject: string
  body: string
  body_html: string
  source: string
  message_class: string
}
export const messagesTo = ({ email }: Saved) =>
  asOwner<Sent>(
    app.databaseUrl,
    'select id, status, subject, body, body_html, source, message_class from messages where "to" = $1 order by id',
    [email],
  )

const taken: SendOutcome = { kind: 'taken', providerMessageId: null }

/** Sends what waits, with this outcome. */
export async function deliver(outcome: SendOutcome = taken): Promise<void> {
  const begun = await beginSends(app.runtime, { workspaceId: emailing.workspace.id, senderId }, 100)
  const settled = begun.map(({ message, attemptId }) => ({ messageId: message.id, attemptId, outcome }))
  await settleSends(app.runtime, emailing.workspace.id, settled)
}

export async function morning(saved: Saved): Promise<void> {
  nextMorning()
  await run(saved)
  await deliver()
}

export const sentEvents = async ({ id }: Saved) =>
  (await emailing.events('saved_search.sent')).filter((data) => data['id'] === id)
export const homesIn = ({ body }: Sent) => body.split('\n').filter((line) => line.endsWith(city)).length
