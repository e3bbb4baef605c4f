import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Scene, openScene, sam } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene('bounces', ({ ports }) => ({
    smtp: `smtp://localhost:${ports.submission}`,
    imap: `imap://localhost:${ports.imap}`,
  }))
})
afterAll(() => scene[Symbol.asyncDispose]())
afterEach(() => void (scene.servers.policy.decide = () => undefined))

const preflight = async (to: string) =>
  (await scene.agent.post('/messages/preflight', { channel: 'email', to, subject: 'Hi', body: 'Hello' }))
    .body['reason']

const becomes = (id: string, status: string) =>
  scene.eventually(async () => (await scene.statusOf(id)) === status)

test.for<[to: string, from: string]>([
  ['gone@reyes.example', 'the server that took it'],
  ['gone@faraway.example', 'the server of the person'],
])('an email to %s bounces at %s, and the address is suppressed', async ([to]) => {
  const id = await scene.send(to)
  await scene.until(id, 'sent')
  await becomes(id, 'undelivered')
  const { error } = await scene.read(id)
  expect(error).toMatchObject({ code: 'recipient_invalid', carrier_code: '5.1.1' })
  expect(JSON.stringify(error)).not.toContain('gone@')
  expect(await preflight(to)).toBe('suppressed_hard_bounce')
  expect(await preflight(sam.address)).toBeNull()
  // A report is no message.
  expect(await scene.inbound()).toEqual([])
})

test('an email delayed for long is reported as delayed, then bounces', async () => {
  const to = 'slow@faraway.example'
  let says = '450 4.2.2 Mailbox full'
  const { policy, ports } = scene.servers
  policy.decide = (question) => (question['server_port'] === String(ports.faraway) ? says : undefined)
  const id = await scene.send(to)
  await scene.until(id, 'sent')
  const isDelayed = async () => (await scene.attempts(id))[0]?.detail?.['delayed'] === true
  await scene.eventually(isDelayed)
  expect(await scene.read(id)).toMatchObject({ status: 'sent', error: null })
  expect(await preflight(to)).toBeNull()
  says = '552 5.2.2 Mailbox full'
  await becomes(id, 'undelivered')
  expect((await scene.read(id))['error']).toMatchObject({
    code: 'recipient_unreachable',
    carrier_code: '5.2.2',
  })
  // One full mailbox is no reason to write no more.
  expect(await preflight(to)).toBeNull()
})

test('a forged bounce report is recorded as automatic mail and changes no status', async () => {
  const id = await scene.send(sam.address)
  await scene.until(id, 'sent')
  await scene.write({
    text: 'Your message could not be delivered.',
    envelope: { from: '', to: 'office@lantern.example' },
    headers: { 'In-Reply-To': `<${id}@lantern.example>` },
  })
  await scene.eventually(async () => (await scene.inbound()).length > 0)
  expect(await scene.inbound()).toMatchObject([{ automatic: true, reply_to_message_id: id }])
  expect(await scene.statusOf(id)).toBe('sent')
  expect(await preflight(sam.address)).toBeNull()
})
