import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { findProcess, signal } from './processes.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts'

const isRoot = process.getuid?.() === 0

test('the first start creates a durable cluster, the second finds its data at the same address', async () => {
  await using dir = await temporaryDirectory()
  const first = await startEmbeddedPostgres({ dataDir: dir.dataDir, exclusive: true })
  expect(first).toMatchObject({ created: true, place: join(dir.dataDir, 'postgres') })
  await ask(first.url, 'create table kept as select 1 as one')
  const shown = [
    'fsync',
    'synchronous_commit',
    'data_checksums',
    'server_encoding',
    'jit',
    'listen_addresses',
  ]
  expect(
    await ask(first.url, `select ${shown.map((name) => `current_setting('${name}') as ${name}`).join()}`),
  ).toEqual([
    {
      fsync: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      jit: 'off',
      listen_addresses: '127.0.0.1',
    },
  ])
  await ask(first.url, 'create extension pg_trgm')
  expect(
    await ask(
      first.url,
      `select lower('ÅNGSTRÖM') as lower, show_trgm('Zoë') = show_trgm('Zo') as drops_letters`,
    ),
  ).toEqual([{ lower: 'ångström', drops_letters: false }])
  const pid = await postmasterPid(first.place)
  await first[Symbol.asyncDispose]()
  expect(findProcess(pid)).toBeUndefined()

  await using second = await startEmbeddedPostgres({ dataDir: dir.dataDir, exclusive: true })
  expect(second).toMatchObject({ created: false, url: first.url })
  expect(await ask(second.url, 'select * from kept')).toEqual([{ one: 1 }])
})

describe.each(['Node', 'Node and PostgreSQL'])('after kill -9 of %s', (victims) => {
  test('every acknowledged row is stored', async () => {
    await using dir = await temporaryDirectory()
    await using writer = startWriter(dir.dataDir)
    const place = await writer.place
    await writer.acknowledged(200)
    const left = await postmasterPid(place)
    writer.kill()
    if (victims !== 'Node') signal(left, 'SIGKILL')
    const acknowledged = await writer.ended

    await using cluster = await startEmbeddedPostgres({ dataDir: dir.dataDir, exclusive: true })
    const rows = await ask(cluster.url, 'select id from written order by id')
    const ids = new Set(rows.map((row) => row['id']))
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    expect(ids.size).toBeGreaterThanOrEqual(200)
    const adopted = (await postmasterPid(cluster.place)) === left
    expect(adopted).toBe(victims === 'Node')
  })
})

test('a second server fails and names the process in use; a command joins and may outlive the server', async () => {
  await using dir = await temporaryDirectory()
  const server = await startEmbeddedPostgres({ dataDir: dir.dataDir, exclusive: true })
  const since = performance.now()
  await expect(startEmbeddedPostgres({ dataDir: dir.dataDir, exclusive: true })).rejects.toMatchObject({
    name: 'EmbeddedPostgresError',
    message: `The data directory ${dir.dataDir} is in use by another Gable (pid ${process.pid}).`,
  })
  // It does not wait for the other one to stop.
  expect(performance.now() - since).toBeLessThan(30_000)

  const command = await startEmbeddedPostgres({ dataDir: dir.dataDir, exclusive: false })
  expect(command.url).toBe(server.url)
  await server[Symbol.asyncDispose]()
  expect(await ask(command.url, 'select 1 as one')).toEqual([{ one: 1 }])
  const pid = await postmasterPid(command.place)
  await command[Symbol.asyncDispose]()
  expect(findProcess(pid)).toBeUndefined()
})

test('two concurrent first starts create one cluster', async () => {
  await using dir = await temporaryDirectory()
  const start = () => startEmbeddedPostgres({ dataDir: dir.dataDir, exclusive: false })
  const both = await Promise.all([start(), start()])
  expect(both.map(({ created }) => created).toSorted()).toEqual([false, true])
  expect(both[0].url).toBe(both[1].url)
  for (const one of both) await one[Symbol.asyncDispose]()
})

test('a killed PostgreSQL is restarted at the same address', async () => {
  await using dir = await temporaryDirectory()
  const lines: string[] = []
  await using cluster = await startEmbeddedPostgres({
    dataDir: dir.dataDir,
    exclusive: true,
    log: (line) => lines.push(line),
  })
  await ask(cluster.url, 'create table kept as select 1 as one')
  for (let round = 0; round < 2; round++) {
    signal(await postmasterPid(cluster.place), 'SIGKILL')
    const rows = await expect.poll(() => ask(cluster.url, 'select * from kept').catch(() => []), {
      timeout: 30_000,
    })
    await rows.toEqual([{ one: 1 }])
  }
  expect(lines).toContain('The connection to PostgreSQL was lost; restarting it.')
})

