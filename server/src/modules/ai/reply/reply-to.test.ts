import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { eventsNamed } from '#test/support/journal.ts'
import { readMails } from '../../mail/public.ts'

let scene: AiScene

const reply = (match: string, text: string) => ({ match, say: { action: 'reply', text } })

beforeAll(async () => {
  scene = await openAiScene([
    { match: 'real person', say: { action: 'handoff', handoff_reason: 'asked' } },
    { match: 'model down', behavior: 'down' },
    { match: 'model malformed', behavior: 'malformed' },
    { match: 'thanks', say: { action: 'none' } },
    reply('my aunt', 'Yes, the price is $100,000.'),
    reply('disloyal', 'It is a safe neighborhood, perfect for a young couple.'),
    reply('', 'Happy to help. Which day suits you?'),
  ])
})
afterAll(() => scene[Symbol.asyncDispose]())
// Stay under the rate limit per minute.
beforeEach(() => scene.app.clock.advance(61_000))

const ofAi = async (contactId: string) =>
  (await scene.messagesOf(contactId)).filter(({ ai_generated }) => ai_generated)

test('consecutive texts get one response, with the disclosure only in the first', async () => {
  const persona = await scene.onlyPersona()
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Hi, I saw your sign.')
  await scene.texting.text(phone, 'Is it still for sale?')
  expect(await scene.respond()).toBe(1)
  expect(await ofAi(id)).toMatchObject([
    {
      body: 'This is Alder, the AI assistant of Lantern & Oak. Happy to help. Which day suits you?',
      status: 'queued',
      source: 'ai',
      purpose: 'reply',
      persona_id: persona['id'],
      approved_by: null,
    },
  ])
  await scene.leave()
  await scene.texting.text(phone, 'Tuesday')
  expect(await scene.respond()).toBe(1)
  expect((await ofAi(id)).map(({ body }) => body).at(-1)).toBe('Happy to help. Which day suits you?')
  expect(await scene.generations(id)).toMatchObject([
    { decision: 'queued', model: 'scripted', prompt_digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { decision: 'queued' },
  ])
})

test('a text that needs no response gets none', async () => {
  await scene.onlyPersona()
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'thanks')
  expect(await scene.respond()).toBe(1)
  expect(await ofAi(id)).toEqual([])
  expect(await scene.generations(id)).toMatchObject([{ decision: 'nothing' }])
})

test.each([
  'STOP',
  'HELP',
  'wrong number',
  'not interested',
  'Liked “Which day suits you?”',
  '❤️ to “Which day suits you?”',
  'Le encantó “Which day suits you?”',
])('the AI does not respond to %s', async (text) => {
  await scene.onlyPersona()
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, text)
  expect(await scene.respond()).toBe(0)
  expect(await ofAi(id)).toEqual([])
})

test('a picture without words does not wake the AI, and a question before it still gets its response', async () => {
  await scene.onlyPersona()
  const { id, phone } = await scene.person()
  const picture = () => scene.texting.text(phone, '', { NumMedia: '1', MediaContentType0: 'image/jpeg' })
  await picture()
  expect(await scene.respond()).toBe(0)
  await scene.texting.text(phone, 'Is it still for sale?')
  await picture()
  expect(await scene.respond()).toBe(1)
  expect(await ofAi(id)).toHaveLength(1)
})

test('the owner of a contact who is not interested gets an email if the AI would have responded', async () => {
  const { agent, workspace } = scene.texting
  const mailed = async () => {
    const member = await workspace.member()
    const { id, phone } = await scene.person()
    await agent.patch(`/contacts/${id}`, { owner_id: member.id })
    await scene.texting.text(phone, 'not interested')
    return (await readMails(scene.app.runtime)).filter(({ mail }) => mail?.to === member.email)
  }
  await scene.onlyPersona()
  expect(await mailed()).toMatchObject([
    { mail: { text: expect.stringContaining('the contact is not interested') } },
  ])
  await scene.onlyPersona({ mode: 'off' })
  expect(await mailed()).toEqual([])
})

