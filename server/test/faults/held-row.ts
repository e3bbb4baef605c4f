import pg from 'pg'
import { vi } from 'vitest'
import { asOwner } from '#test/support/database.ts'

/** A row that the test has locked, until it is disposed. */
export interface LockedRow extends AsyncDisposable {
  /** Waits until a process waits for the row. */
  isWaitedFor(): Promise<void>
}

/** `statement`: a `select … for update`. */
export async function holdRow(url: string, statement: string, values: unknown[] = []): Promise<LockedRow> {
  const client = new pg.Client({ connectionString: url, application_name: 'gable tests' })
  await client.connect()
  await client.query('begin')
  await client.query(statement, values)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const waiting = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))'
  return {
    async isWaitedFor() {
      const isWaiting = async () => (await asOwner(url, waiting, [rows[0]?.pid])).length > 0
      await vi.waitUntil(isWaiting, { timeout: 30_000, interval: 20 })
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
