import type { Static, TObject } from 'typebox'
import type { Ctx, Runtime } from '../context.ts'
import type { Deferred } from '../enqueue.ts'

/**
 * The separate runner of a job. `slow`: for jobs that wait seconds for other systems, such as a language model, so
 * that they hold up only each other. `prompt`: for results that a person waits for; its queue is polled twice a
 * second.
 */
export type RunnerName = 'slow' | 'prompt'

/**
 * Deferred work in one workspace. The payload should contain ids, and `handle` should reread the records. Must be
 * idempotent.
 */
export interface Job<P extends TObject = TObject> extends Deferred<P> {
  readonly scope: 'workspace'
  readonly runner?: RunnerName
  handle(ctx: Ctx, payload: Static<P>): Promise<void>
}

/**
 * Deferred work on directory tables, in no workspace. The payload should contain ids, and `handle` should reread the
 * records. Must be idempotent.
 */
export interface DirectoryJob<P extends TObject = TObject> extends Deferred<P> {
  readonly scope: 'directory'
  readonly runner?: RunnerName
  handle(runtime: Runtime, payload: Static<P>): Promise<void>
}

/** Scheduled work. Must be safe to run twice, and on several instances at the same time. */
export interface PeriodicJob {
  readonly name: string
  /** Schedule in cron's five fields, in UTC. */
  readonly cron: string
  handle(runtime: Runtime): Promise<void>
}

/** Declares a job in its module's `jobs.ts`. */
export const job = <P extends TObject>(name: string, rest: Omit<Job<P>, 'name' | 'scope'>): Job<P> => ({
  scope: 'workspace',
  name,
  ...rest,
})

/** Declares a directory job in its module's `jobs.ts`. */
export const directoryJob = <P extends TObject>(
  name: string,
  rest: Omit<DirectoryJob<P>, 'name' | 'scope'>,
): DirectoryJob<P> => ({ scope: 'directory', name, ...rest })

/** Declares a periodic job in its module's `jobs.ts`. */
export const periodicJob = (name: string, rest: Omit<PeriodicJob, 'name'>): PeriodicJob => ({ name, ...rest })
