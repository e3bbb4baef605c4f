import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findProcess } from '@gable/postgres/processes.ts'
import { vi } from 'vitest'

/** A data directory for a test. Disposing it stops the PostgreSQL that a killed server left, and deletes it. */
export interface DataDirectory extends AsyncDisposable {
  path: string
  /** Names of its files. */
  entries(): Promise<string[]>
  /** The pid of the running postmaster, or undefined. */
  postmaster(): Promise<number | undefined>
  /** The owner's URL of the database. */
  databaseUrl(): Promise<string>
}

/** Without `demo`, no first start makes the demo data in it, which takes most of the time. */
export async function newDataDirectory({ demo = true } = {}): Promise<DataDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'gable-faults-'))
  if (!demo) await writeFile(join(path, 'seeded'), '')
  const record = async () =>
    JSON.parse(await readFile(join(path, 'postgres.json'), 'utf8')) as {
      place: string
      password: string
      port: number
    }
  const place = () =>
    record().then(
      ({ place: at }) => resolve(path, at),
      () => undefined,
    )

  async function postmaster(): Promise<number | undefined> {
    const at = await place()
    const text = at === undefined ? '' : await readFile(join(at, 'postmaster.pid'), 'utf8').catch(() => '')
    const pid = Number(text.split('\n')[0])
    // By now the pid may belong to another program.
    return pid > 0 && findProcess(pid)?.title.includes(`postgres -D ${at} `) ? pid : undefined
  }

  return {
    path,
    entries: () => readdir(path),
    postmaster,
    async databaseUrl() {
      const { password, port } = await record()
      return `postgres://gable:${password}@127.0.0.1:${port}/gable`
    },
    async [Symbol.asyncDispose]() {
      const pid = await postmaster()
      if (pid !== undefined) {
        process.kill(pid, 'SIGQUIT')
        await vi.waitUntil(() => findProcess(pid) === undefined, { timeout: 30_000, interval: 10 })
      }
      const at = await place()
      if (at !== undefined) await rm(at, { recursive: true, force: true, maxRetries: 5 })
      await rm(path, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
