import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { ruleSets } from '#test/support/arbitrary-routing.ts'
import { personIn } from '#test/support/browser.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/routing.ts'
import { sessionClient } from '#test/support/session-client.ts'
import { createOffice, createTeam } from '../workspaces/public.ts'
import { builtInRules, exportRules } from './rules/parse-rules.ts'
import { readRules } from './rules/read-rules.ts'

let app: TestApp
let workspace: TestWorkspace
let admin: Client

beforeAll(async () => void (app = await testApp()))
beforeEach(async () => {
  workspace = await app.workspace()
  admin = await workspace.credential('settings:manage')
})
afterAll(() => app[Symbol.asyncDispose]())

const rule = (name: string, more: object = {}) => ({
  name,
  method: 'round_robin',
  pool: { everyone: true },
  ...more,
})
const get = async () => (await admin.get('/routing-rules')).body
const put = (body: object, client = admin) => client.request('PUT', '/routing-rules', { body })
const versions = async () => (await admin.get('/routing-rules/versions')).body['data']
const events = () =>
  asOwner<{ actor: object; data: object }>(
    app.databaseUrl,
    "select actor, data from events where workspace_id = $1 and name = 'routing_rules.changed' order by id",
    [workspace.id],
  )

test('the built-in rules apply as version 0 until rules are set', async () => {
  expect(await get()).toEqual(exportRules(builtInRules))
  expect(await versions()).toEqual([])
  expect(await put(await get())).toMatchObject({ status: 200, body: { version: 0 } })
  const { body } = await put({ timezone: 'America/Chicago', rules: [rule('Web')] })
  expect(body).toMatchObject({
    version: 1,
    timezone: 'America/Chicago',
    default: { name: 'Round robin' },
    rules: [{ id: expect.any(String), ...rule('Web') }],
  })
  expect(await get()).toEqual(body)
})

test('putting rules back as they were read changes nothing', async () => {
  const made = async (count: number, make: () => Promise<{ id: string }>) =>
    Promise.all(Array.from({ length: count }, async () => (await make()).id))
  const members = await made(9, () => workspace.member())
  const teams = await made(2, () => createTeam(workspace.ctx, { name: 'A team' }))
  const [office = ''] = await made(1, () => createOffice(workspace.ctx, { name: 'An office' }))
  const real = new Map([
    ...members.map((id, i) => [idOf(i + 1), id] as const),
    ...teams.map((id, i) => [idOf(i + 101), id] as const),
    [idOf(201), office],
  ])
  const isValid = (parts: object) => {
    try {
      readRules({ rules: [], ...parts })
      return true
    } catch {
      return false
    }
  }
  await fc.assert(
    fc.asyncProperty(ruleSets, async (set) => {
      app.clock.advance(60_000)
      const { version: _, default: fallback, rules, ...rest } = exportRules(set)
      const valid = { ...rest, rules: rules.filter((one) => isValid({ rules: [one] })) }
      const document = isValid({ default: fallback }) ? { ...valid, default: fallback } : valid
      const text = JSON.stringify(document).replaceAll(/c0{20}\d{4}/g, (id) => real.get(id) ?? id)
      const stored = await put(JSON.parse(text) as object)
      expect(stored.status).toBe(200)
      expect(await get()).toEqual(stored.body)
      expect(await put(stored.body)).toMatchObject({ status: 200, body: stored.body })
      expect(await get()).toEqual(stored.body)
    }),
    { numRuns: 30 },
  )
})

test('a rule keeps its id when renamed, and is matched by name without one', async () => {
  const first = (await put({ rules: [rule('Web'), rule('Portal')] })).body
  const [web, portal] = first['rules']
  const renamed = { ...first, rules: [{ ...web, name: 'Website' }, rule('Portal', { priority: 7 })] }
  const { body } = await put(renamed)
  expect(body['rules']).toEqual([
    { ...portal, priority: 7 },
    { ...web, name: 'Website' },
  ])
})

