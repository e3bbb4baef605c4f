import type pg from 'pg'
import { spoilsConnection, toAppError } from '../db/errors.ts'

/** The SQLSTATE after which graphile-worker retries, for hours: cannot connect now. */
const tryAgain = '57P03'

/** The pool that graphile-worker uses. */
export interface PatientPool {
  pool: pg.Pool
  /** Waits for the statements in progress. Statements that wait for a retry are not retried. */
  settle(): Promise<void>
}

/**
 * Makes graphile-worker survive database outages. graphile-worker does not await the statement with which it
 * completes a job. If that statement failed, the process would exit; if the worker stopped in the meantime, the job
 * would stay locked for four hours. So a temporary database error gets the SQLSTATE on which graphile-worker retries,
 * and a worker that stops waits for statements in progress. While `mayBegin` returns false, it finds no job.
 */
export function patientPool(pool: pg.Pool, mayBegin: () => boolean = () => true): PatientPool {
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
      let isSpoiled = false
      const fail = (error: unknown) => {
        isSpoiled ||= spoilsConnection(error)
        return rethrow(error)
      }
      return {
        query: async (statement: pg.QueryConfig, values?: unknown[]) =>
          asksForJobs(statement) && !mayBegin() ? none : client.query(statement, values).catch(fail),
        release() {
          client.release(isSpoiled)
          end()
        },
      }
    } catch (error) {
      end()
      return rethrow(error)
    }
  }

  const own = {
    // With a callback, graphile-worker asks for the connection on which it listens, and handles its errors itself.
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

const none = { rows: [], rowCount: 0 }

/** Whether graphile-worker asks with this statement for the next jobs. */
const asksForJobs = ({ text = '' }: pg.QueryConfig) => text.includes('jobs.is_available = true')

function rethrow(error: unknown): never {
  const isTemporary = toAppError(error) !== error
  throw isTemporary
    ? Object.assign(new Error('The database is away.', { cause: error }), { code: tryAgain })
    : error
}
