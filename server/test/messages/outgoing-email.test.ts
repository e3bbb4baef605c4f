import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { readAddressToken, readUnsubscribeToken } from '../../src/modules/messages/email/tokens.ts'
import type { OutgoingEmail } from '../../src/modules/messages/ports.ts'
import { receiveMessage } from '../../src/modules/messages/public.ts'
import { findDefaultSender, openAccount, updateSender } from '../../src/modules/senders/public.ts'
import { type Scene, openScene } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('outgoing_email')))
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const to = 'sam@reyes.example'
const draft = { channel: 'email', subject: 'Hi' }

const sender = async () => {
  const found = await findDefaultSender(scene.workspace.ctx.db, 'EMAIL')
  if (found === undefined) throw new Error('There is no sender.')
  return found
}

/** Sends an email, and returns what the carrier got. */
async function leaving(more: object = {}): Promise<{ id: string; email: OutgoingEmail }> {
  scene.app.clock.advance(1_000)
  const id = await scene.send(to, 'Hello', { ...draft, ...more })
  await scene.look()
  const email = scene.script.sent.at(-1)?.email
  if (!email) throw new Error('No email left.')
  return { id, email }
}

async function receive(providerMessageId: string): Promise<string> {
  const { ctx } = scene.workspace
  const account = await openAccount(ctx, (await sender()).connection_id)
  if (account === undefined) throw new Error('There is no account.')
  await receiveMessage(ctx, account, {
    providerMessageId,
    channel: 'email',
    from: to,
    to: 'office@gable.example',
    subject: 'Re: Hi',
    body: 'Yes',
    bodyHtml: null,
    name: null,
    receivedAt: scene.app.clock.now(),
    providerResponds: false,
  })
  const { body } = await scene.agent.get('/messages?direction=INBOUND')
  return (body['data'] as { id: string }[])[0]?.id ?? ''
}

test('an email carries tokens for its conversation, attempt, and recipient', async () => {
  const { id, email } = await leaving()
  const { ctx } = scene.workspace
  const message = await scene.read(id)
  const address = 'office@gable.example'
  expect(email.messageId).toBe(`<${id}@gable.example>`)
  expect(readAddressToken(ctx, email.replyTo)).toEqual({
    kind: 'reply',
    conversationId: message['conversation_id'],
    address,
  })
  expect(readAddressToken(ctx, email.bounceTo)).toEqual({
    kind: 'bounce',
    attemptId: scene.script.sent.at(-1)?.attemptId,
    address,
  })
  const { unsubscribeUrl = '', postalAddress } = email.marketing ?? {}
  expect(postalAddress).toBe('48 Alder Court, Chicago, IL 60614')
  const [, token = ''] = unsubscribeUrl?.split(`${scene.app.address}/unsubscribe/`) ?? []
  expect(readUnsubscribeToken(ctx.keys, token)).toEqual({
    workspaceId: ctx.workspaceId,
    messageId: id,
    address: to,
  })
  expect(message['provider_message_id']).not.toBeNull()
})

test('an email’s from name is the sender’s name, or else the workspace’s', async () => {
  const { ctx } = scene.workspace
  const { email } = await leaving()
  expect(email.fromName).toBe((await scene.agent.get('/ping')).body['workspace'].name)
  await updateSender(ctx, (await sender()).id, { name: 'Front office' })
  expect((await leaving()).email.fromName).toBe('Front office')
})

test('an email continues the thread of the last received email or of the one it names', async () => {
  const first = await leaving()
  expect(first.email.references).toEqual([])
  expect(await scene.read(first.id)).toMatchObject({ reply_to_message_id: null })
  const received = await receive('<yes@reyes.example>')
  const second = await leaving()
  expect(await scene.read(second.id)).toMatchObject({ reply_to_message_id: received })
  expect(second.email.references).toEqual(['<yes@reyes.example>'])
  const third = await leaving({ reply_to_message_id: second.id })
  expect(third.email.references).toEqual(['<yes@reyes.example>', second.email.messageId])
  const other = await leaving({ reply_to_message_id: first.id })
  expect(other.email.references).toEqual([first.email.messageId])
})

test('the email that one continues does not reveal whose address was guessed', async () => {
  await leaving()
  const received = await receive('<guessed@reyes.example>')
  const { contact_id } = await scene.read(received)
  const masked = await scene.workspace.credential('messages:send', 'messages:read', 'contacts:read')
  const email = { ...draft, body: 'Yes.' }
  const statusOf = async (more: object) =>
    (await masked.post('/messages/preflight', { ...email, reply_to_message_id: received, ...more })).status
  expect(await statusOf({ to })).toBe(await statusOf({ to: 'other@reyes.example' }))
  const shown = (await masked.get(`/messages/${received}`)).body['from']
  expect(await statusOf({ to: shown, contact_id })).toBe(200)
  const { status, body } = await masked.post('/messages', { ...email, to })
  expect([status, body['reply_to_message_id']]).toEqual([201, null])
  expect((await masked.get(`/messages/${String(body['id'])}`)).body['reply_to_message_id']).toBeNull()
  expect(await scene.read(String(body['id']))).toMatchObject({ reply_to_message_id: received })
})

test('an email references at most the last ten messages of its thread', async () => {
  let before = await leaving()
  const headers: string[] = []
  for (let i = 0; i < 12; i++) {
    headers.push(before.email.messageId)
    before = await leaving({ reply_to_message_id: before.id })
  }
  expect(before.email.references).toEqual(headers.slice(-10))
})

test('a Message-ID that would break a header is left out of the references', async () => {
  await receive('<yes@reyes.example\t>')
  expect((await leaving()).email.references).toEqual([])
})

test('a reply must continue an email of the workspace with the same person', async () => {
  const { agent } = scene
  const post = (id: string) => agent.post('/messages', { ...draft, to, body: 'Hi', reply_to_message_id: id })
  const { id: own } = await leaving()
  expect(await post(newId(new Date()))).toMatchObject({ status: 404 })
  const text = await scene.send(await scene.person(), 'Hello')
  expect(await post(text)).toMatchObject({ status: 400 })
  expect(await post(own)).toMatchObject({ status: 201 })
  const details = [{ path: 'reply_to_message_id', message: 'is an email with someone else' }]
  const others = { ...draft, to: 'someone.else@reyes.example', body: 'Hi', reply_to_message_id: own }
  expect(await agent.post('/messages', others)).toMatchObject({ status: 400, body: { error: { details } } })
})
