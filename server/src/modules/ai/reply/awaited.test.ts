import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { queueDue } from '#kernel/jobs/follow-up.ts'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { eventsNamed } from '#test/support/journal.ts'
import { readMails } from '../../mail/public.ts'
import {
  type MessageDraft,
  type OwnPart,
  planMessage,
  receiveMessage,
  sendMessage,
} from '../../messages/public.ts'
import { openAccount } from '../../senders/public.ts'
import { replies } from './replies.ts'
import { replyTo } from './reply-to.ts'

let scene: AiScene

beforeAll(async () => {
  scene = await openAiScene([
    { match: 'real person', say: { action: 'handoff', handoff_reason: 'asked' } },
    { match: '', say: { action: 'reply', text: 'Happy to help. Which day suits you?' } },
  ])
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  scene.app.clock.set('2026-03-02T18:00:00.000Z')
  await scene.texting.agent.patch('/ai-settings', { enabled: true })
  await scene.takeQueued()
})

const ofAi = async (contactId: string) =>
  (await scene.messagesOf(contactId)).filter(({ ai_generated }) => ai_generated)

const pausedBy = async (contactId: string) => (await scene.contact(contactId))['ai_paused_reason']

const handoffsOf = async (contactId: string) =>
  (await eventsNamed(scene.app.databaseUrl, scene.texting.workspace.id, 'ai.handed_off')).filter(
    (one) => one['contact_id'] === contactId,
  )

/** A contact who has just written. */
async function written(text = 'Is it still for sale?') {
  const one = await scene.person()
  await scene.texting.text(one.phone, text)
  return one
}

/** Sends a text from Gable itself. */
async function sendOwn(to: string, source: NonNullable<OwnPart['source']>): Promise<string> {
  const { ctx } = scene.texting.workspace
  const draft = { channel: 'sms', to, body: 'Three new listings for you.' } as MessageDraft
  return (await sendMessage(ctx, draft, await planMessage(ctx, draft, { source }))).id
}

describe('a text without a response', () => {
  test.each(['automation', 'campaign', 'system'] as const)(
    'gets one even if a text of source %s leaves before and during the model request',
    async (source) => {
      await scene.onlyPersona()
      const { id, phone } = await written()
      await sendOwn(phone, source)
      const [conversation] = await scene.takeQueued()
      const model = scene.modelDuring(() => sendOwn(phone, source))
      await replyTo(scene.texting.workspace.ctx, orNotFound(conversation), { ...scene.responder, model })
      expect(await ofAi(id)).toHaveLength(1)
    },
  )

  test('is handed off as requested even if an automation writes in the meantime', async () => {
    await scene.onlyPersona()
    const { id, phone } = await written('A real person, please.')
    const [conversation] = await scene.takeQueued()
    const model = scene.modelDuring(() => sendOwn(phone, 'automation'))
    await replyTo(scene.texting.workspace.ctx, orNotFound(conversation), { ...scene.responder, model })
    expect(await pausedBy(id)).toBe('handoff')
    expect(await scene.generations(id)).toMatchObject([{ decision: 'handed_off', reason: 'asked' }])
  })

  test('gets one if a person’s message has failed', async () => {
    await scene.onlyPersona({ stop_on_human_message: false })
    const { id, phone } = await written()
    await scene.texting.send(phone)
    for (const { attemptId } of await scene.texting.begin())
      await scene.texting.status(attemptId, 'failed', { ErrorCode: '30003' })
    await scene.respond()
    expect(await ofAi(id)).toHaveLength(1)
  })

  test('gets none once a person has written', async () => {
    await scene.onlyPersona({ stop_on_human_message: false })
    const { id, phone } = await written()
    await scene.texting.send(phone)
    await scene.respond()
    expect(await ofAi(id)).toEqual([])
  })

  test('gets one from the new version if the persona changes during the model request', async () => {
    const persona = await scene.onlyPersona()
    const { id } = await written()
    const [conversation] = await scene.takeQueued()
    const changed = 'This is Alder, an AI of Lantern & Oak.'
    const model = scene.modelDuring(() =>
      scene.texting.agent.patch(`/personas/${String(persona['id'])}`, { disclosure: changed }),
    )
    await replyTo(scene.texting.workspace.ctx, orNotFound(conversation), { ...scene.responder, model })
    expect(await ofAi(id)).toEqual([])
    await scene.respond()
    expect(await ofAi(id)).toMatchObject([{ body: expect.stringContaining(changed) }])
    expect(await scene.generations(id)).toMatchObject([
      { decision: 'outdated', persona_version: 1 },
      { decision: 'queued', persona_version: 2 },
    ])
  })
})

