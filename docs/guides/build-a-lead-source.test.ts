import { type TestApp, type TestWorkspace, testApp, towardsLoopback } from '@gable/server/test/support/app.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { eventually } from '@gable/server/test/support/eventually.ts'
import { Gable } from 'gable'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GuidePage, guidePage, like } from '../support/guide-page.ts'
import { startReceiver } from '../support/receiver.ts'

type Json = Record<string, unknown>

const opened = new AsyncDisposableStack()
let page: GuidePage
let app: TestApp
let workspace: TestWorkspace
let key: string
let variables: Record<string, string>

beforeAll(async () => {
  page = opened.use(await guidePage('build-a-lead-source'))
  app = opened.use(
    await testApp({
      databaseUrl: await freshDatabase('lead_source'),
      now: new Date(),
      role: 'all',
      egress: towardsLoopback,
    }),
  )
  workspace = await app.workspace()
  key = (await workspace.credential('leads:write', 'webhooks:manage')).key ?? ''
  variables = { API: app.base, KEY: key }
})
afterAll(() => opened.disposeAsync())

const curl = async (part: string) => JSON.parse(await page.curl(part, variables)) as Json

test('a lead is sent, sent again, sent in a batch, and followed', async () => {
  const receiver = opened.use(await startReceiver())
  variables['ENDPOINT'] = receiver.url
  const lead = await curl('"inquiry-90417"')
  expect(lead).toEqual(like(page.shown('"routing": null')))
  expect((await curl('"inquiry-90417"'))['id']).toBe(lead['id'])
  expect(await curl('"yesterday"')).toEqual(like(page.shown('captured_at_invalid')))
  expect(await curl('/leads/batch')).toEqual(like(page.shown('"results"')))
  expect(await curl('lead.status_changed')).toMatchObject({ event_types: ['lead.status_changed'] })
  variables['LEAD'] = String(lead['id'])
  expect(await curl('?ids=')).toEqual(like(page.shown('"has_more"')))
  const agent = await workspace.credential()
  await agent.patch(`/leads/${String(lead['id'])}`, { status: 'contacted' })
  await eventually(() => receiver.received.some(({ body }) => body.includes('"to":"contacted"')))
})

test('the lead source sends, says what is rejected, and receives what becomes of its leads', async () => {
  const source = await page.load<{
    send(gable: Gable, inquiry: Json, inquiries: object): Promise<void>
    sendAll(gable: Gable, waiting: Json[], inquiries: object): Promise<void>
    receive(body: Uint8Array, headers: Json, secret: string, inquiries: object): Promise<number>
  }>('lead-source.mjs')
  const leads = new Map<string, string>()
  const inquiries = {
    sent: async (inquiry: string, lead: string) => void leads.set(inquiry, lead),
    rejected: async (inquiry: string, reason: string) => void leads.set(inquiry, reason),
    statusChanged: async (lead: string, status: string) => void leads.set(lead, status),
  }
  const receiver = opened.use(await startReceiver())
  const gable = new Gable({ apiKey: key, baseUrl: app.url })
  const { secret } = await gable.webhooks.create({ url: receiver.url, event_types: ['lead.status_changed'] })
  const agreedAt = app.clock.now()
  const inquiry = (id: string, phone: string) => ({
    id,
    name: 'Lea',
    phone,
    agreedAt,
    page: 'https://a.example',
  })
  await source.send(gable, inquiry('1', '(312) 555-0171'), inquiries)
  await source.send(gable, inquiry('2', '12'), inquiries)
  await source.sendAll(
    gable,
    [inquiry('1', '(312) 555-0171'), inquiry('3', ''), inquiry('4', '(312) 555-0174')],
    inquiries,
  )
  const [first = '', fourth = ''] = [leads.get('1'), leads.get('4')]
  expect([leads.get('2'), leads.get('3')]).toEqual([
    expect.stringMatching(/^phone: /),
    expect.stringMatching(/^phone: /),
  ])
  const { data } = await gable.leads.list({ source: 'Lakeside Portal', ids: [first, fourth] })
  expect(data.map(({ ai_outbound_allowed }) => ai_outbound_allowed)).toEqual([true, true])
  const agent = await workspace.credential()
  await agent.patch(`/leads/${first}`, { status: 'disqualified' })
  const delivery = await eventually(() => receiver.received[0] ?? false)
  expect(await source.receive(Buffer.from(delivery.body), delivery.headers, secret, inquiries)).toBe(204)
  expect(leads.get(first)).toBe('disqualified')
  expect(await source.receive(Buffer.from(delivery.body), delivery.headers, 'whsec_AAAA', inquiries)).toBe(
    401,
  )
})

test('every script and request of the guide was run', () => expect(page.notRun()).toEqual([]))
