import { expect, test } from 'vitest'
import { type KeyRing, keyRing } from '#kernel/secrets.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, fingerprint, freshDatabase } from '#test/support/database.ts'
import { newer, older, withSecrets } from '#test/support/secrets.ts'
import { tablesWith } from '#test/support/whereabouts.ts'
import { maintainWebhookSecrets } from './jobs.ts'
import { openSecret } from './secret.ts'

const url = 'https://hooks.example.com/gable'
const dayMs = 24 * 3_600_000

interface Stored {
  id: string
  workspace_id: string
  secret: Buffer
  previous_secret: Buffer | null
  previous_secret_until: Date | null
}

const stored = async (app: TestApp, id: string): Promise<Stored | undefined> =>
  (await asOwner<Stored>(app.databaseUrl, 'select * from webhooks where id = $1', [id]))[0]

/** The secrets of a webhook, opened with a key ring, the current one first. */
async function secretsOf(app: TestApp, id: string, keys: KeyRing = app.runtime.keys): Promise<string[]> {
  const row = await stored(app, id)
  if (row === undefined) return []
  return [row.secret, ...(row.previous_secret === null ? [] : [row.previous_secret])].map((sealed) =>
    openSecret(keys, row.workspace_id, id, sealed),
  )
}

const subscribe = async (agent: Client, headers: Record<string, string> = {}) =>
  (await agent.post('/webhooks', { url }, headers)).body as { id: string; secret: string }

const rotate = async (agent: Client, id: string, headers: Record<string, string> = {}) =>
  (await agent.post(`/webhooks/${id}/rotate-secret`, {}, headers)).body as {
    secret: string
    previous_secret_until: string
  }

test('a secret has 256 random bits and is shown only once', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const made = [await subscribe(agent), await subscribe(agent)]
  const secrets = [...made.map(({ secret }) => secret), (await rotate(agent, made[0]?.id ?? '')).secret]
  expect(new Set(secrets).size).toBe(3)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  }
  for (const { id } of made) {
    for (const response of [
      await agent.get('/webhooks'),
      await agent.get(`/webhooks/${id}`),
      await agent.get(`/webhooks/${id}?fields=secret,previous_secret`),
      await agent.patch(`/webhooks/${id}`, { description: 'Mirror' }),
    ]) {
      expect(response.status).toBe(200)
      for (const secret of secrets) expect(JSON.stringify(response.body)).not.toContain(secret)
    }
  }
})

test('no table stores a secret in plain text, including idempotent replies', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('webhook_secrets') })
  const agent = await app.credential()
  const create = () => subscribe(agent, { 'idempotency-key': 'create' })
  const { id, secret } = await create()
  const renew = () => rotate(agent, id, { 'idempotency-key': 'rotate' })
  const renewed = await renew()
  for (const one of [secret, renewed.secret]) {
    const bare = one.slice('whsec_'.length)
    const bytes = [Buffer.from(one), Buffer.from(bare), Buffer.from(bare, 'base64')]
    const needles = [bare, ...bytes.flatMap((each) => [each.toString('hex'), each.toString('base64')])]
    expect(await tablesWith(app.databaseUrl, needles)).toEqual([])
  }
  expect(await tablesWith(app.databaseUrl, [id])).toContain('idempotency_replies')
  const sealed = (await stored(app, id))?.secret.toString('hex') ?? ''
  expect(await tablesWith(app.databaseUrl, [sealed])).toEqual(['webhooks'])
  expect(await secretsOf(app, id)).toEqual([renewed.secret, secret])

  app.clock.advance(dayMs - 60_000)
  const before = await fingerprint(app.databaseUrl)
  expect([await create(), await renew()]).toMatchObject([{ id, secret }, renewed])
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})

test('an encrypted secret can be decrypted only for its own webhook', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const [{ id }, other] = [await subscribe(agent), await subscribe(agent)]
  await asOwner(
    app.databaseUrl,
    'update webhooks set secret = (select secret from webhooks where id = $1) where id = $2',
    [id, other.id],
  )
  await expect(secretsOf(app, other.id)).rejects.toThrow('unable to authenticate data')
})

