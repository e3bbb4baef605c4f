import { afterAll, beforeAll, beforeEach } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { batches } from '../../src/modules/backfills/batches.ts'
import { changeComplianceSettings } from '../../src/modules/compliance/public.ts'
import { createEngine } from '../../src/modules/enrollments/public.ts'
import { createSender } from '../../src/modules/senders/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Response } from '../support/client.ts'
import { asOwner } from '../support/database.ts'
import { idOf } from '../support/fixtures.ts'
import { type Texting, startTexting } from '../support/texting.ts'
import { forgetDue, runDue } from './engine.ts'

export let app: TestApp
export let texting: Texting

const minute = 60_000

/** A workspace that sends texts, with an engine that moves when a test says so. Each test begins on a Monday, 10 am in Chicago. */
export function openCampaigns(): void {
  const now = '2026-03-02T16:00:00.000Z'
  beforeAll(async () => {
    app = await testApp({ role: 'api', now })
  })
  afterAll(() => app[Symbol.asyncDispose]())
  beforeEach(async () => {
    app.clock.set(now)
    await forgetDue(app)
    texting = await startTexting(app)
  })
}

const audience = { field: 'contact.source', operator: 'eq', value: 'Website' }
export const draft = {
  name: 'Open house',
  channel: 'SMS',
  audience,
  template: { body: 'Hi {{contact.first_name|there}}, the open house is on Saturday.' },
}

export const create = async (more: object = {}) =>
  idOf(await texting.agent.post('/campaigns', { ...draft, ...more }))
export const act = (id: string, verb: string, body?: object) =>
  texting.agent.post(`/campaigns/${id}/${verb}`, body)
export const getCampaign = async (id: string) => (await texting.agent.get(`/campaigns/${id}`)).body
export const summarize = async (id: string) => (await act(id, 'summary')).body['compliance_summary']
export const rejected = async (response: Promise<Response>) => {
  const { status, body } = await response
  return [status, body['error']?.code]
}

/** Contacts with consent, each with a number of their own. */
export async function leads(count: number): Promise<{ id: string; phone: string }[]> {
  const all: { id: string; phone: string }[] = []
  for (let n = 0; n < count; n++) {
    const phone = `+1312555${String(1000 + n).padStart(4, '0')}`
    all.push({ id: await texting.lead(phone), phone })
  }
  return all
}

export async function started(more: object = {}): Promise<string> {
  const id = await create(more)
  await summarize(id)
  const { status, body } = await act(id, 'start')
  if (status !== 200) throw new Error(JSON.stringify(body))
  return id
}

/** Lets time pass in minutes; what is due is sent if `sends`. */
export async function pass(minutes: number, sends = true): Promise<string[]> {
  const times: string[] = []
  for (let n = 0; n < minutes; n++) {
    app.clock.advance(minute)
    await runDue(app)
    if (sends) for (const _ of await sendAll()) times.push(app.clock.now().toISOString().slice(11, 16))
  }
  return times
}

export async function sendAll() {
  const begun = await texting.begin()
  for (const { attemptId } of begun) await texting.taken(attemptId)
  await runDue(app)
  return begun
}

export const messagesOf = (id: string) =>
  asOwner<{ status: string; to: string; source: string; body: string }>(
    app.databaseUrl,
    'select status, "to", source, body from messages where campaign_id = $1 order by id',
    [id],
  )

/** Lets the workspace send emails, too. */
export async function sendingEmails(): Promise<void> {
  const { ctx } = texting.workspace
  const registration = { domain_authenticated: true }
  await createSender(ctx, { kind: 'email', address: 'office@gable.example', registration })
  await changeComplianceSettings(ctx, { postal_address: '48 Alder Court, Chicago, IL 60614' })
}

/** Of the enrollments in a campaign, in the order of their ids. */
export const statusesOf = async (id: string) =>
  (
    await asOwner<{ status: string; reason: string | null }>(
      app.databaseUrl,
      'select status, reason from enrollments where automation_id = $1 order by id',
      [id],
    )
  ).map(({ status, reason }) => [status, reason].filter(Boolean).join(' '))

/** The enrollment of a contact in a campaign. */
export const enrollmentOf = async (contactId: string): Promise<string> =>
  (await texting.agent.get(`/contacts/${contactId}/enrollments`)).body['data'][0].id

/** Lets all contacts of a campaign enter, and no message be written. They are due in an order that is not that of their ids. */
export async function entered(id: string, count: number): Promise<void> {
  const queue = app.runtime.database.across('gable_engine')
  const engine = createEngine(app.runtime, queue, newId(app.clock.now()), batches, { move: async () => {} })
  for (let n = 0; n < 200 && (await statusesOf(id)).length < count; n++) {
    app.clock.advance(400)
    await engine.tick()
  }
  await queue[Symbol.asyncDispose]()
  await asOwner(app.databaseUrl, 'delete from automation_inbox where workspace_id = $1', [
    texting.workspace.id,
  ])
  await asOwner(
    app.databaseUrl,
    `update enrollments e set due_at = e.created_at - place * interval '1 second'
     from (select id, row_number() over (order by md5(id)) as place from enrollments where automation_id = $1) placed
     where e.id = placed.id`,
    [id],
  )
  await asOwner(app.databaseUrl, 'update automation_lanes set next_at = $2 where workspace_id = $1', [
    texting.workspace.id,
    app.clock.now(),
  ])
}
