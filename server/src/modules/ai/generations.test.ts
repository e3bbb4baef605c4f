import { afterAll, beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { asOwner } from '#test/support/database.ts'
import { gableWith } from '#test/support/gable.ts'
import { writeOutreach } from './outreach/write-outreach.ts'
import type { ModelRequest } from './ports.ts'

let scene: AiScene

beforeAll(async () => {
  scene = await openAiScene([
    {
      match: 'person',
      say: {
        action: 'handoff',
        handoff_reason: 'asked',
        disposition: 'callback_requested',
        extracted: { timeframe: null, area: 'Evanston', budget: null },
      },
    },
    { match: 'odd', say: { action: 'reply', text: 'Gladly.\0 Which\uD800 day?' } },
    { match: '', say: { action: 'reply', text: 'Which day suits you?' } },
  ])
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a generation shows its proposal, checks, price, and decision until the contact is erased', async () => {
  const { agent, workspace } = scene.texting
  const { id: persona } = await scene.persona()
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Is it still for sale?')
  await scene.respond()
  await scene.texting.text(phone, 'A person, please.')
  await scene.respond()
  const { data } = (await agent.get(`/generations?contact_id=${id}`)).body
  expect(data).toMatchObject([
    {
      decision: 'handed_off',
      reason: 'asked',
      proposal: { action: 'handoff', disposition: 'callback_requested', extracted: { area: 'Evanston' } },
      message_id: null,
    },
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
      decided_by: null,
    },
  ])
  expect(data[1].prompt_tokens).toBeGreaterThan(0)
  expect((await agent.get(`/generations?contact_id=${id}&decision=queued`)).body.data).toHaveLength(1)
  expect((await agent.get(`/generations?persona_id=${String(persona)}`)).body.data).toHaveLength(2)
  const gable = gableWith(() => ({ DATABASE_URL: scene.app.databaseUrl }))
  const listed = await gable.json('generations', 'list', '--workspace', workspace.id, '--contact-id', id)
  expect(listed.data).toEqual(data)
  await agent.delete(`/contacts/${id}`)
  const erased = (await agent.get(`/generations?contact_id=${id}`)).body.data
  expect(erased.map(({ proposal }: { proposal: unknown }) => proposal)).toEqual([null, null])
})

const gable = () => gableWith(() => ({ DATABASE_URL: scene.app.databaseUrl }))

/** Everything that the model is given while `work` runs. */
async function givenDuring(work: () => Promise<unknown>): Promise<Pick<ModelRequest, 'system' | 'turns'>[]> {
  const model = orNotFound(scene.responder.model)
  const given: Pick<ModelRequest, 'system' | 'turns'>[] = []
  scene.responder.model = {
    ...model,
    propose(request) {
      given.push({ system: request.system, turns: request.turns })
      return model.propose(request)
    },
  }
  await work()
  scene.responder.model = model
  return given
}

const rebuilt = (id: unknown) =>
  gable().json('generations', 'prompt', String(id), '--workspace', scene.texting.workspace.id)

/** The expected rebuilt prompt: what the model was given, with its stored digest. */
const same = ({ system, turns }: Pick<ModelRequest, 'system' | 'turns'>, digest: unknown) => ({
  system,
  turns,
  digest,
  is_same: true,
})

