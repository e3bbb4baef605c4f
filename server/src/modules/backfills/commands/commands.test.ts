import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { idOf } from '#test/support/fixtures.ts'
import { gableWith } from '#test/support/gable.ts'
import { exampleDefinition } from '../../automations/automation.ts'

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

test('the command line dry-runs and migrates, and pauses, resumes, and cancels enrollments', async () => {
  const { id } = (await gable('create', '--name', 'Second', '--file', file)) as { id: string }
  const agent = await workspace.credential()
  const contact = idOf(await agent.post('/contacts', {}))
  await gable('publish', id)
  await gable('enable', id)
  const { id: enrollment } = (await gable('enroll', id, contact)) as { id: string }
  const dry = await gable('dry-run', id, contact, '--version', '1')
  expect(dry).toMatchObject({ status: 'completed', steps: [{ step_key: 'hello' }, {}, {}] })
  const assume = join(folder, 'assume.json')
  const at = new Date(Date.now() + 3_600_000).toISOString()
  await writeFile(assume, JSON.stringify([{ at, event: 'message.received' }]))
  expect(await gable('dry-run', id, contact, '--assume', assume)).toMatchObject({ reason: 'replied' })
  await writeFile(assume, JSON.stringify([{ event: 'message.received' }]))
  expect(
    await run.error('automation', 'dry-run', id, contact, '--workspace', workspace.id, '--assume', assume),
  ).toMatchObject({ error: { code: 'validation_failed', details: [{ path: 'assume.0.at' }] } })

  const on = (command: string, ...rest: string[]) =>
    run.json('enrollment', command, '--workspace', workspace.id, ...rest)
  expect(await on('pause', enrollment)).toMatchObject({ status: 'paused' })
  expect(await on('list', '--automation', id, '--status', 'paused')).toMatchObject([{ id: enrollment }])
  expect(await on('list', '--contact', contact)).toMatchObject([{ id: enrollment }])
  expect(await on('resume', enrollment)).toMatchObject({ status: 'queued' })
  expect(await on('show', enrollment)).toMatchObject({ id: enrollment, steps: [], next: { key: 'hello' } })
  expect(await on('cancel', enrollment)).toMatchObject({ status: 'cancelled' })

  expect(await gable('migrate', id, '--to', '1')).toMatchObject({
    action: 'migrate',
    total: 0,
    status: 'done',
  })
  expect(await gable('changes', id)).toMatchObject([{ action: 'migrate', version: 1 }])
  expect(await gable('versions', id)).toMatchObject([
    { version: 1, active: 0, definition: exampleDefinition, created_by: { type: 'operator' } },
  ])
  expect(await gable('show', id, '--version', '1')).toMatchObject({
    version: 1,
    definition: exampleDefinition,
  })
  expect(
    await run.error('automation', 'show', id, '--workspace', workspace.id, '--version', '2'),
  ).toMatchObject({
    error: { code: 'not_found' },
  })
})

test('--help of every command lists --json and an example', async () => {
  for (const [noun, names] of [
    [
      'automation',
      ['list', 'show', 'create', 'update', 'validate', 'publish', 'enable', 'disable', 'enroll'],
    ],
    ['automation', ['dry-run', 'migrate', 'versions', 'changes', 'entries', 'explain', 'schema']],
    ['enrollment', ['list', 'show', 'pause', 'resume', 'cancel']],
  ] as const)
    for (const name of names) {
      const { code, out } = await run([noun, name, '--help'])
      expect([code, out.includes('--json'), out.includes('Example:')], `${noun} ${name}`).toEqual([
        0,
        true,
        true,
      ])
    }
})

test('the command line lists entries and explains whether a contact would enter', async () => {
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

test('the command line updates and archives an automation, and enrolls with a context', async () => {
  const { id } = (await gable('create', '--name', 'Third', '--description', 'First.', '--file', file)) as {
    id: string
  }
  expect(await gable('update', id, '--name', 'Fourth', '--description', 'Then.')).toMatchObject({
    name: 'Fourth',
    description: 'Then.',
    draft_version: 1,
  })
  expect(await run.error('automation', 'update', id, '--workspace', workspace.id)).toBeDefined()
  await gable('publish', id)
  await gable('enable', id)
  const agent = await workspace.credential()
  const contact = idOf(await agent.post('/contacts', {}))
  const context = join(folder, 'context.json')
  await writeFile(context, JSON.stringify({ listing: '48 Alder Court' }))
  expect(await gable('enroll', id, contact, '--context', context)).toMatchObject({
    context: { listing: '48 Alder Court' },
  })
  const enabled = await run.error('automation', 'archive', id, '--workspace', workspace.id)
  expect(enabled).toMatchObject({ error: { code: 'automation_enabled' } })
  await gable('disable', id)
  expect(await gable('archive', id)).toMatchObject({ archived_at: expect.any(String) })
  const ids = async (...rest: string[]) =>
    ((await gable('list', ...rest)) as { id: string }[]).map((one) => one.id)
  expect([(await ids()).includes(id), (await ids('--archived')).includes(id)]).toEqual([false, true])
  expect(await gable('unarchive', id)).toMatchObject({ archived_at: null })
})

test('the command line starts, paces, pauses, resumes and cancels a backfill', async () => {
  const { id } = (await gable('create', '--name', 'Fifth', '--file', file)) as { id: string }
  await gable('publish', id)
  await gable('enable', id)
  const conditions = join(folder, 'conditions.json')
  await writeFile(conditions, JSON.stringify({ field: 'contact.source', operator: 'eq', value: 'Expo' }))
  const on = (command: string, ...rest: string[]) =>
    run.json('backfill', command, '--workspace', workspace.id, ...rest)
  const started = (await on('start', id, '--file', conditions, '--per-hour', '60')) as { id: string }
  expect(started).toMatchObject({ automation_id: id, per_hour: 60, status: 'running' })
  expect(await on('start', id, '--file', conditions, '--paused')).toMatchObject({ status: 'paused' })
  expect(await on('pause', started.id)).toMatchObject({ status: 'paused' })
  expect(await on('resume', started.id)).toMatchObject({ status: 'running' })
  expect(await on('pace', started.id, '--per-hour', '30')).toMatchObject({ per_hour: 30 })
  expect(await on('show', started.id)).toMatchObject({ id: started.id, counts: { entered: 0 } })
  expect(await on('list', id)).toMatchObject([{ status: 'paused' }, { id: started.id }])
  expect(await on('cancel', started.id)).toMatchObject({ status: 'cancelled' })
})