test.each([
  ['asks for a person', 'Can a real person call me?', 'asked'],
  ['finds the model down', 'model down', 'model_down'],
  ['gets what is no proposal twice', 'model malformed', 'malformed'],
  ['gets a text that must not be sent', 'be disloyal', 'text_blocked'],
  ['names a price that the model confirms', 'My aunt says $100,000, right?', 'text_blocked'],
])('a contact who %s is handed off to a person', async (_, text, reason) => {
  await scene.onlyPersona()
  const { agent, workspace } = scene.texting
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, text)
  await scene.respond()
  expect((await ofAi(id)).filter(({ status }) => status !== 'blocked')).toEqual([])
  expect(await scene.contact(id)).toMatchObject({ ai_auto_response: 'paused', ai_paused_reason: 'handoff' })
  const events = await eventsNamed(scene.app.databaseUrl, workspace.id, 'ai.handed_off')
  expect(events.filter((one) => one['contact_id'] === id)).toMatchObject([{ reason }])
  await scene.texting.text(phone, 'Hello?')
  await scene.respond()
  expect(await scene.generations(id)).toHaveLength(1)
  await agent.post(`/contacts/${id}/ai`, { status: 'active' })
  await scene.texting.text(phone, 'Hello again?')
  await scene.respond()
  expect(await scene.generations(id)).toHaveLength(2)
})

test('a handoff sends the contact the persona’s handoff message', async () => {
  await scene.onlyPersona({ handoff: { message: 'I have asked your agent to get back to you.' } })
  const { agent, workspace } = scene.texting
  const member = await workspace.member()
  const { id, phone } = await scene.person()
  await agent.patch(`/contacts/${id}`, { owner_id: member.id })
  await scene.texting.text(phone, 'A real person, please.')
  await scene.respond()
  const sent = (await scene.messagesOf(id)).at(-1)
  expect(sent).toMatchObject({
    body: 'This is Alder, the AI assistant of Lantern & Oak. I have asked your agent to get back to you.',
    ai_generated: false,
    source: 'system',
    status: 'queued',
  })
  const begun = await scene.texting.begin()
  expect(begun.map(({ messageId }) => messageId)).toContain(sent?.['id'])
})

test.each(['A real person, please.', 'not interested'])(
  'the email to the owner after %j does not repeat what the contact wrote as their name',
  async (text) => {
    await scene.onlyPersona()
    const { agent, workspace } = scene.texting
    const member = await workspace.member()
    const { id, phone } = await scene.person()
    const first_name = 'claim your $500 at https://evil.example'
    await agent.patch(`/contacts/${id}`, { owner_id: member.id, first_name })
    await scene.texting.text(phone, text)
    await scene.respond()
    const mails = (await readMails(scene.app.runtime)).flatMap(({ mail }) =>
      mail?.to === member.email ? mail : [],
    )
    expect(mails).toMatchObject([{ subject: 'A contact is waiting for you' }])
    expect(JSON.stringify(mails)).not.toMatch(/evil|\$500/)
  },
)

test('a suggestion is kept on the conversation until the next message', async () => {
  await scene.onlyPersona({ mode: 'suggest' })
  const { agent } = scene.texting
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Hi')
  await scene.respond()
  expect(await ofAi(id)).toEqual([])
  const conversation = async () =>
    (await agent.get(`/conversations?contact_id=${id}`)).body.data[0]['suggestion']
  expect(await conversation()).toMatchObject({ text: expect.stringContaining('Which day suits you?') })
  await scene.texting.send(phone, 'Tuesday works.')
  expect(await conversation()).toBeNull()
})

async function pending() {
  await scene.onlyPersona({ mode: 'approve' })
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Hi')
  await scene.respond()
  const [message] = await ofAi(id)
  expect(message).toMatchObject({ status: 'pending_approval' })
  return { id, phone, messageId: String(message?.['id']) }
}

test('a person can approve a pending message once', async () => {
  const { agent } = scene.texting
  const { id, messageId } = await pending()
  expect(await agent.post(`/messages/${messageId}/approve`, {})).toMatchObject({
    status: 200,
    body: { status: 'queued', ai_generated: true, approved_by: { type: 'api_key', id: agent.keyId } },
  })
  expect((await agent.post(`/messages/${messageId}/approve`, {})).status).toBe(409)
  expect(await scene.generations(id)).toMatchObject([{ decision: 'sent_by_person' }])
})

test('a pending message edited by a person becomes their own', async () => {
  const { agent } = scene.texting
  const { id, messageId } = await pending()
  expect((await agent.post(`/messages/${messageId}/approve`, { body: 'Tuesday at 2?' })).body).toMatchObject({
    status: 'queued',
    body: 'Tuesday at 2?',
    ai_generated: false,
    source: 'api',
  })
  expect(await scene.generations(id)).toMatchObject([{ decision: 'edited' }])
})

test('a person can drop a pending message, and a newer text replaces it', async () => {
  const { agent } = scene.texting
  const { id, phone, messageId } = await pending()
  expect((await agent.post(`/messages/${messageId}/cancel`)).body['status']).toBe('cancelled')
  await scene.texting.text(phone, 'Still there?')
  await scene.respond()
  await scene.texting.text(phone, 'Anyone?')
  await scene.respond()
  expect((await ofAi(id)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'pending_approval'])
})

