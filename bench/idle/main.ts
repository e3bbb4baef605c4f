import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { childrenOf, cpuOf, cpuOfPostgres, postmasterOf } from '../cpu.ts'
import { progress } from '../progress.ts'

const help = `Usage: npm run bench:idle -- [options]

Starts Gable as npm start does, with demo data in a folder of its own, and prints what server and database use while
no client asks for anything, in percent of one core: in the first minute, and two minutes after the start. Needs Linux.
With DATABASE_URL and APP_SECRET, it uses that database, whose server must be on this machine and have nothing else to
do.

  --minutes N   how long to measure after the first two minutes (2)
  --data DIR    a data directory to start from and to keep
  --help        this text
`

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    data: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (options.help) process.stdout.write(help)
else await bench(Number(options.minutes))

async function bench(minutes: number): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = options.data ?? (await mkdtemp(join(tmpdir(), 'gable-idle-')))
  if (options.data === undefined) opened.defer(() => rm(folder, { recursive: true, force: true }))
  const server = opened.use(await start(folder))
  const databaseUrl = process.env['DATABASE_URL'] || undefined
  const postmaster = databaseUrl === undefined ? childrenOf(server.pid)[0] : await postmasterOf(databaseUrl)
  if (postmaster === undefined) throw new Error('The server has started no PostgreSQL.')
  progress('ready')
  const rows = [await measure('first minute', 1)]
  await sleep(60_000)
  rows.push(await measure('after two minutes', minutes))
  console.table(Object.fromEntries(rows))

  /** Percent of one core that is used within the next minutes. */
  async function measure(name: string, length: number) {
    const used = () => ({ server: cpuOf(server.pid), database: cpuOfPostgres(postmaster ?? 0) })
    const before = used()
    await sleep(length * 60_000)
    const after = used()
    const percent = (part: 'server' | 'database') =>
      Number(((after[part] - before[part]) / (length * 600)).toFixed(2))
    const [own, database] = [percent('server'), percent('database')]
    return [name, { server: own, database, together: Number((own + database).toFixed(2)) }] as const
  }
}

/** Starts Gable, and resolves when it is ready. */
async function start(dataDir: string): Promise<{ pid: number } & AsyncDisposable> {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ready = new Promise<boolean>((resolve) => child.stdout.once('data', () => resolve(true)))
  const isReady = await Promise.race([ready, ended.then(() => false)])
  if (!isReady || child.pid === undefined) throw new Error('Gable ended before it was ready.')
  return {
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
