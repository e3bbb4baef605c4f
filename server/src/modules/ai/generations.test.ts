import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { gableWith } from '#test/support/gable.ts'

let scene: AiScene

beforeAll(async () => {
  scene = await openAiScene([
    { match: 'person', say: { action: 'handoff', handoff_reason: 'asked' } },
    { match: '', say: { action: 'reply', text: 'Which day suits you?' } },
  ])
})
afterAll(() => scene[Symbol.asyncDispose]())

test('what the AI proposed can be read, with its checks, its price and what became of it, until the contact is erased', async () => {
  const { agent, workspace } = scene.texting
  const { id: persona } = await scene.persona()
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Is it still for sale?')
  await scene.respond()
  await scene.texting.text(phone, 'A person, please.')
  await scene.respond()
  const { data } = (await agent.get(`/generations?contact_id=${id}`)).body
  expect(data).toMatchObject([
    { decision: 'handed_off', reason: 'asked', proposal: { action: 'handoff' }, message_id: null },
    {
      contact_id: id,
      persona_id: persona,
      persona_version: 1,
      model: 'scripted',
      prompt_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      proposal: { action: 'reply', text: 'Which day suits you?' },
      checks: ['second_look_passed'],
      decision: 'queued',
      reason: null,
      price: expect.any(Number),
      message_id: expect.any(String),
      approved_by: null,
    },
  ])
  expect(data[1].prompt_tokens).toBeGreaterThan(0)
  expect((await agent.get(`/generations?contact_id=${id}&decision=queued`)).body.data).toHaveLength(1)
  expect((await agent.get(`/generations?persona_id=${String(persona)}`)).body.data).toHaveLength(2)
  const gable = gableWith(() => ({ DATABASE_URL: scene.app.databaseUrl }))
  const listed = await gable.json('ai', 'generations', '--workspace', workspace.id, '--contact', id)
  expect(listed).toEqual(data)
  await agent.delete(`/contacts/${id}`)
  const erased = (await agent.get(`/generations?contact_id=${id}`)).body.data
  expect(erased.map(({ proposal }: { proposal: unknown }) => proposal)).toEqual([null, null])
})
