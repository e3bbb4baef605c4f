import { type Clock, later } from './clock.ts'
import type { DirectoryDb } from './db/handles.ts'

/** The time in a workspace. In test mode, it may be ahead of the machine's; in all other workspaces, they are the same. */
export interface WorkspaceClock extends Clock {
  /** The machine's clock. Leases, rates, idempotency, credentials, and retention go by it in every workspace. */
  readonly real: Clock
  /**
   * When a time of the workspace comes by the machine's clock. What workers look for across workspaces has this time: jobs,
   * and due rows of queues.
   */
  due(at: Date): Date
}

const lives = new WeakMap<Clock, WorkspaceClock>()

/** The only way to get the time in a workspace. `aheadMs`: see `TestClocks`. */
export function workspaceClock(real: Clock, aheadMs: number | null): WorkspaceClock {
  if (aheadMs !== null && aheadMs !== 0)
    return { ...real, real, now: () => later(real.now(), aheadMs), due: (at) => later(at, -aheadMs) }
  const known = lives.get(real) ?? { ...real, real, due: (at) => at }
  lives.set(real, known)
  return known
}

/** What this process knows about the time in workspaces. */
export interface TestClocks {
  /** By how many milliseconds the workspace's time was ahead at the last `read`; null if it is not in test mode. */
  aheadMs(workspaceId: string): number | null
  /** Whether the workspace is known not to be in test mode. It never will be. */
  isLive(workspaceId: string): boolean
  /** For tests that put a workspace into test mode afterwards. */
  forget(workspaceId: string): void
  /** Reads how far the time is ahead, unless the workspace is known not to be in test mode. */
  read(db: DirectoryDb, workspaceId: string): Promise<void>
}

/** `find`: reads how far ahead a workspace is, null without test mode, undefined if there is no such workspace. */
export function testClocks(
  find: (db: DirectoryDb, workspaceId: string) => Promise<number | null | undefined>,
): TestClocks {
  const known = new Map<string, number | null>()
  return {
    aheadMs: (id) => known.get(id) ?? null,
    forget: (id) => void known.delete(id),
    isLive: (id) => known.get(id) === null,
    async read(db, id) {
      if (known.get(id) === null) return
      const aheadMs = await find(db, id)
      // A workspace that is being created may not be visible yet.
      if (aheadMs !== undefined) known.set(id, aheadMs)
    },
  }
}
