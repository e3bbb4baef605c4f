import type { Ctx, Runtime } from './context.ts'

interface Kind {
  /** Its member in the report of `gable restored`. */
  readonly name: string
  /** What it is, in the words of the guide. */
  readonly what: string
  /** The tables that it is taken from. Empty if it waits as a job alone. */
  readonly tables: readonly string[]
  /** The jobs, periodic jobs, follow-ups and services that send it. */
  readonly workers: readonly string[]
  /** What becomes of it when a person lets it go, and when a person drops it, in the words of the guide. */
  readonly released: string
  readonly dropped: string
  /** The jobs to remove when it is dropped: without them, nothing sends what its tables no longer have. */
  readonly jobs?: readonly string[]
  /** Whether it is dropped after everything else, because that may add to it. */
  readonly isLast?: true
}

interface OfWorkspace extends Kind {
  readonly scope: 'workspace'
  /** How many wait since before a time. */
  count(ctx: Ctx, before: Date): Promise<number>
  /** Ends the wait of those, and says so in their records. Missing if they stay, or if they are jobs alone. */
  drop?(ctx: Ctx, before: Date): Promise<unknown>
}

interface OfDirectory extends Kind {
  readonly scope: 'directory'
  count(runtime: Runtime, before: Date): Promise<number>
  drop?(runtime: Runtime, before: Date): Promise<unknown>
}

/**
 * Something that leaves the server by itself once workers run. While the database is held after a restore, no worker begins
 * anything, so all of it waits until a person releases or drops it.
 */
export type Outgoing = OfWorkspace | OfDirectory
