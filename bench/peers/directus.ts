import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { connected, withDatabase } from '../databases.ts'
import { progress } from '../progress.ts'
import type { ServerProcess } from '../server-process.ts'

const manifest = fileURLToPath(new URL('directus', import.meta.url))
const installed = fileURLToPath(new URL('../../.data/bench-directus', import.meta.url))
/** Its command line, without the part that checks for updates. */
const program = `${installed}/node_modules/@directus/api/dist/cli/run.js`
const database = 'gable_bench_directus'
const startMs = 60_000

export const token = 'bench-directus'

export const version = (): string =>
  (JSON.parse(readFileSync(`${manifest}/package.json`, 'utf8')) as { dependencies: { directus: string } })
    .dependencies.directus

/** Installs Directus into .data, unless it is already there: one version, with what it needs as of one day (.npmrc). */
export async function install(): Promise<void> {
  const wishes = (of: string) =>
    ['package.json', '.npmrc'].map((name) => readFileSync(`${of}/${name}`, 'utf8'))
  if (existsSync(program) && isDeepStrictEqual(wishes(installed), wishes(manifest))) return
  progress(`Directus ${version()}: npm install, about 700 MB in .data/bench-directus`)
  rmSync(installed, { recursive: true, force: true })
  cpSync(manifest, installed, { recursive: true })
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: installed,
    env: process.env,
  })
}

/** Recreates the Directus database with a table of the contacts from the other database. Returns its URL. */
export async function prepare(serverUrl: string, contactsUrl: string): Promise<string> {
  const url = withDatabase(serverUrl, database)
  await drop(serverUrl)
  await connected(serverUrl, (client) => client.query(`create database ${database}`))
  progress('Directus: creating its tables')
  await run(process.execPath, [program, 'bootstrap'], { cwd: installed, env: settings(url) })
  progress('Directus: copying the contacts')
  const contacts = await connected(contactsUrl, async (client) => {
    const { rows } = await client.query<{ all: string }>(`
      select json_agg(c)::text as all from (
        select id, workspace_id, first_name, last_name, email, phone, stage, source, tags, notes, owner_id, ai_auto_response,
          created_at, updated_at, erased_at from contacts) c`)
    return rows[0]?.all
  })
  await connected(url, async (client) => {
    await client.query(`
      create table contacts (
        id text collate "C" primary key, workspace_id text collate "C" not null, first_name text, last_name text,
        email text, phone text, stage text not null, source text, tags text[] not null, notes text, owner_id text,
        ai_auto_response text not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
        erased_at timestamptz(3))`)
    await client.query('insert into contacts select * from json_populate_recordset(null::contacts, $1)', [
      contacts,
    ])
    await client.query('create index on contacts (workspace_id, id)')
    await client.query('vacuum (freeze, analyze) contacts')
  })
  return url
}

/** Starts Directus in a separate process on a free port. Disposing of it stops the process. */
export async function start(databaseUrl: string): Promise<ServerProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: installed,
    env: { ...settings(databaseUrl), PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill()
    await Promise.race([ended, setTimeout(5000)])
    child.kill('SIGKILL')
    await ended
  }
  const deadline = performance.now() + startMs
  for (;;) {
    const responded = await fetch(`${url}/server/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (responded) return { url, pid: child.pid, [Symbol.asyncDispose]: stop }
    if (child.exitCode !== null) throw new Error(`Directus ended with ${child.exitCode} before it listened.`)
    if (performance.now() > deadline) {
      await stop()
      throw new Error(`Directus did not listen within ${startMs / 1000} s.`)
    }
    await setTimeout(100)
  }
}

/** Drops the Directus database. */
export async function drop(serverUrl: string): Promise<void> {
  await connected(serverUrl, (client) => client.query(`drop database if exists ${database} with (force)`))
}

/** Directus defaults, except that nothing sends telemetry, caches, or rejects requests under load. */
const settings = (databaseUrl: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_ENV: 'production',
  SECRET: 'a secret of the benchmark, of 32 characters or more',
  HOST: '127.0.0.1',
  DB_CLIENT: 'pg',
  DB_CONNECTION_STRING: databaseUrl,
  ADMIN_EMAIL: 'bench@example.com',
  ADMIN_PASSWORD: 'bench-password',
  ADMIN_TOKEN: token,
  LOG_LEVEL: 'error',
  TELEMETRY: 'false',
  CACHE_ENABLED: 'false',
  RATE_LIMITER_ENABLED: 'false',
  PRESSURE_LIMITER_ENABLED: 'false',
})

async function run(
  command: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}.`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}
