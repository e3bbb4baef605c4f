import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { idOf } from '#test/support/fixtures.ts'
import { gableWith } from '#test/support/gable.ts'
import { exampleDefinition } from './automation.ts'

let app: TestApp
let workspace: TestWorkspace
let folder: string
let file: string

const run = gableWith(() => ({ DATABASE_URL: app.databaseUrl }))
const gable = (command: string, ...rest: string[]) =>
  run.json('automation', command, '--workspace', workspace.id, ...rest)

beforeAll(async () => {
  app = await testApp({ now: new Date() })
  workspace = await app.workspace()
  folder = await mkdtemp(join(tmpdir(), 'gable-automation-'))
  file = join(folder, 'definition.json')
  await writeFile(file, JSON.stringify(exampleDefinition))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await app[Symbol.asyncDispose]()
})

test('the command line creates, publishes and enables an automation, and enrolls a contact once', async () => {
  expect(await gable('validate', '--file', file)).toMatchObject({
    valid: true,
    warnings: [{ path: 'definition.steps.0' }],
  })
  const { id } = (await gable('create', '--name', 'Welcome', '--file', file)) as { id: string }
  expect(await gable('publish', id)).toMatchObject({ version: 1, enabled: false })
  expect(await gable('enable', id)).toMatchObject({ enabled: true })
  const agent = await workspace.credential()
  const contact = idOf(await agent.post('/contacts', {}))
  expect(await gable('enroll', id, contact)).toMatchObject({ contact_id: contact, created: true })
  expect(await gable('enroll', id, contact)).toMatchObject({ contact_id: contact, created: false })
  expect(await gable('disable', id, '--running', 'cancel')).toMatchObject({
    enabled: false,
    running: 'cancel',
    change_id: expect.any(String),
  })
})

test('the command line lists what could have started an automation, and explains whether a contact would enter', async () => {
  const { id } = (await gable('create', '--name', 'Tags', '--file', file)) as { id: string }
  await gable('publish', id)
  await gable('enable', id)
  const agent = await workspace.credential()
  const contact = idOf(await agent.post('/contacts', {}))
  expect(await gable('explain', id, contact)).toMatchObject({ would_enter: true, reasons: [] })
  await gable('disable', id)
  expect(await gable('explain', id, contact)).toMatchObject({ would_enter: false, reasons: ['disabled'] })
  expect(await gable('entries', id, '--outcome', 'disabled', '--contact', contact)).toEqual([])
})
