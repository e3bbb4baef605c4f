import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp, towardsLoopback } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { wrongClock } from '#test/support/clock.ts'
import { freshDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'
import { idOf } from '#test/support/fixtures.ts'
import { assigneesOf, capture, crew } from '#test/support/leads.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { setRules } from '../../src/modules/routing/public.ts'

const opened = new AsyncDisposableStack()
let carrier: SimulatedCarrier
let app: TestApp
let place: TestWorkspace
let agent: Client

/** As a server is in production: its clock runs, and the simulated carrier is not in effect. */
beforeAll(async () => {
  carrier = opened.use(
    await startCarrier({ host: '127.0.0.1', port: 0, now: () => new Date(), deliveryMs: 5 }),
  )
  app = opened.use(
    await testApp({
      clock: wrongClock(0),
      role: 'all',
      databaseUrl: await freshDatabase('test_mode'),
      egress: towardsLoopback,
      simulatesProviders: false,
      simulatedCarrierUrl: carrier.origin,
    }),
  )
  place = await app.workspace({ name: 'A test', timezone: 'America/Chicago', test_mode: true })
  agent = await place.credential()
  await readyToSend(place)
})
afterAll(() => opened.disposeAsync())

const turn = async (by: { advance?: string; now?: string }) => {
  const { status, body } = await agent.post('/test-clock', by)
  expect(body).toMatchObject({ now: expect.any(String) })
  expect(status).toBe(200)
  return Date.parse(body['now'])
}
const now = async () => Date.parse((await agent.get('/test-clock')).body['now'])

/** Turns the clock to the next time at which it is this hour, in UTC. */
async function turnTo(hour: number) {
  const at = new Date(await now())
  at.setUTCDate(at.getUTCDate() + 1)
  at.setUTCHours(hour, 0, 0, 0)
  return turn({ now: at.toISOString() })
}

describe('what waits for a time in the workspace comes when its clock is turned:', () => {
  test('a text waits for the quiet hours to end, leaves, and is delivered', async () => {
    // 2 am in Chicago.
    await turnTo(8)
    const to = { channel: 'sms', to: '+13125550177', body: 'Hello', when_blocked: 'schedule' }
    const { status, body } = await agent.post('/messages', to)
    expect([status, body['status']]).toEqual([201, 'scheduled'])
    const read = async () => (await agent.get(`/messages/${body['id']}`)).body
    await turn({ advance: 'PT1H' })
    expect((await read())['status']).toBe('scheduled')
    const at = await turn({ advance: 'PT9H' })
    const message = await eventually(async () => {
      const found = await read()
      return found['status'] === 'delivered' && found
    })
    expect(Date.parse(message['sent_at'])).toBeGreaterThanOrEqual(at)
  })

  test('an automation waits for three days', async () => {
    const definition = {
      triggers: [{ event: 'contact.created' }],
      steps: [
        { key: 'rest', type: 'wait', for: { days: 3 } },
        { key: 'mark', type: 'tag', tag: 'rested' },
      ],
    }
    const id = idOf(await agent.post('/automations', { name: 'Rest', definition }))
    await agent.post(`/automations/${id}/publish`)
    await agent.post(`/automations/${id}/enable`)
    const contact = idOf(await agent.post('/contacts', { first_name: 'Ada', email: 'ada@reyes.example' }))
    const tags = async () => (await agent.get(`/contacts/${contact}`)).body['tags'] as string[]
    await eventually(async () => {
      const [enrollment] = (await agent.get(`/contacts/${contact}/enrollments`)).body['data']
      return enrollment?.waiting_for?.until !== undefined
    })
    await turn({ advance: 'P2D' })
    expect(await tags()).toEqual([])
    await turn({ advance: 'P1DT1M' })
    await eventually(async () => expect(await tags()).toEqual(['rested']))
  })

  test('the offer of a lead expires, and a task is overdue', async () => {
    const [member = ''] = await crew(place, 1)
    const manager = (await place.member()).id
    await setRules(place.ctx, {
      rules: [],
      default: {
        method: 'first_to_claim',
        pool: { members: [member] },
        claim_seconds: 3600,
        fallback: [{ member_id: manager }],
      },
    } as never)
    const lead = await capture(agent)
    expect(Math.abs(Date.parse(lead.offered_until) - (await now()) - 3_600_000)).toBeLessThan(60_000)
    const due_at = new Date((await now()) + 600_000).toISOString()
    const task = idOf(await agent.post('/tasks', { title: 'Call', due_at, assignee_id: manager }))
    const late = async () =>
      (await agent.get(`/tasks?due_before=${new Date(await now()).toISOString()}`)).body['data']
    expect(await late()).toEqual([])
    await turn({ advance: 'PT61M' })
    expect(await late()).toMatchObject([{ id: task }])
    await eventually(async () => expect(await assigneesOf(agent, [lead.id])).toEqual([manager]))
  })

  test('the retry of a webhook', async () => {
    const received: IncomingMessage[] = []
    const server = createServer((request, response) => {
      received.push(request)
      response.writeHead(received.length === 1 ? 500 : 200).end()
    }).listen(0, '127.0.0.1')
    opened.defer(() => void server.close())
    await eventually(() => server.listening)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
    const webhook = idOf(await agent.post('/webhooks', { url, event_types: ['deal.created'] }))
    await agent.post(`/webhooks/${webhook}/test`, {})
    const deliveries = async () => (await agent.get(`/webhooks/${webhook}/deliveries`)).body['data']
    await eventually(async () => (await deliveries())[0]?.last_attempt?.status === 500)
    await turn({ advance: 'PT1H' })
    await eventually(async () => (await deliveries())[0]?.status === 'delivered')
    expect(received).toHaveLength(2)
  })
})

test('every response says so, errors included, and those of other workspaces do not', async () => {
  const live = await app.workspace()
  const other = await live.credential()
  for (const path of ['/ping', '/contacts/none', '/test-clock']) {
    expect((await agent.get(path)).headers.get('gable-test-mode')).toBe('true')
    expect((await other.get(path)).headers.get('gable-test-mode')).toBeNull()
  }
  expect((await agent.get('/workspace')).body).toMatchObject({ test_mode: true })
  const rejection = { status: 409, body: { error: { code: 'not_a_test_workspace' } } }
  expect((await other.get('/test-clock')).body).toMatchObject({ ahead_seconds: 0 })
  expect(await other.post('/test-clock', { advance: 'PT1H' })).toMatchObject(rejection)
})

test('a live workspace gets no simulated carrier, and one in test mode only simulated connections', async () => {
  const live = await app.workspace()
  const other = await live.credential()
  const sender = { kind: '10dlc', address: '+13125550166' }
  expect((await other.post('/senders', sender)).status).toBe(400)
  const account = { provider: 'twilio', name: 'Real', account: `AC${'a'.repeat(32)}`, secret: 'b'.repeat(32) }
  expect(await agent.post('/connections', account)).toMatchObject({
    status: 201,
    body: { simulated: true },
  })
})

test('credentials, idempotency, and the times of other workspaces stay', async () => {
  const once = await place.credential()
  const key = { 'idempotency-key': 'k-1' }
  const first = await once.post('/contacts', { first_name: 'Bea' }, key)
  await turn({ advance: 'P366D' })
  const again = await once.post('/contacts', { first_name: 'Bea' }, key)
  expect([again.status, again.body['id']]).toEqual([201, first.body['id']])
  const { body } = await (await (await app.workspace()).credential()).post('/contacts', { first_name: 'Cy' })
  expect(Math.abs(Date.parse(body['created_at']) - Date.now())).toBeLessThan(60_000)
  const { body: made } = await agent.post('/contacts', { first_name: 'Di' })
  expect(Math.abs(Date.parse(made['created_at']) - (await now()))).toBeLessThan(60_000)
})

test.for([
  [{}, 'advance'],
  [{ advance: 'PT1H', now: '2030-01-01T00:00:00Z' }, 'advance'],
  [{ advance: 'P367D' }, 'advance'],
  [{ now: '2020-01-01T00:00:00Z' }, 'now'],
  [{ advance: 'P' }, 'advance'],
  [{ advance: '2 hours' }, 'advance'],
] as const)('%j is rejected', async ([by, path]) => {
  expect(await agent.post('/test-clock', by)).toMatchObject({
    status: 400,
    body: { error: { details: [{ path }] } },
  })
})

test('of two turns at the same time, both count', async () => {
  const before = await now()
  const turns = await Promise.all([1, 2, 3].map(() => agent.post('/test-clock', { advance: 'PT1H' })))
  const counted = turns.filter(({ status }) => status === 200).length
  expect((await now()) - before - counted * 3_600_000).toBeLessThan(60_000)
  expect(turns.every(({ status }) => status === 200 || status === 503)).toBe(true)
})
