import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { idOf } from '#test/support/fixtures.ts'
import { gableWith } from '#test/support/gable.ts'

let app: TestApp
let workspace: TestWorkspace

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
})
afterAll(() => app[Symbol.asyncDispose]())

const gable = gableWith(() => ({ DATABASE_URL: app.databaseUrl }))
const of = () => ['--workspace', workspace.id] as const

test('`pipeline list` shows all pipelines in order', async () => {
  const agent = await workspace.credential()
  const first = idOf(await agent.post('/pipelines', { name: 'Commercial', order_weight: -5 }))
  await agent.patch(`/pipelines/${first}`, { archived: true })
  const { data } = (await agent.get('/pipelines')).body
  const listed = await gable.json('pipeline', 'list', ...of())
  expect(listed.map(({ name }: { name: string }) => name)).toEqual([
    'Commercial',
    'Buyers',
    'Sellers',
    'Rentals',
  ])
  expect(listed).toEqual(expect.arrayContaining(data))
  const { out } = await gable(['pipeline', 'list', ...of()])
  expect(out).toMatch(/Commercial +New, Won, Lost +archived\n/)
  expect(out).toMatch(/Buyers +New, Consultation, .* +default\n/)
})

test('`pipeline show` shows the stages in order, and finds no pipeline of another workspace', async () => {
  const agent = await workspace.credential()
  const id = idOf(await agent.post('/pipelines', { name: 'Land' }))
  expect(await gable.json('pipeline', 'show', id, ...of())).toEqual(
    (await agent.get(`/pipelines/${id}`)).body,
  )
  const { out } = await gable(['pipeline', 'show', id, ...of()])
  expect(out).toMatch(/Name +Land\n/)
  expect(out).toMatch(/New +10 % +open\n.*Won +100 % +won\n.*Lost +0 % +lost\n/)
  const other = (await app.workspace()).id
  expect(await gable.error('pipeline', 'show', id, '--workspace', other)).toMatchObject({
    code: 1,
    error: { code: 'not_found' },
  })
})