test('a message that replaces a pending one has the disclosure until one has left', async () => {
  const { agent } = scene.texting
  const { id, phone, messageId } = await pending()
  await scene.texting.text(phone, 'Still there?')
  await scene.respond()
  const [, second] = await ofAi(id)
  expect((await scene.messagesOf(id)).find((one) => one['id'] === messageId)).toMatchObject({
    status: 'cancelled',
  })
  expect(second).toMatchObject({ body: expect.stringContaining('This is Alder, the AI assistant') })
  await agent.post(`/messages/${String(second?.['id'])}/approve`, {})
  await scene.leave()
  await scene.texting.text(phone, 'Tuesday')
  await scene.respond()
  expect((await ofAi(id)).at(-1)?.['body']).toBe('Happy to help. Which day suits you?')
})

test('a pending message cannot be approved after an opt-out, and the contact can be erased', async () => {
  const { agent } = scene.texting
  const { id, phone, messageId } = await pending()
  await scene.texting.text(phone, 'STOP')
  expect((await agent.post(`/messages/${messageId}/approve`, {})).status).not.toBe(200)
  expect((await ofAi(id)).filter(({ status }) => !['blocked', 'cancelled'].includes(String(status)))).toEqual(
    [],
  )
  expect((await agent.delete(`/contacts/${id}`)).status).toBe(200)
})

test('the AI writes no more messages per day than its persona allows', async () => {
  await scene.onlyPersona({ max_messages_per_day: 2 })
  const { id, phone } = await scene.person()
  for (const text of ['One', 'Two', 'Three']) {
    await scene.texting.text(phone, text)
    await scene.respond()
    scene.app.clock.advance(60_000)
  }
  expect(await ofAi(id)).toHaveLength(2)
  expect(await scene.contact(id)).toMatchObject({ ai_paused_reason: 'handoff' })
})

test('three identical texts within minutes are handed off to a person', async () => {
  await scene.onlyPersona()
  const { id, phone } = await scene.person()
  for (let n = 0; n < 3; n++) await scene.texting.text(phone, 'Hello?')
  await scene.respond()
  expect(await ofAi(id)).toEqual([])
  expect(await scene.contact(id)).toMatchObject({ ai_paused_reason: 'handoff' })
})

test.each([
  ['has been responded to', () => scene.respond()],
  ['was a while ago', async () => scene.app.clock.advance(6 * 60_000)],
])('three identical texts are not a repetition if one %s', async (_, between) => {
  await scene.onlyPersona()
  const { id, phone } = await scene.person()
  for (let n = 0; n < 3; n++) {
    await scene.texting.text(phone, 'yes')
    await between()
  }
  await scene.respond()
  expect((await ofAi(id)).length).toBeGreaterThan(0)
  expect(await scene.contact(id)).toMatchObject({ ai_paused_reason: null })
})

test('a persona responds only during its hours and on its channels', async () => {
  await scene.onlyPersona({ active_hours: [{ days: ['tue'], from: '00:00', to: '00:00' }] })
  const { phone } = await scene.person()
  await scene.texting.text(phone, 'Hi')
  expect(await scene.respond()).toBe(0)
  await scene.onlyPersona({ channels: ['EMAIL'] })
  await scene.texting.text(phone, 'Hi there')
  expect(await scene.respond()).toBe(0)
})

test.each([
  ['of the persona', async (id: string) => scene.texting.agent.patch(`/personas/${id}`, { mode: 'off' })],
  ['of the workspace', async () => scene.texting.agent.patch('/ai-settings', { enabled: false })],
])('turning off the AI %s blocks queued messages too', async (_, turnOff) => {
  const persona = await scene.onlyPersona()
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Hi')
  await scene.respond()
  await turnOff(String(persona['id']))
  await scene.texting.begin()
  expect(await ofAi(id)).toMatchObject([{ status: 'blocked', compliance: { reason: 'ai_paused' } }])
  await scene.texting.agent.patch('/ai-settings', { enabled: true })
})

test('a person’s message pauses the AI unless the persona says otherwise', async () => {
  await scene.onlyPersona()
  const [one, other] = [await scene.person(), await scene.person()]
  await scene.texting.send(one.phone)
  expect(await scene.contact(one.id)).toMatchObject({
    ai_auto_response: 'paused',
    ai_paused_reason: 'message',
  })
  await scene.onlyPersona({ stop_on_human_message: false })
  await scene.texting.send(other.phone)
  expect(await scene.contact(other.id)).toMatchObject({ ai_auto_response: 'active', ai_paused_reason: null })
})
