import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { listApiKeys } from '../../src/modules/access/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { createClient } from '../support/client.ts'
import { type User, anOwner, issuesIn, secretIn, userIn, textOf } from './scene.ts'

let app: TestApp
let owner: User

beforeAll(async () => {
  app = await testApp()
  owner = await anOwner(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const keysOf = (user: User) => listApiKeys(app.runtime.database.directory, user.workspace.id)
const dayMs = 24 * 60 * 60_000

const whole = { name: 'Website form', scopes: ['contacts:write', 'leads:read'], expires_in_days: '30' }

test('the page says if there are no API keys', async () => {
  const newcomer = await anOwner(app)
  expect(textOf(await newcomer.get(`${newcomer.base}/keys`))).toContain('No API keys yet.')
})

test('a key is created, shown once, used, listed by its prefix, and revoked', async () => {
  const made = await owner.submit(`${owner.base}/keys/new`, whole)
  expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const key = secretIn(made)
  expect(key).toMatch(/^gbl_key_/)
  const client = createClient(app.base, { key })
  expect((await client.get('/ping')).body).toMatchObject({
    credential: { name: 'Website form' },
    scopes: ['contacts:read', 'contacts:write', 'leads:read'],
  })

  // The time of last use is written after the response.
  await eventually(async () => {
    const list = await owner.get(`${owner.base}/keys`)
    expect(list.body).not.toContain(key)
    expect(textOf(list)).toContain(
      `Website form ${key.slice(0, 12)}… the workspace contacts:write, leads:read 2026-03-02 2026-03-02 15:00 UTC`,
    )
  })
  const [row] = await keysOf(owner)
  expect(Date.parse(row?.expires_at ?? '') - app.clock.now().getTime()).toBe(30 * dayMs)

  const path = `${owner.base}/keys/${row?.id}/revoke`
  expect(textOf(await owner.get(path))).toContain('Website form')
  expect(await owner.submit(path, {})).toMatchObject({ status: 303, location: `${owner.base}/keys` })
  expect((await client.get('/ping')).status).toBe(401)
  expect(textOf(await owner.get(`${owner.base}/keys`))).toContain('revoked')
})

test('scopes are described in words, and those with personal data are marked', async () => {
  const text = textOf(await owner.get(`${owner.base}/keys/new`))
  expect(text).toContain('See contacts and their details contacts:read')
  expect(text).toContain('instead of masked ones personal data contacts:read:pii')
})

const lifetime = 'It must be a whole number from 1 to 365.'

test.each([
  ['no name', { name: '' }, 'name', 'It must have 1 to 120 characters.'],
  ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, 'name', 'It must have 1 to 120 characters.'],
  ['no scope', { scopes: [] }, 'scopes', 'It must name at least one scope.'],
  ['a scope that there is not', { scopes: ['everything'] }, 'scopes', 'It has unknown scopes: everything.'],
  ['no end', { expires_in_days: '' }, 'expires_in_days', lifetime],
  ['no day', { expires_in_days: '0' }, 'expires_in_days', lifetime],
  ['more than a year', { expires_in_days: '366' }, 'expires_in_days', lifetime],
  ['a number written otherwise', { expires_in_days: '1e2' }, 'expires_in_days', lifetime],
])(
  'a form with %s is shown again with its values and the error at its field',
  async (_, change, field, fault) => {
    const before = await keysOf(owner)
    const again = await owner.submit(`${owner.base}/keys/new`, { ...whole, ...change })
    expect([again.status, issuesIn(again)]).toEqual([400, { [field]: fault }])
    if (field !== 'name') expect(again.body).toContain('value="Website form"')
    if (field !== 'scopes') expect(again.body).toContain('value="contacts:write" checked')
    expect(await keysOf(owner)).toEqual(before)
  },
)

test('only an owner can create a key that never expires', async () => {
  await owner.submit(`${owner.base}/keys/new`, { ...whole, name: 'For ever', never: 'yes' })
  expect((await keysOf(owner))[0]).toMatchObject({ name: 'For ever', expires_at: null })
  const admin = await userIn(app, owner.workspace, 'admin')
  expect((await admin.get(`${admin.base}/keys/new`)).body).not.toContain('name="never"')
  const again = await admin.submit(`${admin.base}/keys/new`, { ...whole, never: 'yes' })
  expect(issuesIn(again)['expires_in_days']).toContain('only owners')
  expect(await keysOf(owner)).toHaveLength(2)
})