test('the prompts of a response can be rebuilt byte for byte, even after everything changes', async () => {
  const { agent, workspace, text } = scene.texting
  const { id: persona } = await scene.persona({
    knowledge: 'Open until 6 pm.',
    prohibited_topics: ['commissions'],
  })
  const { id: memberId } = await workspace.member()
  const condo = { status: 'active', list_agent_id: memberId, list_price: 489_000, street_name: 'Alder Court' }
  const { id: listing } = (await agent.post('/listings', { ...condo, city: 'Evanston' })).body
  const { id, phone } = await scene.person()
  await agent.patch(`/contacts/${id}`, { first_name: 'Ada' })
  await text(phone, `What about Alder Court? ${'🏡'.repeat(800)}`)
  const given = await givenDuring(() => scene.respond())
  expect(given).toHaveLength(2)
  await agent.patch(`/personas/${String(persona)}`, { knowledge: 'Closed.', prohibited_topics: [] })
  await agent.patch(`/listings/${listing}`, { list_price: 1 })
  await agent.patch(`/contacts/${id}`, { first_name: 'Eve' })
  await text(phone, 'Hello?')
  const [generation] = await scene.generations(id)
  const { prompt_digest, review_digest } = orNotFound(generation)
  expect(review_digest).toMatch(/^[0-9a-f]{64}$/)
  expect(await rebuilt(orNotFound(generation)['id'])).toMatchObject({
    prompt: same(orNotFound(given[0]), prompt_digest),
    second_look: same(orNotFound(given[1]), review_digest),
  })
  await agent.delete(`/contacts/${id}`)
  expect(await rebuilt(orNotFound(generation)['id'])).toMatchObject({ prompt: null, second_look: null })
  await agent.patch(`/personas/${String(persona)}`, { enabled: false })
})

test('the prompts of AI outreach can be rebuilt too', async () => {
  const { agent, workspace } = scene.texting
  const { id: persona } = await scene.persona()
  const { id } = await scene.person()
  const outreach = {
    contact_id: id,
    persona_id: String(persona),
    channel: 'SMS',
    purpose: 'Ask for a visit.',
  } as const
  const given = await givenDuring(async () =>
    expect(await writeOutreach(workspace.ctx, outreach, scene.responder)).toMatchObject({ outcome: 'done' }),
  )
  const generation = orNotFound((await scene.generations(id))[0])
  expect(JSON.stringify(given)).toContain('Ask for a visit.')
  expect(await rebuilt(generation['id'])).toMatchObject({
    prompt: same(orNotFound(given[0]), generation['prompt_digest']),
    second_look: same(orNotFound(given[1]), generation['review_digest']),
  })
  await agent.patch(`/personas/${String(persona)}`, { enabled: false })
})

test('a rebuilt prompt that differs from the original is reported as not the same', async () => {
  await scene.persona()
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Hi')
  await scene.respond()
  const generation = orNotFound((await scene.generations(id))[0])
  await asOwner(
    scene.app.databaseUrl,
    `update generations set material = jsonb_set(material, '{firstName}', '"Mallory"') where id = $1`,
    [generation['id']],
  )
  const workspace = scene.texting.workspace.id
  const result = await gable()(['generations', 'prompt', String(generation['id']), '--workspace', workspace])
  expect(result).toMatchObject({ code: 1, out: expect.stringContaining('NOT the same') })
})

test('a proposal with characters a database cannot store is kept without them', async () => {
  const { id: persona } = await scene.persona()
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Write something odd')
  await scene.respond()
  const [generation] = (await scene.texting.agent.get(`/generations?contact_id=${id}`)).body.data
  expect(generation).toMatchObject({
    decision: 'queued',
    price: 0,
    proposal: { text: 'Gladly. Which\uFFFD day?' },
  })
  await scene.texting.agent.patch(`/personas/${String(persona)}`, { enabled: false })
})

test('a dropped message names who dropped it; one that Gable replaces is withdrawn', async () => {
  const { agent, text } = scene.texting
  for (const { id } of (await agent.get('/personas?enabled=true')).body.data)
    await agent.patch(`/personas/${id}`, { enabled: false })
  await scene.persona({ mode: 'approve' })
  const { id, phone } = await scene.person()
  const respondTo = async (body: string) => {
    await text(phone, body)
    await scene.respond()
    return orNotFound((await agent.get(`/generations?contact_id=${id}`)).body.data[0])
  }
  const dropped = await respondTo('Hi')
  await agent.post(`/messages/${dropped.message_id}/cancel`)
  await respondTo('Hello')
  await respondTo('Anyone?')
  expect((await agent.get(`/generations?contact_id=${id}`)).body.data).toMatchObject([
    { decision: 'pending', decided_by: null },
    { decision: 'withdrawn', decided_by: { type: 'system', id: null } },
    { decision: 'dropped', decided_by: { type: 'api_key', id: agent.keyId } },
  ])
})