describe('a process that is killed', () => {
  const sweep = () => queueDue(scene.texting.workspace.ctx, [replies])

  test('before it begins loses no response; the text is queued again once, after a minute', async () => {
    await scene.onlyPersona()
    const { id } = await written()
    await scene.takeQueued()
    await sweep()
    expect(await scene.respond()).toBe(0)
    scene.app.clock.advance(69_000)
    await sweep()
    await sweep()
    expect(await scene.respond()).toBe(1)
    expect(await ofAi(id)).toHaveLength(1)
    scene.app.clock.advance(600_000)
    await sweep()
    expect(await scene.respond()).toBe(0)
  })

  test('during the model request loses no response and sends nothing twice', async () => {
    await scene.onlyPersona()
    const { id } = await written()
    const [conversation] = await scene.takeQueued()
    const { ctx } = scene.texting.workspace
    const asked = Promise.withResolvers<void>()
    const thinks = Promise.withResolvers<void>()
    const model = scene.modelDuring(() => {
      asked.resolve()
      return thinks.promise
    })
    const first = replyTo(ctx, orNotFound(conversation), { ...scene.responder, model })
    await asked.promise
    await replyTo(ctx, orNotFound(conversation), scene.responder)
    expect(await scene.generations(id)).toHaveLength(1)
    scene.app.clock.advance(121_000)
    await sweep()
    expect(await scene.respond()).toBe(1)
    thinks.resolve()
    await first
    expect(await ofAi(id)).toHaveLength(1)
    const decisions = (await scene.generations(id)).map(({ decision }) => decision)
    expect(decisions).toEqual(['outdated', 'queued'])
  })

  test('does not delay the response to a newer text', async () => {
    await scene.onlyPersona()
    const { id, phone } = await written()
    const [conversation] = await scene.takeQueued()
    const { ctx } = scene.texting.workspace
    const asked = Promise.withResolvers<void>()
    const thinks = Promise.withResolvers<void>()
    const model = scene.modelDuring(() => {
      asked.resolve()
      return thinks.promise
    })
    const first = replyTo(ctx, orNotFound(conversation), { ...scene.responder, model })
    await asked.promise
    await scene.texting.text(phone, 'Are you there?')
    expect(await scene.respond()).toBe(1)
    expect(await ofAi(id)).toHaveLength(1)
    thinks.resolve()
    await first
    expect(await ofAi(id)).toHaveLength(1)
  })
})

describe('a text that waits for the AI', () => {
  const turnOff = (path: string, body: object) => scene.texting.agent.patch(path, body)

  test.each([
    ['is off', async (path: string) => turnOff(path, { enabled: false })],
    [
      'is deleted',
      async (path: string) => {
        await turnOff(path, { enabled: false })
        return scene.texting.agent.delete(path)
      },
    ],
    ['no longer writes texts', async (path: string) => turnOff(path, { channels: ['EMAIL'] })],
    ['is off with all others', async () => turnOff('/ai-settings', { enabled: false })],
  ])('is handed off if the persona %s', async (_, act) => {
    const persona = await scene.onlyPersona({ handoff: { message: 'Your agent will get back to you.' } })
    const { id } = await written()
    await act(`/personas/${String(persona['id'])}`)
    await scene.respond()
    expect(await handoffsOf(id)).toMatchObject([{ reason: 'off', persona_id: persona['id'] }])
    expect(await pausedBy(id)).toBe('handoff')
    expect((await scene.messagesOf(id)).filter(({ direction }) => direction === 'OUTBOUND')).toEqual([])
  })

  test('is handed off if the persona’s hours have ended, and the owner gets an email', async () => {
    // 6 pm UTC is 1 pm in New York.
    const active_hours = [{ days: ['mon'], from: '09:00', to: '13:01' }]
    await scene.onlyPersona({ active_hours })
    const member = await scene.texting.workspace.member()
    const { id } = await written()
    await scene.texting.agent.patch(`/contacts/${id}`, { owner_id: member.id })
    scene.app.clock.advance(90_000)
    await scene.respond()
    expect(await handoffsOf(id)).toMatchObject([{ reason: 'off' }])
    const mails = await readMails(scene.app.runtime)
    expect(mails.map(({ mail }) => mail?.to)).toContain(member.email)
  })

  test.each([2, 30])('is handed off if the worker was down for %i hours', async (hours) => {
    await scene.onlyPersona()
    const { id } = await written()
    scene.app.clock.advance(hours * 3_600_000)
    await scene.respond()
    expect(await ofAi(id)).toEqual([])
    expect(await handoffsOf(id)).toMatchObject([{ reason: 'late' }])
  })

  test.each([
    ['2 hours ago, as its provider says', 2 * 3_600_000, 'handoff', 0],
    ['5 minutes ago', 300_000, null, 1],
  ])('is handed off only if it is too late to respond: written %s', async (_, ms, paused, responses) => {
    await scene.onlyPersona()
    const { workspace, connectionId, number } = scene.texting
    const { id, phone } = await scene.person()
    const account = orNotFound(await openAccount(workspace.ctx, connectionId))
    await receiveMessage(workspace.ctx, account, {
      providerMessageId: `SM-${ms}`,
      channel: 'sms',
      from: phone,
      to: number,
      subject: null,
      body: 'Is it still for sale?',
      bodyHtml: null,
      name: null,
      receivedAt: new Date(scene.app.clock.now().getTime() - ms),
      providerResponds: false,
    })
    await scene.respond()
    expect(await ofAi(id)).toHaveLength(responses)
    expect(await pausedBy(id)).toBe(paused)
  })
})
