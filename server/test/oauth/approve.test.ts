import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepTokens } from '../../src/modules/oauth/jobs.ts'
import {
  appOfEntry,
  approve,
  createApp,
  deny,
  listAppAudit,
  listGrants,
  setAppEnabled,
} from '../../src/modules/oauth/public.ts'
import { setMemberActive } from '../../src/modules/workspaces/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import {
  disconnect,
  type RegisteredApp,
  approveApp,
  codeForm,
  connect,
  inWorkspace,
  memberOf,
  newPkce,
  post,
  redirectUri,
  refreshForm,
  registerApp,
} from './scene.ts'

let app: TestApp
let mirror: RegisteredApp

beforeAll(async () => {
  app = await testApp()
  mirror = await registerApp(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const requestOf = ({ app: asking }: RegisteredApp, state?: string) => ({
  app: asking,
  redirectUri,
  scopes: ['contacts:read'],
  challenge: newPkce().challenge,
  state,
})

const issuer = 'https://gable.example'

test('the callback has the registered redirect URI with code, state and issuer', async () => {
  const { location, code } = await approveApp(await app.workspace(), mirror, { state: 'a b&c' })
  expect(location).toBe(`${redirectUri}&code=${code}&state=a%20b%26c&iss=${encodeURIComponent(app.url)}`)
  expect(code).toMatch(/^gbl_ac_[0-9A-Za-z]{49}$/)
})

test('a denied request returns access_denied', () => {
  const { searchParams } = new URL(deny(requestOf(mirror, 'x'), issuer))
  expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('iss')]).toEqual([
    'access_denied',
    'x',
    issuer,
  ])
})

test('only owners and admins can approve', async () => {
  const workspace = await app.workspace()
  for (const role of ['owner', 'admin'] as const) {
    const member = await memberOf(workspace, role)
    expect(await approve(workspace.ctx, member.id, requestOf(mirror))).toContain('code=')
  }
  const agent = await memberOf(workspace, 'agent')
  const gone = await memberOf(workspace, 'owner')
  await setMemberActive(workspace.ctx, gone.id, false)
  const outsider = await memberOf(await app.workspace(), 'owner')
  const there = await app.workspace()
  for (const [ctx, id] of [
    [workspace.ctx, agent.id],
    [workspace.ctx, gone.id],
    [there.ctx, outsider.id],
    [there.ctx, 'unknown'],
  ] as const) {
    await expect(approve(ctx, id, requestOf(mirror))).rejects.toMatchObject({ code: 'not_allowed' })
  }
  expect(await listGrants(there.ctx.directory, there.id)).toEqual([])
})

test('a disabled app cannot be approved', async () => {
  const workspace = await app.workspace()
  const off = await registerApp(app)
  await setAppEnabled(inWorkspace(app, off.app.workspace_id), off.app.id, false)
  await expect(approveApp(workspace, off)).rejects.toMatchObject({ code: 'not_found' })
})

test('a second approval widens the grant; an approval after a revocation creates a new grant', async () => {
  const workspace = await app.workspace()
  const live = async () =>
    (await listGrants(workspace.ctx.directory, workspace.id)).filter((grant) => grant.revoked_at === null)
  await approveApp(workspace, mirror, { scopes: ['contacts:write'] })
  await approveApp(workspace, mirror, { scopes: ['leads:read', 'contacts:read'] })
  const [first, ...more] = await live()
  expect([first?.scopes, more]).toEqual([['contacts:read', 'contacts:write', 'leads:read'], []])
  await disconnect(workspace, mirror.app.id)
  expect(await live()).toEqual([])
  await approveApp(workspace, mirror, { scopes: ['deals:read'] })
  const [second] = await live()
  expect([second?.scopes, second?.id === first?.id]).toEqual([['deals:read'], false])
  await disconnect(workspace, mirror.app.id)
  await expect(disconnect(workspace, mirror.app.id)).rejects.toMatchObject({ code: 'not_found' })
})

test('grants and revocations are in the audit log with their actor', async () => {
  const workspace = await app.workspace()
  const tokens = await connect(app, workspace, mirror)
  await post(app, 'token', refreshForm(mirror, tokens.refresh_token))
  await post(app, 'token', refreshForm(mirror, tokens.refresh_token))
  await approveApp(workspace, mirror, { scopes: ['leads:read'] })
  await disconnect(workspace, mirror.app.id)
  const entries = await listAppAudit(workspace.ctx)
  expect(
    entries.map(({ type, actor, data }) => [type, actor.type, data['reason'] ?? data['scopes']]),
  ).toEqual([
    ['grant.revoked', 'system', undefined],
    ['grant.widened', 'system', ['contacts:read', 'leads:read']],
    ['grant.tokens_revoked', 'oauth_app', 'token_replayed'],
    ['grant.approved', 'system', ['contacts:read']],
  ])
  for (const entry of entries) expect(appOfEntry(entry)).toEqual({ id: mirror.app.id, name: 'Lead Mirror' })
  const owner = inWorkspace(app, mirror.app.workspace_id)
  expect((await listAppAudit(owner)).map(({ type }) => type)).toContain('app.registered')
})

test('a code is kept until 30 days after its token family expires', async () => {
  await using own = await testApp()
  const registered = await registerApp(own)
  const workspace = await own.workspace()
  const approved = await approveApp(workspace, registered)
  await post(own, 'token', codeForm(registered, approved))
  const unused = await approveApp(workspace, registered)
  const count = async () =>
    (
      await asOwner(
        own.databaseUrl,
        `select (select count(*) from oauth_codes c join oauth_grants g on g.id = c.grant_id where g.workspace_id = $1)::integer as codes,
           (select count(*) from oauth_access_tokens t join oauth_families f on f.id = t.family_id
              join oauth_grants g on g.id = f.grant_id where g.workspace_id = $1)::integer as tokens,
           (select count(*) from oauth_families f join oauth_grants g on g.id = f.grant_id where g.workspace_id = $1)::integer as families`,
        [workspace.id],
      )
    )[0]
  const day = 24 * 3_600_000
  const sweptAfter = async (ms: number) => {
    own.clock.advance(ms)
    await sweepTokens.handle(own.runtime)
    return count()
  }
  expect(unused.code).not.toBe('')
  expect(await sweptAfter(day)).toEqual({ codes: 2, tokens: 1, families: 1 })
  expect(await sweptAfter(day)).toEqual({ codes: 1, tokens: 0, families: 1 })
  expect(await sweptAfter(118 * day)).toEqual({ codes: 1, tokens: 0, families: 1 })
  expect(await sweptAfter(1)).toEqual({ codes: 0, tokens: 0, families: 0 })
})

test.each([
  ['no name', { name: '' }, 'name'],
  ['a name of 121 characters', { name: 'x'.repeat(121) }, 'name'],
  ['no address', { redirect_uris: [] }, 'redirect_uris'],
  [
    '21 addresses',
    { redirect_uris: Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`) },
    'redirect_uris',
  ],
  ['an unknown scope', { scopes: ['everything'] }, 'scopes.0'],
  ['no scope', { scopes: [] }, 'scopes'],
])('an app with %s is not registered', async (_what, change, path) => {
  const { ctx } = await app.workspace()
  const draft = {
    name: 'An app',
    redirect_uris: [redirectUri],
    scopes: ['contacts:read'],
    confidential: true,
  }
  await expect(createApp(ctx, { ...draft, ...change })).rejects.toMatchObject({
    code: 'validation_failed',
    body: { details: [expect.objectContaining({ path })] },
  })
})
