import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { revokeApiKey } from './public.ts'
import { expandScopes } from './scopes.ts'
import { isWellFormed, newSecret } from './secret.ts'

test('ping returns the workspace, the credential, and all scopes, including implied ones', async () => {
  await using app = await testApp()
  const workspace = await app.workspace('Lakeside')
  const agent = await workspace.credential('contacts:write', 'messages:send')
  expect((await agent.get('/ping')).body).toEqual({
    workspace: { id: workspace.id, name: 'Lakeside' },
    credential: { type: 'api_key', id: agent.keyId, name: 'A key' },
    scopes: ['contacts:read', 'contacts:write', 'messages:read', 'messages:send', 'messages:send_only'],
  })
})

test.each([
  ['contacts:write', ['contacts:read', 'contacts:write']],
  ['leads:write', ['leads:read', 'leads:write']],
  ['deals:write', ['deals:read', 'deals:write']],
  ['appointments:write', ['appointments:read', 'appointments:write']],
  ['contacts:read:pii', ['contacts:read', 'contacts:read:pii']],
  ['messages:send', ['messages:read', 'messages:send', 'messages:send_only']],
  ['automations:write', ['automations:read', 'automations:write']],
  ['automations:manage', ['automations:read', 'automations:manage']],
  ['compliance:write', ['compliance:read', 'compliance:write']],
  ['webhooks:manage', ['webhooks:manage']],
  ['events:read', ['events:read']],
])('the scope %s grants %j', (scope, held) => expect([...expandScopes([scope])]).toEqual(held))

test('a key has 57 characters with a checksum that catches any one-character change', () => {
  const key = newSecret('gbl_key_')
  expect(key).toMatch(/^gbl_key_[0-9A-Za-z]{49}$/)
  expect(isWellFormed('gbl_key_', key)).toBe(true)
  fc.assert(
    fc.property(fc.nat({ max: key.length - 1 }), fc.stringMatching(/^[0-9A-Za-z]$/), (at, letter) => {
      fc.pre(key[at] !== letter)
      expect(isWellFormed('gbl_key_', key.slice(0, at) + letter + key.slice(at + 1))).toBe(false)
    }),
  )
})

test('only a hash of a key is stored', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const rows = await asOwner(app.databaseUrl, 'select k::text as text from api_keys k where id = $1', [
    agent.keyId,
  ])
  expect(rows).toHaveLength(1)
  expect(rows[0]?.['text']).not.toContain(agent.key?.slice(13))
})

test('a revoked key is rejected on its next request to any instance', async () => {
  await using app = await testApp()
  await using other = await testApp({ databaseUrl: app.databaseUrl })
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const elsewhere = (path: string) =>
    fetch(other.base + path, { headers: { authorization: `token ${agent.key}` } })
  expect([(await agent.get('/ping')).status, (await elsewhere('/ping')).status]).toEqual([200, 200])
  await revokeApiKey(workspace.ctx, agent.keyId ?? '')
  expect([(await agent.get('/ping')).status, (await elsewhere('/ping')).status]).toEqual([401, 401])
})

test('a key works until the millisecond before it expires, 90 days after creation', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const [{ expires_at } = {}] = await asOwner(
    app.databaseUrl,
    'select expires_at from api_keys where id = $1',
    [agent.keyId],
  )
  expect(expires_at.getTime() - app.clock.now().getTime()).toBe(90 * 24 * 60 * 60 * 1000)
  app.clock.set(new Date(expires_at.getTime() - 1))
  expect((await agent.get('/ping')).status).toBe(200)
  app.clock.set(expires_at)
  expect((await agent.get('/ping')).status).toBe(401)
})

test('last use of a key is recorded at most once a minute', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const lastUse = async () =>
    (await asOwner(app.databaseUrl, 'select last_used_at from api_keys where id = $1', [agent.keyId]))[0]?.[
      'last_used_at'
    ]?.getTime()
  const start = app.clock.now().getTime()
  expect(await lastUse()).toBeUndefined()
  for (const [at, noted] of [
    [0, 0],
    [60_000, 0],
    [60_001, 60_001],
  ] as const) {
    app.clock.set(new Date(start + at))
    await agent.get('/ping')
    await vi.waitFor(async () => expect(await lastUse()).toBe(start + noted), 30_000)
  }
})