test('a document based on an earlier version returns 409 and changes nothing', async () => {
  const first = (await put({ rules: [rule('Web')] })).body
  const second = (await put({ ...first, timezone: 'UTC' })).body
  const stale = await put({ ...first, rules: [] })
  expect(stale).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  expect(stale.body['error'].message).toContain('2')
  expect(await get()).toEqual(second)
  expect(await versions()).toHaveLength(2)
})

test('if documents based on the same version race, exactly one succeeds', async () => {
  const { version } = (await put({ rules: [rule('Web')] })).body
  const names = ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Fay', 'Gus', 'Hal']
  const responses = await Promise.all(names.map((name) => put({ version, rules: [rule(name)] })))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...names.slice(1).map(() => 409)])
  const winner = responses.find(({ status }) => status === 200)
  expect(await get()).toEqual(winner?.body)
  expect(await versions()).toHaveLength(2)
})

test('issues are reported with their paths, and nothing changes', async () => {
  const pool = { members: [newId(app.clock.now())] }
  const { status, body } = await put({
    timezone: 'America/Chicgo',
    default: { method: 'direct', pool: { everyone: true } },
    rules: [
      rule('a', { metod: 'direct', priority: -1, weights: { [pool.members[0] ?? '']: 1 } }),
      rule('a', { conditions: { all: [{ field: 'prize', operator: 'gte', value: 1 }] } }),
      rule('c', { schedule: { from: '9:00', to: '17:00' }, fallback: [{ method: 'direct' }] }),
      rule('d', { method: 'first_to_claim', caps: { open: 0 } }),
      ...Array.from({ length: 200 }, () => ({})),
    ],
  })
  expect([status, body['error'].code]).toEqual([400, 'validation_failed'])
  const paths = body['error'].details.map(({ path }: { path: string }) => path)
  expect(paths).toHaveLength(100)
  expect(paths).toEqual(
    expect.arrayContaining([
      'rules.0.metod',
      'rules.0.priority',
      'rules.1.conditions.all.0.field',
      'rules.2.schedule.from',
      'rules.2.fallback.0.method',
      'rules.3.caps.open',
      'rules.4.name',
    ]),
  )
  const few = await put({
    timezone: 'America/Chicgo',
    default: { method: 'direct', pool: { everyone: true } },
    rules: [rule('a', { weights: { [pool.members[0] ?? '']: 1 } }), rule('a')],
  })
  expect(few.body['error'].details.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    'default.pool',
    'rules.0.weights',
    'rules.1.name',
    'timezone',
  ])
  expect(await versions()).toEqual([])
})

test('an unknown member, team, or office is reported with its path', async () => {
  const elsewhere = await app.workspace()
  const { id: member } = await elsewhere.member()
  const { id: team } = await createTeam(elsewhere.ctx, { name: 'A team' })
  const { id: office } = await createOffice(elsewhere.ctx, { name: 'An office' })
  const { status, body } = await put({
    default: { method: 'round_robin', pool: { members: [(await workspace.member()).id, member] } },
    rules: [
      rule('a', { pool: { team_id: team }, fallback: [{ member_id: member }] }),
      rule('b', { pool: { office_id: office } }),
      rule('c', { conditions: { field: 'office_id', operator: 'eq', value: newId(app.clock.now()) } }),
    ],
  })
  expect(status).toBe(400)
  expect(body['error'].details).toEqual([
    { path: 'default.pool.members.1', message: 'names no member of this workspace' },
    { path: 'rules.0.pool.team_id', message: 'names no team of this workspace' },
    { path: 'rules.0.fallback.0.member_id', message: 'names no member of this workspace' },
    { path: 'rules.1.pool.office_id', message: 'names no office of this workspace' },
    { path: 'rules.2.conditions.value', message: 'names no office of this workspace' },
  ])
  expect(await versions()).toEqual([])
})