test('a stale pid file does not prevent a start, but missing data does', async () => {
  await using dir = await temporaryDirectory()
  const options = { dataDir: dir.dataDir, exclusive: true }
  const first = await startEmbeddedPostgres(options)
  await first[Symbol.asyncDispose]()
  await using zombie = await makeZombie()
  const port = new URL(first.url).port
  for (const pid of [process.ppid, zombie.pid, 4_000_000]) {
    await writeFile(
      join(first.place, 'postmaster.pid'),
      `${pid}\n${first.place}\n1\n${port}\n\n127.0.0.1\n  1 1\nready\n`,
    )
    await using again = await startEmbeddedPostgres(options)
    expect(await ask(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
  }
  await rm(first.place, { recursive: true })
  await expect(startEmbeddedPostgres(options)).rejects.toThrow(/is gone: restore it/)
})

test('PostgreSQL stops even if its data is deleted while it runs', async () => {
  await using dir = await temporaryDirectory()
  const cluster = await startEmbeddedPostgres({ dataDir: dir.dataDir, exclusive: true })
  const pid = await postmasterPid(cluster.place)
  await rm(dir.dataDir, { recursive: true, maxRetries: 5 })
  await cluster[Symbol.asyncDispose]()
  expect(findProcess(pid)).toBeUndefined()
})

test.runIf(isRoot)(
  'as root, data is stored where PostgreSQL can reach it if only root can enter the data directory',
  async () => {
    await using dir = await temporaryDirectory()
    const closed = join(dir.dataDir, 'closed')
    await mkdir(closed)
    await chmod(closed, 0o700)
    const options = { dataDir: join(closed, '.data'), exclusive: true }
    const lines: string[] = []
    const cluster = await startEmbeddedPostgres({ ...options, log: (line) => lines.push(line) })
    dir.alsoRemove(cluster.place)
    expect(cluster.place).toMatch(/^\/var\/lib\/gable\//)
    expect(lines.join()).toContain(cluster.place)
    await ask(cluster.url, 'create table kept as select 1 as one')
    await cluster[Symbol.asyncDispose]()
    await using again = await startEmbeddedPostgres(options)
    expect(await ask(again.url, 'select * from kept')).toEqual([{ one: 1 }])
  },
)

async function temporaryDirectory() {
  const dataDir = await mkdtemp(join(tmpdir(), 'gable-embedded-'))
  const places = [dataDir]
  return {
    dataDir,
    alsoRemove: (place: string) => places.push(place),
    async [Symbol.asyncDispose]() {
      // Only a failed test leaves a PostgreSQL running.
      const left = await postmasterPid(join(dataDir, 'postgres')).catch(() => 0)
      if (findProcess(left)?.title.includes(dataDir)) signal(left, 'SIGQUIT')
      for (const place of places) await rm(place, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function ask(url: EmbeddedPostgres['url'], text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

const postmasterPid = async (place: string) =>
  Number.parseInt(await readFile(join(place, 'postmaster.pid'), 'utf8'), 10)

/** Starts a Node process that runs the cluster, inserts rows, and prints the id of each acknowledged row. */
function startWriter(dataDir: string) {
  const program = `
    import { Client } from 'pg'
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('start.ts', import.meta.url).href)}
    const cluster = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, exclusive: true })
    const client = new Client({ connectionString: cluster.url })
    await client.connect()
    await client.query('create table written (id integer primary key)')
    console.log(cluster.place)
    for (let id = 1; ; id++) {
      await client.query('insert into written values ($1)', [id])
      console.log(id)
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const place = Promise.withResolvers<string>()
  const waiting = Promise.withResolvers<void>()
  const ids: number[] = []
  let wanted = Infinity
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('/')) place.resolve(line)
    else if (ids.push(Number(line)) >= wanted) waiting.resolve()
  })
  const ended = new Promise<number[]>((resolve) => child.on('close', () => resolve(ids)))
  return {
    place: place.promise,
    ended,
    acknowledged(count: number) {
      wanted = count
      return waiting.promise
    },
    kill: () => child.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Makes a zombie: the shell starts a child and then becomes a program that never waits for it. */
async function makeZombie() {
  const child = spawn('/bin/sh', ['-c', 'true & echo $!; exec sleep 30'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const pid = await new Promise<number>((resolve) => child.stdout.on('data', (text) => resolve(Number(text))))
  const ended = new Promise((resolve) => child.on('close', resolve))
  return {
    pid,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
