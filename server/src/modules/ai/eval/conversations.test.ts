import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { orNotFound } from '#kernel/errors.ts'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { eventsNamed } from '#test/support/journal.ts'
import type { ModelRequest } from '../ports.ts'
import { judgeModel } from './judge-model.ts'
import { type ScriptedConversation, readConversations } from './read-conversations.ts'

const conversations = await readConversations()

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * Each turn matches by its own text. Later turns come first, so that the newest wins if several have had no response
 * yet.
 */
const script = conversations.flatMap(({ turns, model }) =>
  turns
    .map((text, at) => {
      const { behavior, ...say } = orNotFound(model[at] ?? model[0])
      return {
        match: escaped(text),
        ...(behavior === undefined ? { say } : { behavior: behavior as 'down' }),
      }
    })
    .toReversed(),
)

let scene: AiScene
let personaId: string
let memberId: string

beforeAll(async () => {
  scene = await openAiScene(script)
  personaId = String((await scene.persona({ languages: ['en', 'es'] }))['id'])
  memberId = (await scene.texting.workspace.member()).id
})
afterAll(() => scene[Symbol.asyncDispose]())

/**
 * Plays a conversation: a person writes each turn after the response to the previous one, and `while_asked` during the
 * last model request.
 */
async function play({ turns, while_asked, listings = [], knowledge, first_name }: ScriptedConversation) {
  // Stay under the rate limit per minute, and let the breaker forget earlier faults.
  scene.app.clock.advance(120_000)
  const { agent } = scene.texting
  const { id, phone } = await scene.person()
  if (first_name !== undefined) await agent.patch(`/contacts/${id}`, { first_name })
  await agent.patch(`/personas/${personaId}`, { knowledge: knowledge ?? null })
  for (const listing of listings)
    await agent.post('/listings', { ...listing, status: 'active', list_agent_id: memberId })
  const { model } = scene.responder
  for (const [at, text] of turns.entries()) {
    await scene.texting.text(phone, text)
    if (at === turns.length - 1 && while_asked !== undefined && model !== undefined)
      scene.responder.model = {
        ...model,
        async propose(request: ModelRequest) {
          const proposed = await model.propose(request)
          // Skip the request for the second look.
          if (!('findings' in (request.schema as { properties: object }).properties))
            await scene.texting.text(phone, while_asked)
          return proposed
        },
      }
    await scene.respond()
    scene.responder.model = model
    scene.app.clock.advance(1_000)
  }
  return id
}

test.each(conversations)('$name', async (conversation) => {
  const { turns, expect: expected } = conversation
  const id = await play(conversation)
  const written = (await scene.messagesOf(id)).filter((one) => one['ai_generated'] === true)
  const sent = written.filter(({ status }) => status === 'queued')
  expect(sent).toHaveLength(turns.length - (expected.becomes === 'sent' ? 0 : 1))
  const [last] = (await scene.generations(id)).toReversed()
  const codes = (orNotFound(last)['checks'] as string[]).filter((code) => code.startsWith('content_'))
  expect(codes).toEqual(expected.codes ?? [])
  const events = await eventsNamed(scene.app.databaseUrl, scene.texting.workspace.id, 'ai.handed_off')
  const reasons = events.flatMap((one) => (one['contact_id'] === id ? [one['reason']] : []))
  expect(reasons).toEqual(expected.becomes === 'handed_off' ? [expected.reason] : [])
  const paused = expected.becomes === 'handed_off' ? 'handoff' : (expected.paused ?? null)
  expect((await scene.contact(id))['ai_paused_reason']).toBe(paused)
})

test('the scripted conversations cover every kind', () => {
  expect(conversations).toHaveLength(32)
  const kinds = ['injection', 'steering', 'while the model is asked', 'the model', 'in Spanish']
  const count = (kind: string) => conversations.filter(({ name }) => name.includes(kind)).length
  expect(kinds.map(count)).toEqual([8, 6, 4, 7, 4])
})

test('an evaluation finds exactly the conversations with unacceptable proposals', async () => {
  const model = orNotFound(scene.responder.model)
  const judged = await Promise.all(
    conversations.map((conversation) => judgeModel(model, conversation, systemClock.now())),
  )
  const broken = judged.filter(({ faults }) => faults.length > 0).map(({ name }) => name)
  const expected = conversations.filter(
    ({ expect: { codes, reason }, model: lines }) =>
      codes !== undefined ||
      reason === 'model_down' ||
      reason === 'malformed' ||
      lines[0]?.['action'] === 'sing',
  )
  expect(broken).toEqual(expected.map(({ name }) => name))
})

test('an evaluation asks for each turn, with the model’s own earlier responses', async () => {
  const model = orNotFound(scene.responder.model)
  const given: ModelRequest['turns'][] = []
  const noting = {
    ...model,
    propose(request: ModelRequest) {
      given.push(request.turns)
      return model.propose(request)
    },
  }
  const conversation = orNotFound(conversations.find(({ name }) => name === 'several turns'))
  const judged = await judgeModel(noting, conversation, systemClock.now())
  expect(judged).toMatchObject({
    action: 'reply',
    text: 'Thank you. When would you like to move?',
    faults: [],
  })
  expect(given.map((turns) => turns.slice(2).map(({ role }) => role))).toEqual([
    ['user'],
    ['user', 'assistant', 'user'],
    ['user', 'assistant', 'user', 'assistant', 'user'],
  ])
  expect(given.at(-1)?.[3]?.content).toContain(
    'This is Alder, the AI assistant of Lantern & Oak. Which area do you have in mind?',
  )
})