test('a rotation keeps only the previous secret, valid for 24 hours', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id, secret: first } = await subscribe(agent)
  app.clock.advance(1000)
  const second = await rotate(agent, id)
  const until = new Date(app.clock.now().getTime() + dayMs).toISOString()
  expect(second.previous_secret_until).toBe(until)
  expect((await agent.get(`/webhooks/${id}`)).body).toMatchObject({
    previous_secret_until: until,
    updated_at: app.clock.now().toISOString(),
  })
  expect(await secretsOf(app, id)).toEqual([second.secret, first])

  app.clock.advance(1000)
  const third = await rotate(agent, id)
  expect(Date.parse(third.previous_secret_until)).toBe(Date.parse(until) + 1000)
  expect(await secretsOf(app, id)).toEqual([third.secret, second.secret])
})

test('a previous secret is deleted after 24 hours, not before', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('secrets_forgotten') })
  const agents = [await app.credential(), await app.credential()]
  const hooks = await Promise.all(agents.map((agent) => subscribe(agent)))
  for (const [i, agent] of agents.entries()) await rotate(agent, hooks[i]?.id ?? '')
  const counts = () => Promise.all(hooks.map(async ({ id }) => (await secretsOf(app, id)).length))

  app.clock.advance(dayMs - 1)
  const before = await fingerprint(app.databaseUrl)
  await maintainWebhookSecrets.handle(app.runtime)
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
  app.clock.advance(1)
  await maintainWebhookSecrets.handle(app.runtime)
  expect(await counts()).toEqual([1, 1])
  for (const [i, agent] of agents.entries()) {
    const { body } = await agent.get(`/webhooks/${hooks[i]?.id}`)
    expect(body['previous_secret_until']).toBeNull()
  }
})

test('all webhook secrets are resealed with a new application secret', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('secrets_resealed') })
  const agents = [await app.credential(), await app.credential()]
  const hooks = await Promise.all(agents.map((agent) => subscribe(agent)))
  const [{ id, secret } = { id: '', secret: '' }, other] = hooks
  const { secret: present } = await rotate(agents[0] ?? app.anonymous, id)
  expect(await secretsOf(app, id, keyRing([older]))).toEqual([present, secret])

  await withSecrets(app, [newer, older], async (runtime) => {
    await maintainWebhookSecrets.handle(runtime)
    const once = await fingerprint(app.databaseUrl)
    await maintainWebhookSecrets.handle(runtime)
    expect(await fingerprint(app.databaseUrl)).toEqual(once)
  })
  expect(await secretsOf(app, id, keyRing([newer]))).toEqual([present, secret])
  expect(await secretsOf(app, other?.id ?? '', keyRing([newer]))).toEqual([other?.secret])
})

test('a secret that cannot be decrypted does not stop the job from resealing the others', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('secrets_lost') })
  const workspaces = [await app.workspace(), await app.workspace()]
  const hooks: { id: string; secret: string }[] = []
  for (const workspace of workspaces) {
    const agent = await workspace.credential()
    hooks.push(await subscribe(agent), await subscribe(agent))
  }
  const [lost, ...others] = hooks
  await asOwner(app.databaseUrl, "update webhooks set secret = '\\x01' || secret where id = $1", [lost?.id])
  const before = await stored(app, lost?.id ?? '')
  await withSecrets(app, [newer, older], (runtime) => maintainWebhookSecrets.handle(runtime))
  for (const { id, secret } of others) expect(await secretsOf(app, id, keyRing([newer]))).toEqual([secret])
  expect(await stored(app, lost?.id ?? '')).toEqual(before)
})

test('an idempotent retry gets the original response, even if the host now resolves elsewhere', async () => {
  let address = '93.184.215.14'
  await using app = await testApp({
    egress: { allowHttp: 'none', allowPrivate: 'none', resolve: async () => [{ address, family: 4 }] },
  })
  const agent = await app.credential()
  const send = () => agent.post('/webhooks', { url }, { 'idempotency-key': 'moved' })
  const first = await send()
  address = '10.0.0.1'
  const again = await send()
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body).toEqual(first.body)
  expect((await agent.post('/webhooks', { url }, { 'idempotency-key': 'new' })).status).toBe(400)
})
