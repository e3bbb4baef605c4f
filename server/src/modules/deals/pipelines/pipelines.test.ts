import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'

interface Stage {
  id: string
  name: string
  outcome: string
}
interface Pipeline {
  id: string
  name: string
  version: number
  is_default: boolean
  stages: Stage[]
}

let app: TestApp
let workspace: TestWorkspace
let agent: Client

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await app.workspace()
  agent = await workspace.credential()
})

const draft = {
  name: 'Commercial',
  stages: [
    { name: 'Talks', probability: 40, outcome: 'open' },
    { name: 'Contract', outcome: 'open', color: '#2563EB' },
    { name: 'Done', outcome: 'won' },
    { name: 'Gone', outcome: 'lost' },
  ],
}
const create = async (more: object = {}): Promise<Pipeline> =>
  (await agent.post('/pipelines', { ...draft, ...more })).body as Pipeline
const patch = ({ id }: Pipeline, body: object) => agent.patch(`/pipelines/${id}`, body)
const read = async ({ id }: Pipeline): Promise<Pipeline> =>
  (await agent.get(`/pipelines/${id}`)).body as Pipeline
const rejected = (status: number, path: string) => ({ status, body: { error: { details: [{ path }] } } })
const conflict = (code: string) => ({ status: 409, body: { error: { code } } })

test('a pipeline keeps the order of its stages, with defaults for omitted fields', async () => {
  const { id, stages } = await create({ deal_type: 'other' })
  expect(stages).toMatchObject([
    { name: 'Talks', probability: 40, color: null },
    { name: 'Contract', probability: 0, color: '#2563EB' },
    { name: 'Done', probability: 100 },
    { name: 'Gone', probability: 0 },
  ])
  expect((await agent.get(`/pipelines/${id}`)).body).toMatchObject({
    version: 1,
    stages,
    created_by: { type: 'api_key' },
  })
  const plain = (await agent.post('/pipelines', { name: 'Plain' })).body
  expect(plain['stages'].map(({ outcome }: Stage) => outcome)).toEqual(['open', 'won', 'lost'])
})

test.each(['open', 'won', 'lost'])(
  'a pipeline without a stage with the outcome %s returns 400',
  async (outcome) => {
    const stages = draft.stages.filter((stage) => stage.outcome !== outcome)
    expect(await agent.post('/pipelines', { ...draft, stages })).toMatchObject(rejected(400, 'stages'))
    const pipeline = await create()
    const kept = pipeline.stages.filter((stage) => stage.outcome !== outcome)
    expect(await patch(pipeline, { stages: kept, version: 1 })).toMatchObject(rejected(400, 'stages'))
  },
)

test('stages are replaced as a whole and matched by id', async () => {
  const pipeline = await create()
  const [talks, contract, done, gone] = pipeline.stages
  const stages = [
    gone,
    { id: contract?.id, name: 'Signed', outcome: 'open' },
    { name: 'Paid', outcome: 'won' },
    { ...done, name: 'Closed' },
  ]
  const { body } = await patch(pipeline, { stages, version: 1 })
  expect(body).toMatchObject({
    version: 2,
    stages: [
      gone,
      { id: contract?.id, name: 'Signed', color: '#2563EB' },
      { name: 'Paid', probability: 100 },
      { id: done?.id, name: 'Closed' },
    ],
  })
  expect(await read(pipeline)).toEqual(body)
  expect((await agent.post('/deals', { pipeline_id: pipeline.id, stage_id: talks?.id })).status).toBe(404)
  const same = await patch(pipeline, { stages: body['stages'], version: 2, name: draft.name })
  expect(same.body).toEqual(body)
})

test('a stale version returns 409, and stages without a version return 400', async () => {
  const pipeline = await create()
  await patch(pipeline, { name: 'Retail' })
  expect(await patch(pipeline, { stages: pipeline.stages, version: 1 })).toMatchObject(
    conflict('version_conflict'),
  )
  expect(await patch(pipeline, { name: 'Offices', version: 1 })).toMatchObject(conflict('version_conflict'))
  expect(await patch(pipeline, { stages: pipeline.stages })).toMatchObject(rejected(400, 'version'))
  expect((await read(pipeline)).version).toBe(2)
})

test('exactly one of 16 concurrent changes to the same version succeeds', async () => {
  const pipeline = await create()
  const responses = await Promise.all(
    Array.from({ length: 16 }, (_, n) => patch(pipeline, { name: `Name ${n}`, version: 1 })),
  )
  expect(responses.map(({ status }) => status).toSorted()).toEqual([
    200,
    ...Array.from({ length: 15 }, () => 409),
  ])
  expect((await read(pipeline)).version).toBe(2)
})

test('unknown stage ids return 404, and duplicate ids and ids of other pipelines 400', async () => {
  const [pipeline, other] = [await create(), await create()]
  const [first, ...rest] = pipeline.stages
  const send = (id: string | undefined) =>
    patch(pipeline, { stages: [{ ...first, id }, ...rest], version: 1 })
  expect(await send(newId(app.clock.now()))).toMatchObject(rejected(404, 'stages.0.id'))
  expect(await send(other.stages[0]?.id)).toMatchObject(rejected(400, 'stages.0.id'))
  expect(await send(rest[0]?.id)).toMatchObject(rejected(400, 'stages.1.id'))
  const copied = await agent.post('/pipelines', { ...draft, stages: pipeline.stages })
  expect(copied.body['error'].details).toHaveLength(pipeline.stages.length)
})

