import { describe, expect, test } from 'vitest'
import { deal, openDeals, pipelines, stage } from '#test/scenes/deals.ts'
import { agent, app } from '#test/scenes/workspace.ts'
import { testApp } from '#test/support/app.ts'

openDeals()

test('a workspace starts with three pipelines, with Buyers as the default', () => {
  const all = Object.values(pipelines)
  expect(all.map(({ name }) => name).toSorted()).toEqual(['Buyers', 'Rentals', 'Sellers'])
  expect(all.filter(({ is_default }) => is_default).map(({ name }) => name)).toEqual(['Buyers'])
  for (const { stages } of all)
    expect(new Set(stages.map(({ outcome }) => outcome))).toEqual(new Set(['open', 'won', 'lost']))
})

describe('status and stage', () => {
  const buyers = (name: string) => ({ stage_id: stage('Buyers', name) })

  test.each<[string, object, object]>([
    [
      'a won status goes to the first won stage',
      { status: 'won' },
      { status: 'won', stage: 'Closed', close_date: '2026-03-02' },
    ],
    [
      'a lost status to the first lost one',
      { status: 'lost' },
      { status: 'lost', stage: 'Lost', close_date: null },
    ],
    [
      'winning keeps a close date',
      { status: 'won', close_date: '2026-01-15' },
      { stage: 'Closed', close_date: '2026-01-15' },
    ],
    [
      'a pipeline alone begins in its first open stage',
      { pipeline: 'Sellers' },
      { stage: 'New', type: 'seller' },
    ],
    ['a cancelled deal keeps its stage', { status: 'cancelled' }, { stage: 'New', status: 'cancelled' }],
  ])(
    'on create, %s',
    async (
      _,
      { pipeline, ...draft }: { pipeline?: string },
      { stage: name, ...shown }: { stage?: string },
    ) => {
      const created = await deal({ ...draft, ...(pipeline && { pipeline_id: pipelines[pipeline]?.id }) })
      expect(created).toMatchObject({ ...shown, stage_id: stage(pipeline ?? 'Buyers', name ?? '') })
    },
  )

  test('a move sets the status to the outcome of the stage and ends a cancellation', async () => {
    app.clock.advance(60_000)
    const { id } = await deal()
    const patch = async (body: object) => (await agent.patch(`/deals/${id}`, body)).body
    expect(await patch(buyers('Closed'))).toMatchObject({
      status: 'won',
      close_date: '2026-03-02',
      probability: 100,
    })
    expect(await patch({ status: 'open' })).toMatchObject({ status: 'open', ...buyers('New') })
    expect(await patch({ status: 'cancelled' })).toMatchObject({ status: 'cancelled', ...buyers('New') })
    expect(await patch(buyers('New'))).toMatchObject({ status: 'cancelled' })
    expect(await patch({ status: 'open' })).toMatchObject({ status: 'open', ...buyers('New') })
    await patch({ status: 'cancelled' })
    expect(await patch(buyers('Offer'))).toMatchObject({ status: 'open', ...buyers('Offer') })
    const { id: sellers } = pipelines['Sellers'] ?? { id: '' }
    expect(await patch({ pipeline_id: sellers })).toMatchObject({
      pipeline_id: sellers,
      stage_id: stage('Sellers', 'New'),
    })
    expect(await patch({ pipeline_id: sellers, status: 'lost' })).toMatchObject({
      stage_id: stage('Sellers', 'Lost'),
    })
  })

  test.each<[string, object, string]>([
    ['a stage of another pipeline', { stage: ['Sellers', 'Active'] }, 'stage_id'],
    ['a status that the stage contradicts', { status: 'won', stage: ['Buyers', 'Offer'] }, 'status'],
    ['a cancellation with a move', { status: 'cancelled', stage: ['Buyers', 'Offer'] }, 'status'],
  ])('%s returns 400', async (_, { stage: named, ...body }: { stage?: [string, string] }, path) => {
    const { id } = await deal()
    const patch = { ...body, ...(named && { stage_id: stage(...named) }) }
    expect(await agent.patch(`/deals/${id}`, patch)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path }] } },
    })
  })

  test('a stage of another pipeline requires that pipeline’s id', async () => {
    const body = { pipeline_id: pipelines['Rentals']?.id, stage_id: stage('Rentals', 'Leased') }
    expect(await deal(body)).toMatchObject({ ...body, status: 'won', type: 'tenant' })
    expect((await agent.post('/deals', { stage_id: body.stage_id })).status).toBe(400)
  })

  test('the close date of a won deal is the date in the workspace’s time zone', async () => {
    const late = await testApp({ now: '2026-07-05T03:30:00.000Z' })
    await using _ = late
    const client = await late.credential()
    expect((await client.post('/deals', { status: 'won' })).body['close_date']).toBe('2026-07-04')
  })
})
