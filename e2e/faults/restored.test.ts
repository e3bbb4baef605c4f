import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { asOwner, closePools } from '@gable/server/test/support/database.ts'
import { gableWith } from '@gable/server/test/support/gable.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ask } from './ask.ts'
import { newBareDatabase, newDatabase } from './databases.ts'
import { numbers, openRestoreScene, start } from './restore-scene.ts'

vi.setConfig({ testTimeout: 180_000 })

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gable-restored-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

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
  await using scene = await openRestoreScene(folder, 'restored')
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

const main = fileURLToPath(import.meta.resolve('@gable/server/src/cli/main.ts'))

/** A server before the carrier, which keeps what looks for messages waiting until it is opened. */
async function startGate(carrier: string) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  let lookups = 0
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (request.method === 'GET') {
      lookups++
      await opened
    }
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const { method = 'GET', url = '' } = request
    const found = await fetch(carrier + url, {
      method,
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    })
    response.writeHead(found.status, { 'content-type': found.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await found.arrayBuffer()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lookups: () => lookups,
    open,
    [Symbol.dispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('two workers that start at once are both held, and nothing leaves while a release looks for it; of two releases one counts', async () => {
  await using scene = await openRestoreScene(folder, 'twice')
  const { env, send, arrived } = scene
  const older = { ...env, ...(await newBareDatabase('twice_copy')), DATA_DIR: join(folder, 'twice_copy') }
  {
    await using api = await start(env, 'api')
    for (const to of numbers) await send(api, to)
    await gableWith(() => env).json('backup', join(folder, 'twice_backup'))
    await using _worker = await start(env, 'worker')
    await vi.waitUntil(async () => (await arrived()).join() === '1,1,1,1,1', {
      timeout: 30_000,
      interval: 50,
    })
  }
  await gableWith(() => older).json('restore', join(folder, 'twice_backup'))
  const workers = await Promise.all([start(older, 'worker'), start(older, 'worker')])
  await using _first = workers[0]
  await using _second = workers[1]
  const holds = await asOwner<{ held_since: Date }>(older.DATABASE_URL, 'select held_since from installation')
  for (const { ready } of workers)
    expect(ready).toMatchObject({ held_since: holds[0]?.held_since.toISOString() })

  using gate = await startGate(scene.carrier.origin)
  // Processes of their own: `gableWith` runs one command after the other.
  const release = () =>
    promisify(execFile)(process.execPath, [main, 'restored', '--release', '--confirm-gap', '--json'], {
      env: { PATH: process.env['PATH'], ...older, SIMULATED_CARRIER: gate.origin },
    }).then(
      ({ stdout }) => stdout,
      (error: { stderr: string }) => error.stderr,
    )
  const releases = [release(), release()]
  await vi.waitUntil(() => gate.lookups() > 1, { timeout: 60_000, interval: 50 })
  await sleep(longEnoughMs)
  const [during] = await asOwner(older.DATABASE_URL, 'select held_since from installation')
  expect(during).toEqual(holds[0])
  expect(await arrived()).toEqual([1, 1, 1, 1, 1])
  gate.open()
  const ended = await Promise.all(releases)
  // The other one ended later, or found that nothing was held anymore.
  expect(
    ended.filter((text) => text.includes('"left_before"')),
    ended.join(''),
  ).toHaveLength(1)
  await sleep(longEnoughMs)
  expect(await arrived()).toEqual([1, 1, 1, 1, 1])
  expect(Object.values(await statusesIn(older.DATABASE_URL))).not.toContain('queued')
  expect(await gableWith(() => older).json('restored')).toEqual({ held: false })
})

test('a worker that began an attempt which its database does not know holds by itself; what is dropped never leaves', async () => {
  await using scene = await openRestoreScene(folder, 'older')
  const { env, send, arrived } = scene
  const older = { ...env, ...(await newBareDatabase('older_copy')) }
  {
    await using api = await start(env, 'api')
    for (const to of numbers) await send(api, to)
    await api[Symbol.asyncDispose]()
    const name = (url: string) => new URL(url).pathname.slice(1)
    // As a snapshot of the disk would have it.
    await closePools()
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
  // A person has decided: the next start does not ask again.
  worker.kill('SIGTERM')
  await worker.exit
  await using next = await start(older, 'worker')
  expect(next.ready).not.toHaveProperty('held_since')
})

test('a hold binds workers that run, and a database that is replaced while they run is held by itself', async () => {
  await using scene = await openRestoreScene(folder, 'running')
  const { env, send, arrived } = scene
  const gable = gableWith(() => env)
  await using api = await start(env, 'api')
  await using worker = await start(env, 'worker')
  const [first = '', second = '', third = ''] = numbers
  const snapshot = { ...env, ...(await newBareDatabase('running_snapshot')) }
  const name = (url: string) => new URL(url).pathname.slice(1)
  const server = env.DATABASE_URL.replace(name(env.DATABASE_URL), 'postgres')
  const [own, copy] = [name(env.DATABASE_URL), name(snapshot.DATABASE_URL)]

  await gable.json('restored', '--hold')
  await send(api, first)
  await sleep(longEnoughMs)
  expect(await arrived([first])).toEqual([0])
  await gable.json('restored', '--release', '--confirm-gap')
  await vi.waitUntil(async () => (await arrived([first])).join() === '1', { timeout: 30_000, interval: 50 })

  // The second text leaves after the snapshot, and then the snapshot takes the place of the database.
  await asOwner(
    env.DATABASE_URL,
    `create function wait() returns trigger language plpgsql as $$ begin new.due_at := now() + interval '1 hour'; return new; end $$;
     create trigger wait before insert on outbox for each row execute function wait()`,
  )
  await send(api, second)
  await asOwner(env.DATABASE_URL, 'drop function wait() cascade')
  await asOwner(server, `drop database ${copy}`)
  const cut = (database: string) =>
    asOwner(
      server,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`,
    )
  await asOwner(server, `alter database ${own} allow_connections false`)
  await cut(own)
  await vi.waitUntil(() =>
    asOwner(server, `create database ${copy} template ${own}`).then(
      () => true,
      () => false,
    ),
  )
  await asOwner(server, `alter database ${own} allow_connections true`)
  await asOwner(env.DATABASE_URL, 'update outbox set due_at = now()')
  await vi.waitUntil(async () => (await arrived([second])).join() === '1', { timeout: 60_000, interval: 50 })
  await asOwner(server, `alter database ${own} allow_connections false`)
  await cut(own)
  await vi.waitUntil(() =>
    asOwner(server, `alter database ${own} rename to ${own}_lost`).then(
      () => true,
      () => false,
    ),
  )
  await asOwner(server, `alter database ${copy} rename to ${own}`)
  await asOwner(env.DATABASE_URL, 'update outbox set due_at = now()')
  await vi.waitUntil(async () => (await gable.json('restored'))['held'] === true, {
    timeout: 60_000,
    interval: 500,
  })
  await send(api, third)
  await sleep(longEnoughMs)
  expect(await arrived([second, third])).toEqual([1, 0])
  await gable.json('restored', '--release', '--confirm-gap')
  await vi.waitUntil(async () => (await arrived([third])).join() === '1', { timeout: 60_000, interval: 50 })
  expect(await arrived([second])).toEqual([1])
  expect(worker.stderr()).toContain('nothing leaves until')
})
