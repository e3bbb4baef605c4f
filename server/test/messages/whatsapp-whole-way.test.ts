import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { freshDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { findDefaultSender, openAccount } from '../../src/modules/senders/public.ts'

const person = '+13125550177'
const opened = new AsyncDisposableStack()
let carrier: SimulatedCarrier
let app: TestApp
let workspace: TestWorkspace
let agent: Client

/** A workspace with a WhatsApp number, the server's own worker, and the real protocol. */
beforeAll(async () => {
  carrier = opened.use(
    await startCarrier({ host: '127.0.0.1', port: 0, now: () => app.clock.now(), deliveryMs: 5 }),
  )
  app = opened.use(
    await testApp({
      role: 'all',
      databaseUrl: await freshDatabase('whatsapp_whole_way'),
      simulatedCarrierUrl: carrier.origin,
    }),
  )
  workspace = await app.workspace()
  agent = await workspace.credential()
  await readyToSend(workspace)
})
afterAll(() => opened.disposeAsync())

/** Sends a message, and waits until it has this status. */
async function send(message: object, status: string) {
  const { body } = await agent.post('/messages', { channel: 'whatsapp', to: person, ...message })
  expect(body).toMatchObject({ channel: 'WHATSAPP', status: 'queued' })
  const read = async () => (await agent.get(`/messages/${body['id']}`)).body
  await eventually(async () => (await read())['status'] === status)
  return read()
}

test('a template is sent, delivered, and read, and a reply opens the window for free-form text', async () => {
  const { address, connection_id } = orNotFound(await findDefaultSender(workspace.ctx.db, 'WHATSAPP'))
  const account = orNotFound(await openAccount(workspace.ctx, connection_id))
  expect(await app.carriers.whatsapp?.connectSender?.(account, address)).toBe(true)
  const template = { name: 'viewing_reminder', language: 'en_US', variables: ['Saturday'] }
  const read = await send({ template }, 'read')
  expect(read).toMatchObject({ provider_message_id: expect.stringMatching(/^wamid\./) })
  const handset = `${carrier.phoneUrl}/${person}`
  expect(await (await fetch(`${handset}/messages`)).text()).toContain('[viewing_reminder] · Saturday')

  const body = new URLSearchParams({ to: `whatsapp:${String(read['from'])}`, body: 'Can we make it 3 pm?' })
  expect((await fetch(handset, { method: 'POST', body, redirect: 'manual' })).status).toBe(303)
  const received = async () => (await agent.get('/messages?direction=INBOUND')).body['data']
  await eventually(async () => (await received()).length === 1)
  expect(await received()).toMatchObject([
    { channel: 'WHATSAPP', from: person, to: read['from'], body: 'Can we make it 3 pm?', status: 'received' },
  ])
  await send({ body: 'Yes, see you at 3.', purpose: 'reply' }, 'read')
})
