import { once } from 'node:events'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verify } from '@octokit/webhooks-methods'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  app,
  emailing,
  enabled,
  enrolled,
  get,
  historyOf,
  openAutomations,
  post,
  tag,
  tick,
} from '#test/scenes/automations.ts'
import { towardsLoopback } from '#test/support/app.ts'
import { idOf } from '#test/support/fixtures.ts'
import { callWebhook } from './call-webhook.ts'
import { respondToStep } from './step-at-hand.ts'

openAutomations({ egress: towardsLoopback })

let status: number
let received: { headers: IncomingHttpHeaders; body: string }[]
beforeEach(() => {
  status = 200
  received = []
})

const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  received.push({ headers: request.headers, body })
  response.writeHead(status).end('{"secret":"of the receiver"}')
})

let secret: string
let hook: string
let url: string
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/steps?token=hush`
  const response = await post('/webhooks', { url, event_types: ['contact.created'] })
  hook = idOf(response)
  secret = String(response.body['secret'])
})
afterAll(() => void receiver.close())

const step = () => ({ key: 'call', type: 'webhook', url, webhook_id: hook, data: { list: 'open house' } })
const branching = { key: 'after', type: 'branch', branches: [{ conditions: { all: [] }, steps: [tag] }] }

/** Runs the job of the step, like a worker. */
const work = (enrollment: string) =>
  callWebhook.handle(emailing.workspace.ctx, { enrollment_id: enrollment, seq: 0 })

test('a webhook step posts a signed request with an idempotency key and continues on the response', async () => {
  const { contact, enrollment } = await enrolled(await enabled({ steps: [step(), branching] }))
  await tick()
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ waiting_for: { kind: 'response' } })
  await work(enrollment)
  const [{ headers, body }] = received as [(typeof received)[number]]
  expect(headers['idempotency-key']).toBe(`${enrollment}:0`)
  expect(await verify(secret, body, String(headers['x-webhook-signature']))).toBe(true)
  expect(JSON.parse(body)).toMatchObject({
    id: `${enrollment}:0`,
    type: 'automation.webhook',
    contact_id: contact,
    step_key: 'call',
    data: { list: 'open house' },
  })
  await tick()
  expect(await historyOf(enrollment)).toEqual(['call done', 'after done branch 1', 'on done'])
})

test('duplicate and late responses are ignored', async () => {
  const { contact, enrollment } = await enrolled(
    await enabled({ steps: [step(), { key: 'w', type: 'wait', for: { hours: 1 } }] }),
  )
  await tick()
  await work(enrollment)
  const failed = { outcome: 'failed' as const, reason: 'http_500', refs: {} }
  const respond = () =>
    respondToStep(emailing.workspace.ctx, { enrollment_id: enrollment, seq: 0 }, contact, failed)
  await respond()
  await tick()
  await respond()
  await tick()
  await work(enrollment)
  expect(await historyOf(enrollment)).toEqual(['call done'])
  expect(received).toHaveLength(1)
})

test('a 503 is retried up to three times with the same idempotency key', async () => {
  const { enrollment } = await enrolled(await enabled({ steps: [step(), tag] }))
  await tick()
  status = 503
  for (const _ of [0, 1, 2]) {
    await work(enrollment)
    await tick()
    expect(await historyOf(enrollment)).toEqual([])
  }
  await work(enrollment)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['call failed http_503', 'on done'])
  expect(new Set(received.map(({ headers }) => headers['idempotency-key']))).toHaveLength(1)
})

test('while a webhook step waits, the enrollment shows the failed attempts and the next one', async () => {
  const { enrollment } = await enrolled(await enabled({ steps: [step(), tag] }))
  await tick()
  const since = app.clock.now().toISOString()
  const after = (seconds: number) => new Date(Date.parse(since) + seconds * 1000).toISOString()
  const waiting = { kind: 'response', since, until: after(7200) }
  const shown = async () => (await get(`/enrollments/${enrollment}`)).waiting_for
  expect(await shown()).toEqual({ ...waiting, attempts: 0 })
  status = 503
  await work(enrollment)
  const failed = { ...waiting, attempts: 1, failure: 'status 503' }
  expect(await shown()).toEqual({ ...failed, retry_at: after(30) })
  await emailing.agent.patch(`/enrollments/${enrollment}`, { status: 'paused' })
  expect(await shown()).toEqual({ ...failed, until: null })
  await emailing.agent.patch(`/enrollments/${enrollment}`, { status: 'running' })
  await tick()
  await work(enrollment)
  expect(await shown()).toEqual({ ...failed, attempts: 2, retry_at: after(300) })
})

test('a 404 fails the step without a retry', async () => {
  const { enrollment } = await enrolled(await enabled({ steps: [step(), tag] }))
  await tick()
  status = 404
  await work(enrollment)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['call failed http_404', 'on done'])
})

test('the step fails after two hours without a response', async () => {
  const { enrollment } = await enrolled(await enabled({ steps: [step(), tag] }))
  await tick()
  app.clock.advance(2 * 3_600_000)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['call failed no_response', 'on done'])
})

test('nothing is posted for a paused or ended enrollment; a paused one posts when it resumes', async () => {
  const { enrollment } = await enrolled(await enabled({ steps: [step(), tag] }))
  await tick()
  const patch = (to: string) => emailing.agent.patch(`/enrollments/${enrollment}`, { status: to })
  await patch('paused')
  await work(enrollment)
  expect(received).toEqual([])
  await patch('running')
  await tick()
  await work(enrollment)
  expect(received).toHaveLength(1)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['call done', 'on done'])

  const other = await enrolled(await enabled({ steps: [step(), tag] }))
  await tick()
  await emailing.agent.patch(`/enrollments/${other.enrollment}`, { status: 'cancelled' })
  await work(other.enrollment)
  expect(received).toHaveLength(1)
})

test('a response that is unprocessed when the enrollment is paused counts after it resumes', async () => {
  const { enrollment } = await enrolled(await enabled({ steps: [step(), tag] }))
  await tick()
  await work(enrollment)
  await emailing.agent.patch(`/enrollments/${enrollment}`, { status: 'paused' })
  await tick()
  expect(await historyOf(enrollment)).toEqual([])
  await emailing.agent.patch(`/enrollments/${enrollment}`, { status: 'running' })
  await tick()
  expect(await historyOf(enrollment)).toEqual(['call done', 'on done'])
})

test.each([
  ['a private address', { url: 'https://10.0.0.1/' }, 400],
  ['an invalid URL', { url: 'ftp://example.com/' }, 400],
  ['a webhook that does not exist', { webhook_id: 'cmi8h2k5p0001zq8r4t6w9x3y' }, 404],
])('a step with %s is rejected', async (_, more, expected) => {
  const response = await post('/automations/validate', { definition: { steps: [{ ...step(), ...more }] } })
  expect(response.status).toBe(expected)
  expect(JSON.stringify(response.body)).toContain('definition.steps.0')
})

test('a step that signs with a webhook requires webhooks:manage', async () => {
  const client = await emailing.workspace.credential('automations:write')
  const response = await client.post('/automations/validate', { definition: { steps: [step()] } })
  expect(response).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } })
})
