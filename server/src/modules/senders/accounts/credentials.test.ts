import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Ctx } from '#kernel/context.ts'
import { type KeyRing, keyRing } from '#kernel/secrets.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner, fingerprint, freshDatabase } from '#test/support/database.ts'
import { newer, older, withSecrets } from '#test/support/secrets.ts'
import { tablesWith } from '#test/support/whereabouts.ts'
import { maintainCredentials } from '../jobs.ts'
import {
  createConnection,
  createSender,
  disconnectConnection,
  openAccount,
  updateConnection,
} from '../public.ts'

let app: TestApp
let ctx: Ctx
beforeAll(async () => void (app = await testApp({ databaseUrl: await freshDatabase('credentials') })))
beforeEach(async () => void ({ ctx } = await app.workspace()))
afterAll(() => app[Symbol.asyncDispose]())

const dayMs = 24 * 3_600_000

const connect = () =>
  createConnection(ctx, {
    provider: 'twilio',
    name: 'Twilio',
    account: 'AC1',
    secret: 'first-secret',
    settings: { region: 'us1' },
  })

const secretsOf = async (id: string, keys: KeyRing = ctx.keys) =>
  (await openAccount({ ...ctx, keys }, id))?.secrets

test('an account opens with its credentials from any workspace', async () => {
  const { id } = await connect()
  expect(await openAccount(ctx, id)).toEqual({
    id,
    workspaceId: ctx.workspaceId,
    isRejected: false,
    version: null,
    provider: 'twilio',
    name: 'AC1',
    settings: { region: 'us1' },
    simulated: false,
    secrets: ['first-secret'],
  })
  expect(await openAccount((await app.workspace()).ctx, id)).toMatchObject({ id })
  expect(await openAccount(ctx, 'no-one')).toBeUndefined()
})

test('after a rotation, only the previous credentials stay valid, for 24 hours', async () => {
  const { id } = await connect()
  await updateConnection(ctx, id, { secret: 'second-secret' })
  expect(await secretsOf(id)).toEqual(['second-secret', 'first-secret'])
  app.clock.advance(1000)
  await updateConnection(ctx, id, { name: 'Twilio again' })
  await updateConnection(ctx, id, { secret: 'third-secret' })
  app.clock.advance(dayMs - 1)
  expect(await secretsOf(id)).toEqual(['third-secret', 'second-secret'])
  app.clock.advance(1)
  expect(await secretsOf(id)).toEqual(['third-secret'])
})

test('no table holds credentials in plain text', async () => {
  const { id } = await connect()
  await updateConnection(ctx, id, { secret: 'second-secret' })
  for (const secret of ['first-secret', 'second-secret'])
    expect(await tablesWith(app.databaseUrl, [secret, Buffer.from(secret).toString('hex')])).toEqual([])
})

test('simulated accounts have random credentials', async () => {
  const { connection_id } = await createSender(ctx, { kind: '10dlc', address: '+13125550188' })
  expect(await openAccount(ctx, connection_id)).toMatchObject({
    simulated: true,
    secrets: [expect.stringMatching(/^[0-9a-f]{64}$/)],
  })
})

test('previous credentials are deleted after 24 hours, and not before', async () => {
  const { id } = await connect()
  await updateConnection(ctx, id, { secret: 'second-secret' })
  const held = () =>
    asOwner(app.databaseUrl, 'select id from connections where id = $1 and previous_secret is not null', [id])
  app.clock.advance(dayMs - 1)
  await maintainCredentials.handle(app.runtime)
  expect(await held()).toEqual([{ id }])
  app.clock.advance(1)
  await maintainCredentials.handle(app.runtime)
  expect(await held()).toEqual([])
})

test('processCallJob credentials logs no error for a disconnected connection', async () => {
  const { id } = await connect()
  await disconnectConnection(ctx, id)
  const alarms: unknown[] = []
  const log = Object.assign(Object.create(app.runtime.log), { error: (of: unknown) => void alarms.push(of) })
  await maintainCredentials.handle({ ...app.runtime, log })
  expect(alarms).not.toContainEqual(expect.objectContaining({ connectionId: id }))
})

test('a new application secret reseals all credentials except those it cannot decrypt', async () => {
  const [lost, { id }] = [await connect(), await connect()]
  await updateConnection(ctx, id, { secret: 'second-secret' })
  await asOwner(app.databaseUrl, "update connections set secret = '\\x01' || secret where id = $1", [lost.id])
  await withSecrets(app, [newer, older], async (runtime) => {
    await maintainCredentials.handle(runtime)
    const once = await fingerprint(app.databaseUrl)
    await maintainCredentials.handle(runtime)
    expect(await fingerprint(app.databaseUrl)).toEqual(once)
  })
  expect(await secretsOf(id, keyRing([newer]))).toEqual(['second-secret', 'first-secret'])
  await expect(secretsOf(lost.id)).rejects.toThrow('No secret of the key ring decrypts this.')
})

test('a disconnected email connection can be renamed, and reconnects with a new password', async () => {
  const settings = { smtp: 'smtp://mail.example:587' }
  const draft = { provider: 'email', name: 'Mail', account: 'office', secret: 'first', settings } as const
  const { id } = await createConnection(ctx, draft)
  await disconnectConnection(ctx, id)
  expect(await updateConnection(ctx, id, { name: 'Old mail' })).toMatchObject({ name: 'Old mail' })
  await expect(updateConnection(ctx, id, { dkim_key: 'key' })).rejects.toMatchObject({
    body: { details: [{ path: 'secret' }] },
  })
  const again = await updateConnection(ctx, id, { secret: 'second' })
  expect(again).toMatchObject({ disconnected_at: null })
  expect(await secretsOf(id)).toEqual(['second'])
})
