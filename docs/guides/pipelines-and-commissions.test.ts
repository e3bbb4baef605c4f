import { appSecret, type TestApp, type TestWorkspace, testApp } from '@gable/server/test/support/app.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GuidePage, guidePage, like } from '../support/guide-page.ts'

type Json = Record<string, unknown>

// One of the blocks is a process.
vi.setConfig({ testTimeout: 180_000 })

const opened = new AsyncDisposableStack()
let page: GuidePage
let app: TestApp
let workspace: TestWorkspace
let variables: Record<string, string>

beforeAll(async () => {
  page = opened.use(await guidePage('pipelines-and-commissions', { commands: true }))
  app = opened.use(await testApp())
  workspace = await app.workspace()
  const { key = '' } = await workspace.credential('deals:read', 'deals:write', 'settings:manage')
  variables = {
    API: app.base,
    KEY: key,
    WORKSPACE: workspace.id,
    AGENT: (await workspace.member()).id,
    DATABASE_URL: app.databaseUrl,
    APP_SECRET: appSecret,
  }
})
afterAll(() => opened.disposeAsync())

const curl = async (part: string) => JSON.parse(await page.curl(part, variables)) as Json

test('the guide works from the first pipeline to the payout', async () => {
  const listed = await page.curl('pipelines list', variables)
  for (const name of ['Buyers', 'Sellers', 'Rentals']) expect(listed).toContain(name)
  const pipeline = await curl('"name": "Commercial"')
  expect(pipeline).toEqual(like(page.shown('"version": 1')))
  const [tour, letter, won, lost] = (pipeline['stages'] as { id: string }[]).map(({ id }) => id)
  Object.assign(variables, { PIPELINE: pipeline['id'], TOUR: tour, LETTER: letter, WON: won, LOST: lost })
  const changed = await curl('Lease review')
  expect((changed['stages'] as Json[]).map(({ id, name }) => [id, name])).toEqual([
    [tour, 'Tour'],
    [letter, 'Letter of intent'],
    [expect.any(String), 'Lease review'],
    [won, 'Closed'],
    [lost, 'Lost'],
  ])

  const deal = await curl('"pipeline_id"')
  expect(deal).toEqual(like(page.shown('"commission": null')))
  variables['DEAL'] = String(deal['id'])
  expect(await curl('"place"')).toMatchObject({ stage_id: letter, probability: 60 })
  const { stages } = await curl('/board')
  expect((stages as Json[]).map(({ name, count }) => [name, count])).toEqual([
    ['Tour', 0],
    ['Letter of intent', 1],
    ['Lease review', 0],
    ['Closed', 0],
    ['Lost', 0],
  ])

  const agreed = await curl('"rate_percent": 2.5, "splits"')
  expect(agreed).toEqual(like(page.shown('"payout": 562.5')))
  const sold = await curl('"status": "won"')
  expect(sold).toEqual(like(page.shown('"status": "won"')))
  expect(page.notRun()).toEqual([])

  const agent = await workspace.credential()
  const { body } = await agent.patch(`/deals/${variables['DEAL']}`, { close_price: 500_000 })
  expect(body['commission']).toEqual(sold['commission'])
})

test('deals move as the table in the guide states', async () => {
  const agent = await workspace.credential()
  const { id } = (await agent.post('/deals', {})).body
  const move = async (patch: object) => (await agent.patch(`/deals/${id}`, patch)).body
  const before = await move({ status: 'won' })
  expect(before).toMatchObject({ status: 'won', probability: 100 })
  expect(await move({ status: 'cancelled' })).toMatchObject({
    status: 'cancelled',
    stage_id: before['stage_id'],
  })
  const board = await agent.get(`/pipelines/${before['pipeline_id']}/board`)
  expect(JSON.stringify(board.body)).not.toContain(id)
  const { data } = (await agent.get('/pipelines')).body
  const other = (data as { id: string; stages: { id: string }[] }[]).find(
    (one) => one.id !== before['pipeline_id'],
  )
  expect(await move({ pipeline_id: other?.id })).toMatchObject({
    status: 'open',
    stage_id: other?.stages[0]?.id,
  })
})
