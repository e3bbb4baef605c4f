import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCarrier } from '@gable/sandbox/start.ts'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { keyRing } from '@gable/server/src/kernel/secrets.ts'
import { createSender } from '@gable/server/src/modules/senders/public.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { gableWith } from '@gable/server/test/support/gable.ts'
import { operatorIn, operatorRuntime } from '@gable/server/test/support/operator.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ask } from './ask.ts'
import { newBareDatabase, newDatabase } from './databases.ts'
import { startGable } from './gable-process.ts'
import { newKeys } from './keys.ts'

vi.setConfig({ testTimeout: 180_000 })

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gable-restored-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const numbers = Array.from({ length: 5 }, (_, i) => `+1312555${2000 + i}`)

/** A carrier, and a server on a database in which texts wait, of which a backup has been made before any left. */
async function openScene(name: string) {
  await using opened = new AsyncDisposableStack()
  const carrier = opened.use(
    await startCarrier({ host: '127.0.0.1', port: 0, now: systemClock.now, deliveryMs: 5 }),
  )
  const env = {
    ...(await newDatabase(name)),
    DATA_DIR: join(folder, name),
    BACKUP_DIR: join(folder, `${name}-backups`),
    SIMULATED_CARRIER: carrier.origin,
  }
  const { workspaceId, next } = await newKeys(env.DATABASE_URL, 3)
  const runtime = { ...operatorRuntime(env.DATABASE_URL), keys: keyRing([env.APP_SECRET]) }
  const { id: senderId } = await createSender(operatorIn(runtime, workspaceId), {
    kind: '10dlc',
    address: '+13125550188',
    registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
    pace: 100,
  })
  await runtime.database[Symbol.asyncDispose]()
  const send = async (server: RunningGable, to: string): Promise<string> => {
    // Who has just written may be texted at any hour, which it may be when the test runs.
    await asOwner(
      server.databaseUrl,
      `insert into conversations (workspace_id, id, sender_id, channel, address, last_message_id, last_message_at,
         last_inbound_at, created_at, updated_at)
       values ($1, 'c' || substr(md5($3), 1, 24), $2, 'SMS', $3, 'none', now(), now(), now(), now())`,
      [workspaceId, senderId, to],
    )
    const { status, body } = await ask(server.base, {
      method: 'POST',
      path: '/messages',
      key: next(),
      body: { channel: 'sms', to, body: 'Hello', purpose: 'reply' },
    })
    expect(status).toBe(201)
    return String(body['id'])
  }
  /** How many texts each number has received. */
  const arrived = async () =>
    Promise.all(
      numbers.map(async (to) => {
        const page = await (await fetch(`${carrier.phoneUrl}/${to}/messages`)).text()
        return page.match(/<p>Hello<\/p>/g)?.length ?? 0
      }),
    )
  const all = opened.move()
  return { env, next, send, arrived, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const start = async (env: Record<string, string>, ROLE: string) =>
  Object.assign(
    await startGable({
      ...env,
      ROLE,
      // Where the carrier would report; no one listens there.
      ...(ROLE === 'worker' && { PUBLIC_URL: 'http://127.0.0.1:9' }),
    }),
    { databaseUrl: env['DATABASE_URL'] ?? '' },
  )
type RunningGable = Awaited<ReturnType<typeof start>>

const statusesIn = async (url: string) =>
  Object.fromEntries(
    (
      await asOwner<{ to: string; status: string }>(
        url,
        `select "to", status from messages where direction = 'OUTBOUND'`,
      )
    ).map(({ to, status }) => [to, status]),
  )

/** A held worker would have begun within this time. */
const longEnoughMs = 3000

test('what has left after a backup does not leave again; what has not leaves once a person says so', async () => {
  await using scene = await openScene('restored')
  const { env, send, arrived } = scene
  const backup = join(folder, 'backup')
  {
    await using api = await start(env, 'api')
    const ids = []
    for (const to of numbers) ids.push(await send(api, to))
    const post = (path: string, body: object) =>
      ask(api.base, { method: 'POST', path, key: scene.next(), body })
    const { body: erased } = await post('/contacts', { first_name: 'Ada', phone: '+13125552098' })
    await gableWith(() => env).json('backup', backup)
    // What a restore must not forget.
    expect((await post('/suppressions', { phone: '+13125552099', kind: 'manual' })).status).toBe(201)
    await ask(api.base, { method: 'DELETE', path: `/contacts/${erased['id']}`, key: scene.next() })
    // This one never leaves.
    await ask(api.base, { method: 'POST', path: `/messages/${ids[4]}/cancel`, key: scene.next(), body: {} })
    await using _worker = await start(env, 'worker')
    await vi.waitUntil(async () => (await arrived()).join() === '1,1,1,1,0', {
      timeout: 30_000,
      interval: 50,
    })
    // The journal covers everything until then.
    await vi.waitUntil(
      async () => (await readdir(env.BACKUP_DIR).catch(() => [])).some((name) => name.endsWith('.covered')),
      { timeout: 60_000, interval: 50 },
    )
  }
  const target = {
    ...env,
    ...(await newBareDatabase('restored_target')),
    DATA_DIR: join(folder, 'restored_target'),
  }
  const gable = gableWith(() => target)
  expect(await gable.json('restore', backup)).toMatchObject({
    suppressions_added: 1,
    contacts_erased: 1,
    covered_until: expect.any(String),
  })
  expect(
    await asOwner(
      target.DATABASE_URL,
      'select first_name, phone, erased_at is not null as erased from contacts where erased_at is not null',
    ),
  ).toEqual([{ first_name: null, phone: null, erased: true }])
  // One had waited for two hours before it left.
  await asOwner(
    target.DATABASE_URL,
    `update messages set created_at = created_at - interval '2 hours' where "to" = $1`,
    [numbers[0]],
  )
  const blocked = { channel: 'sms', to: '+13125552099', body: 'Hello', purpose: 'reply' }
  {
    await using api = await start(target, 'api')
    const { status, body } = await ask(api.base, {
      method: 'POST',
      path: '/messages',
      key: scene.next(),
      body: blocked,
    })
    expect({ status, body: JSON.stringify(body) }).toEqual({
      status: 422,
      body: expect.stringContaining('suppress'),
    })
  }
  await using worker = await start(target, 'worker')
  expect(worker.ready).toHaveProperty('held_since')
  await sleep(longEnoughMs)
  expect(await arrived()).toEqual([1, 1, 1, 1, 0])
  expect(await gable.error('restored', '--release')).toMatchObject({
    error: { message: expect.stringContaining('--confirm-gap') },
  })
  expect(await gable.json('restored')).toMatchObject({ held: true, left_before: 4, messages: 1 })
  await sleep(longEnoughMs)
  expect(await arrived()).toEqual([1, 1, 1, 1, 0])
  expect(await gable.json('restored', '--release', '--confirm-gap')).toMatchObject({
    held: false,
    messages: 1,
  })
  await vi.waitUntil(async () => (await arrived()).join() === '1,1,1,1,1', { timeout: 30_000, interval: 50 })
  await sleep(longEnoughMs)
  expect(await arrived()).toEqual([1, 1, 1, 1, 1])
  expect(Object.values(await statusesIn(target.DATABASE_URL))).not.toContain('queued')
  expect(await gable.json('restored')).toEqual({ held: false })
})

test('a worker that began an attempt which its database does not know holds by itself; what is dropped never leaves', async () => {
  await using scene = await openScene('older')
  const { env, send, arrived } = scene
  const older = { ...env, ...(await newBareDatabase('older_copy')) }
  {
    await using api = await start(env, 'api')
    for (const to of numbers) await send(api, to)
    await api[Symbol.asyncDispose]()
    const name = (url: string) => new URL(url).pathname.slice(1)
    // As a snapshot of the disk would have it.
    await asOwner(
      env.DATABASE_URL.replace(name(env.DATABASE_URL), 'postgres'),
      `drop database ${name(older.DATABASE_URL)}`,
    )
    await asOwner(
      env.DATABASE_URL.replace(name(env.DATABASE_URL), 'postgres'),
      `create database ${name(older.DATABASE_URL)} template ${name(env.DATABASE_URL)}`,
    )
    {
      await using _worker = await start(env, 'worker')
      await vi.waitUntil(async () => (await arrived()).join() === '1,1,1,1,1', {
        timeout: 30_000,
        interval: 50,
      })
    }
    // The same database, started again, is not an older one.
    await using again = await start(env, 'worker')
    expect(again.ready).not.toHaveProperty('held_since')
  }
  expect(await readFile(join(env.DATA_DIR, 'last-sent'), 'utf8')).toMatch(/^c\w{24} c\w{24}\n$/)
  {
    // Nor is one that has never seen the workspace.
    await using other = await start(
      { ...(await newDatabase('older_other')), DATA_DIR: env.DATA_DIR },
      'worker',
    )
    expect(other.ready).not.toHaveProperty('held_since')
  }
  const gable = gableWith(() => older)
  await using worker = await start(older, 'worker')
  expect(worker.ready).toHaveProperty('held_since')
  await gable.json('restored', '--drop', '--confirm-gap')
  await sleep(longEnoughMs)
  expect(await arrived()).toEqual([1, 1, 1, 1, 1])
  expect(await statusesIn(older.DATABASE_URL)).toMatchObject({
    [numbers[0] ?? '']: expect.stringMatching(/^(sent|delivered)$/),
  })
  await vi.waitUntil(
    async () =>
      (
        await asOwner(
          older.DATABASE_URL,
          "select from pg_stat_activity where datname = current_database() and application_name = 'gable gable_sender'",
        )
      ).length > 0,
    { timeout: 30_000, interval: 50 },
  )
  expect(await gable.error('restored', '--hold')).toMatchObject({
    error: { message: expect.stringContaining('Stop all workers first') },
  })
  worker.kill('SIGTERM')
  await worker.exit
  expect(await gable.json('restored', '--hold')).toMatchObject({ held: true })
})