test('each change creates an immutable version that can be restored', async () => {
  const first = (await put({ timezone: 'UTC', rules: [rule('Web')] })).body
  const [{ id }] = await versions()
  const read = async () => (await admin.get(`/routing-rules/versions/${id}`)).body
  const { version: _, ...document } = first
  const before = await read()
  expect(before).toMatchObject({ id, version: 1, actor: { type: 'api_key' }, document })
  expect(before['document']).not.toHaveProperty('version')
  const owner = await personIn(workspace)
  await put({ rules: [] }, await sessionClient(app, owner, workspace.id))
  expect(await read()).toEqual(before)
  expect(await versions()).toMatchObject([
    { version: 2, actor: { type: 'member', id: owner.member.id, name: owner.member.name } },
    { id, version: 1 },
  ])
  expect((await admin.get('/routing-rules/versions?version=1')).body['data']).toMatchObject([{ id }])
  const back = (await put(before['document'])).body
  expect(back).toMatchObject({ version: 3, timezone: 'UTC', rules: [rule('Web')] })
})

test('each change publishes one event, and a document that changes nothing publishes none', async () => {
  const { version, ...document } = (await put({ rules: [rule('Web')] })).body
  await put(document)
  await put({ version: version - 1, rules: [] })
  await put({ rules: [{}] })
  const [{ id }] = await versions()
  const actor = { type: 'api_key', id: admin.keyId, name: 'A key' }
  expect(await events()).toEqual([{ actor, data: { id, version: 1 } }])
})

test('owners and admins may manage the rules, and agents may not even read them', async () => {
  for (const role of ['owner', 'admin'] as const) {
    const client = await sessionClient(app, await personIn(workspace, role), workspace.id)
    expect((await put({ rules: [rule(role)] }, client)).status).toBe(200)
  }
  const agent = await sessionClient(app, await personIn(workspace, 'agent'), workspace.id)
  const [{ id }] = await versions()
  for (const path of ['', '/versions', `/versions/${id}`])
    expect((await agent.get(`/routing-rules${path}`)).status, path).toBe(403)
  expect((await put({ rules: [] }, agent)).status).toBe(403)
  expect(await versions()).toHaveLength(2)
})

test('a validation returns the changes or the errors, and changes nothing', async () => {
  const stored = (await put({ rules: [rule('Web'), rule('Portal')] })).body
  const [web, portal] = stored['rules']
  const validate = (body: object) => admin.post('/routing-rules/validate', body)
  expect(await validate(stored)).toMatchObject({
    status: 200,
    body: { version: 1, added: [], changed: [], removed: [], default_changed: false, timezone: null },
  })
  const { body } = await validate({
    timezone: 'UTC',
    default: { method: 'pond', pool: { everyone: true } },
    rules: [{ ...web, enabled: false }, rule('New')],
  })
  expect(body).toEqual({
    version: 1,
    added: [{ id: null, name: 'New' }],
    changed: [{ id: web.id, name: 'Web' }],
    removed: [{ id: portal.id, name: 'Portal' }],
    default_changed: true,
    timezone: { from: 'America/New_York', to: 'UTC' },
  })
  expect((await validate({ version: 7, rules: [] })).status).toBe(409)
  const unknown = await validate({ rules: [rule('a', { pool: { team_id: newId(app.clock.now()) } })] })
  expect(unknown.body['error'].details).toMatchObject([{ path: 'rules.0.pool.team_id' }])
  expect(await get()).toEqual(stored)
  expect(await versions()).toHaveLength(1)
})

test('the published schema accepts the stored rules and rejects a misspelled field', async () => {
  const stored = (await put({ rules: [rule('Web')] })).body
  const schema = (await admin.get('/routing-rules/schema')).body
  const validate = new Ajv2020({ strict: false }).compile(schema)
  expect(validate(stored), JSON.stringify(validate.errors)).toBe(true)
  expect(validate({ rules: [rule('Web', { metod: 'direct' })] })).toBe(false)
})
