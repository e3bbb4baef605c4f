import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { office, sam, startEmailing } from '#test/support/emailing.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { outgoingEmails } from '../../messages/email/outgoing-email.ts'
import { findMessage, receiveMessage } from '../../messages/public.ts'
import { findDefaultSender, openAccount } from '../../senders/public.ts'
import { replyTo } from './reply-to.ts'

let scene: AiScene

const disclosure = 'This is Alder, the AI assistant of Lantern & Oak.'
const alder = { name: 'Alder', disclosure, mode: 'auto' }

beforeAll(async () => {
  scene = await openAiScene([
    { match: 'real person', say: { action: 'handoff', handoff_reason: 'asked' } },
    { match: '', say: { action: 'reply', text: 'Which day suits you?' } },
  ])
})
afterAll(() => scene[Symbol.asyncDispose]())

test('an email gets a response in its thread with its subject', async () => {
  const mail = await startEmailing(scene.app)
  const { ctx } = mail.workspace
  await mail.agent.post('/personas', { ...alder, channels: ['EMAIL'] })
  const contact = await mail.lead(sam)
  await mail.receive(
    { From: sam, Subject: 'RE: re: Alder Court', 'Message-ID': '<1@sam.example>' },
    'Is it free?',
  )
  const [asked] = await mail.messages()
  await replyTo(ctx, String(asked?.['conversation_id']), scene.responder)
  const [response] = await mail.messages(`?direction=OUTBOUND&contact_id=${contact}`)
  expect(response).toMatchObject({
    channel: 'EMAIL',
    status: 'queued',
    source: 'ai',
    from: office,
    to: sam,
    subject: 'Re: Alder Court',
    body: `${disclosure} Which day suits you?`,
    conversation_id: asked?.['conversation_id'],
    reply_to_message_id: asked?.['id'],
  })
  const message = orNotFound(await findMessage(ctx.db, String(response?.['id'])))
  const sender = orNotFound(await findDefaultSender(ctx.db, 'EMAIL'))
  const emailOf = await ctx.transaction((tx) => outgoingEmails(tx, () => '', sender, [message]))
  expect(emailOf(message, message.id)?.references).toEqual(['<1@sam.example>'])
})

test('an out-of-office email gets no response and leaves the earlier question open', async () => {
  const mail = await startEmailing(scene.app)
  await mail.agent.post('/personas', { ...alder, channels: ['EMAIL'] })
  await mail.lead(sam)
  const away = { From: sam, Subject: 'Away', 'Auto-Submitted': 'auto-replied' }
  await mail.receive(away, 'I am away.')
  const respond = async () => {
    const [asked] = await mail.messages()
    await replyTo(mail.workspace.ctx, String(asked?.['conversation_id']), scene.responder)
    return mail.messages('?direction=OUTBOUND')
  }
  expect(await respond()).toEqual([])
  await mail.receive({ From: sam, Subject: 'Alder Court' }, 'Is it free?')
  await mail.receive(away, 'I am away.')
  expect(await respond()).toMatchObject([{ subject: 'Re: Alder Court' }])
})

test('an email that asks for a person gets the handoff message in its thread', async () => {
  const mail = await startEmailing(scene.app)
  const handoff = { message: 'Your agent will get back to you.' }
  await mail.agent.post('/personas', { ...alder, channels: ['EMAIL'], handoff })
  await mail.lead(sam)
  await mail.receive({ From: sam, Subject: 'Alder Court' }, 'A real person, please.')
  const [asked] = await mail.messages()
  await replyTo(mail.workspace.ctx, String(asked?.['conversation_id']), scene.responder)
  expect(await mail.messages('?direction=OUTBOUND')).toMatchObject([
    {
      subject: 'Re: Alder Court',
      body: `${disclosure} ${handoff.message}`,
      reply_to_message_id: asked?.['id'],
    },
  ])
})

test('a WhatsApp message gets a free-form response from a persona enabled on WhatsApp', async () => {
  const workspace = await scene.app.workspace('Lantern & Oak')
  await readyToSend(workspace)
  const { ctx } = workspace
  const agent = await workspace.credential()
  await agent.post('/personas', { ...alder, name: 'Birch', channels: ['SMS'] })
  const { body: persona } = await agent.post('/personas', { ...alder, channels: ['WHATSAPP'] })
  const sender = orNotFound(await findDefaultSender(ctx.db, 'WHATSAPP'))
  await receiveMessage(ctx, orNotFound(await openAccount(ctx, sender.connection_id)), {
    providerMessageId: 'wamid.1',
    channel: 'whatsapp',
    from: '+13125550177',
    to: sender.address,
    subject: null,
    body: 'Is it free?',
    bodyHtml: null,
    name: 'Sam',
    receivedAt: scene.app.clock.now(),
    providerResponds: false,
  })
  const [asked] = (await agent.get('/messages?direction=INBOUND')).body.data
  await replyTo(ctx, asked.conversation_id, scene.responder)
  expect((await agent.get('/messages?direction=OUTBOUND')).body.data).toMatchObject([
    {
      channel: 'WHATSAPP',
      status: 'queued',
      template: null,
      subject: null,
      persona_id: persona.id,
      to: '+13125550177',
      body: `${disclosure} Which day suits you?`,
      conversation_id: asked.conversation_id,
    },
  ])
})

test('a picture without words gets no response, and one with words does', async () => {
  const workspace = await scene.app.workspace('Lantern & Oak')
  await readyToSend(workspace)
  const { ctx } = workspace
  const agent = await workspace.credential()
  await agent.post('/personas', { ...alder, channels: ['SMS'] })
  const sender = orNotFound(await findDefaultSender(ctx.db, 'SMS'))
  const account = orNotFound(await openAccount(ctx, sender.connection_id))
  const awaited = async () =>
    (
      await ctx.db.many(Type.Object({ id: Type.String() }))`
      select message_id as id from awaited_replies where workspace_id = ${ctx.workspaceId}`
    ).length
  const receive = (body: string) =>
    receiveMessage(ctx, account, {
      providerMessageId: `MM${body}`,
      channel: 'sms',
      from: '+13125550177',
      to: sender.address,
      subject: null,
      body,
      bodyHtml: null,
      name: null,
      receivedAt: scene.app.clock.now(),
      providerResponds: false,
      media: [{ source: null, contentType: 'image/png', name: null }],
    })
  await receive(' ')
  expect(await awaited()).toBe(0)
  await receive('Is this the kitchen?')
  expect(await awaited()).toBe(1)
})