test('there is exactly one default pipeline, and it can be neither unset nor archived', async () => {
  const pipeline = await create()
  const { data } = (await agent.get('/pipelines')).body
  const before = data.find(({ is_default }: Pipeline) => is_default) as Pipeline
  for (const [body, path] of [
    [{ is_default: false }, 'is_default'],
    [{ archived: true }, 'archived'],
  ] as const)
    expect(await patch(before, body)).toMatchObject(rejected(400, path))
  await patch(pipeline, { is_default: true })
  const another = await create({ is_default: true })
  const defaults = (await agent.get('/pipelines')).body['data'].filter(
    ({ is_default }: Pipeline) => is_default,
  )
  expect(defaults.map(({ id }: Pipeline) => id)).toEqual([another.id])
  expect([(await read(before)).version, (await read(pipeline)).version]).toEqual([2, 3])
  expect((await agent.post('/deals')).body['pipeline_id']).toBe(another.id)
  await patch(pipeline, { archived: true })
  expect(await patch(pipeline, { is_default: true })).toMatchObject(rejected(400, 'is_default'))
})

test('the deals of an archived pipeline can still change', async () => {
  const pipeline = await create()
  const { id } = (await agent.post('/deals', { pipeline_id: pipeline.id })).body
  const { archived_at, updated_at } = (await patch(pipeline, { archived: true })).body
  expect(archived_at).not.toBeNull()
  expect((await patch(pipeline, { archived: true })).body).toMatchObject({ archived_at, updated_at })
  expect((await agent.patch(`/deals/${id}`, { status: 'won' })).body['status']).toBe('won')
  expect((await patch(pipeline, { archived: false })).body['archived_at']).toBeNull()
  expect((await agent.post('/deals', { pipeline_id: pipeline.id })).status).toBe(201)
})

test('removing a stage with deals requires move_to a stage with the same outcome', async () => {
  const pipeline = await create()
  const [talks, contract, done, gone] = pipeline.stages
  const add = async (stage: Stage | undefined) =>
    (await agent.post('/deals', { pipeline_id: pipeline.id, stage_id: stage?.id })).body['id'] as string
  const kept = await add(contract)
  const [low, high, cancelled, hidden] = [
    await add(talks),
    await add(talks),
    await add(talks),
    await add(talks),
  ]
  await agent.patch(`/deals/${cancelled}`, { status: 'cancelled' })
  await agent.delete(`/deals/${hidden}`)
  const without = { stages: [contract, done, gone], version: 1 }
  expect(await patch(pipeline, without)).toMatchObject(conflict('stage_in_use'))
  for (const move_to of [done?.id, talks?.id])
    expect(await patch(pipeline, { ...without, move_to })).toMatchObject(rejected(400, 'move_to'))
  expect(await patch(pipeline, { ...without, move_to: newId(app.clock.now()) })).toMatchObject(
    rejected(404, 'move_to'),
  )
  expect(
    await patch(pipeline, {
      stages: [{ ...talks, outcome: 'lost' }, contract, done],
      version: 1,
      move_to: contract?.id,
    }),
  ).toMatchObject(conflict('stage_in_use'))
  app.clock.advance(60_000)
  expect((await patch(pipeline, { ...without, move_to: contract?.id })).status).toBe(200)
  const { stages } = (await agent.get(`/pipelines/${pipeline.id}/board`)).body
  expect(stages[0].deals.map(({ id }: { id: string }) => id)).toEqual([kept, high, low])
  expect((await agent.post(`/deals/${hidden}/restore`)).body).toMatchObject({
    stage_id: contract?.id,
    status: 'open',
  })
  expect((await agent.get(`/deals/${cancelled}`)).body).toMatchObject({
    stage_id: contract?.id,
    status: 'cancelled',
  })
  const { data } = (await agent.get('/events?type=deal.stage_changed')).body
  expect(data.map((one: { data: { id: string } }) => one.data.id).toSorted()).toEqual(
    [low, high, cancelled].toSorted(),
  )
  expect(data[0].data).toMatchObject({ from_stage: { name: 'Talks' }, to_stage: { name: 'Contract' } })
})

test('a deleted deal moves to a stage with its outcome when the outcome of its stage changes', async () => {
  const pipeline = await create()
  const [talks, contract, done, gone] = pipeline.stages
  const { id } = (await agent.post('/deals', { pipeline_id: pipeline.id, stage_id: done?.id })).body
  await agent.delete(`/deals/${id}`)
  const stages = [talks, contract, { ...done, outcome: 'lost' }, { name: 'Paid', outcome: 'won' }, gone]
  const { body } = await patch(pipeline, { stages, version: 1 })
  expect((await agent.post(`/deals/${id}/restore`)).body).toMatchObject({
    status: 'won',
    stage_id: body['stages'][3].id,
  })
})

test('deals added while their stage is removed end up in the stage that replaces it', async () => {
  const pipeline = await create()
  const [talks, contract, done, gone] = pipeline.stages
  const add = () => agent.post('/deals', { pipeline_id: pipeline.id, stage_id: talks?.id })
  const removal = () => patch(pipeline, { stages: [contract, done, gone], version: 1, move_to: contract?.id })
  const eight = Array.from({ length: 8 }, () => add)
  const responses = await Promise.all([...eight, removal, ...eight].map((send) => send()))
  const statuses = responses.map(({ status }) => status)
  expect(statuses.filter((status) => ![200, 201, 404].includes(status))).toEqual([])
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  const created = statuses.filter((status) => status === 201).length
  const { data } = (await agent.get(`/deals?pipeline_id=${pipeline.id}&limit=200`)).body
  expect(data.map(({ stage_id }: { stage_id: string }) => stage_id)).toEqual(
    Array.from({ length: created }, () => contract?.id),
  )
})
