import type pg from 'pg'
import { toAppError } from '../db/errors.ts'

/** The SQLSTATE after which graphile-worker tries again, for hours: cannot connect now. */
const tryAgain = '57P03'

/** The pool as graphile-worker gets it. */
export interface PatientPool {
  pool: pg.Pool
  /** Waits for the statements in progress; what waits to be tried again is not tried any more. */
  settle(): Promise<void>
}

/**
 * graphile-worker does not await the statement with which it completes a job. If that failed, the process would end; if the
 * worker stopped meanwhile, the job would stay locked for four hours. So a temporary error of the database gets the code
 * that makes graphile-worker try again, and a worker that stops waits for what is in progress.
 */
export function patientPool(pool: pg.Pool): PatientPool {
  const inProgress = new Set<Promise<void>>()
  let stopped = false

  async function connect() {
    if (stopped) return new Promise<never>(() => undefined)
    const { promise, resolve } = Promise.withResolvers<void>()
    inProgress.add(promise)
    const end = () => {
      inProgress.delete(promise)
      resolve()
    }
    try {
      const client = await pool.connect()
      return {
        query: (statement: pg.QueryConfig, values?: unknown[]) =>
          client.query(statement, values).catch(rethrow),
        release() {
          client.release()
          end()
        },
      }
    } catch (error) {
      end()
      return rethrow(error)
    }
  }

  const own = {
    // With a callback it asks for the connection on which it listens, and sees to that itself.
    connect: (...callback: [] | Parameters<typeof pool.connect>) =>
      callback.length === 0 ? connect() : pool.connect(...callback),
  }
  return {
    pool: Object.assign(Object.create(pool) as pg.Pool, own),
    async settle() {
      stopped = true
      while (inProgress.size > 0) await Promise.all(inProgress)
    },
  }
}

function rethrow(error: unknown): never {
  const isTemporary = toAppError(error) !== error
  throw isTemporary
    ? Object.assign(new Error('The database is away.', { cause: error }), { code: tryAgain })
    : error
}
