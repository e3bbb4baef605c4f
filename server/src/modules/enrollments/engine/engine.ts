import { type Lease, leaseFrom } from '#kernel/background/lease.ts'
import type { Clock } from '#kernel/clock.ts'
import { type Ctx, type Runtime, refreshed } from '#kernel/context.ts'
import { isOutage } from '#kernel/db/errors.ts'
import type { Db, Queries } from '#kernel/db/handles.ts'
import { findNextPutOff, listAddressees } from '../inbox/queries.ts'
import { findNextDue, listDueContacts } from '../queries.ts'
import {
  type Hold,
  addLanesAcrossWorkspaces,
  freeLanesAcrossWorkspaces,
  claimLanesAcrossWorkspaces,
  isHeld,
  listDueLanesAcrossWorkspaces,
  listInboxesAcrossWorkspaces,
  releaseLane,
} from './lane-queries.ts'
import { moveContacts } from './move-contacts.ts'
import { retryLater } from './retry-later.ts'

export interface Engine {
  /** Moves contacts with inbox rows or due enrollments, one batch per lane. Returns how many it moved. */
  tick(isStopping?: () => boolean): Promise<number>
}

/** How many contacts of a lane the engine moves before it goes on to the next lane. */
const perBatch = 50
/** Duration of a lease. An engine that does not release a lane in time loses it. */
const holdMs = 30_000

export const laneLease = (clock: Clock): Lease => leaseFrom(clock, holdMs)

/** Work on many enrollments of a lane at once, which the engine does beside moving contacts. */
export interface Batches {
  /** Makes the next batch of a bulk change, before contacts move. Returns how many enrollments it looked at. */
  change(ctx: Ctx, hold: Hold): Promise<number>
  /** Enrolls the next contacts, after contacts have moved. Returns a number above 0 if there was anything to do. */
  enroll(ctx: Ctx, hold: Hold): Promise<number>
  /** When `enroll` has something to do next. */
  findNextDue(db: Db): Promise<string | null>
}

interface EngineOptions {
  /** Moves contacts. */
  move?: typeof moveContacts
  /** The most lanes to lease at a time. */
  mostLanes?: number
  /** How many lanes to move concurrently. */
  atOnce?: number
}

/**
 * `queue`: a connection that sees the inboxes and lanes of all workspaces. `name`: the unique ID of the engine, under which it holds
 * leases.
 */
export function createEngine(
  runtime: Runtime,
  queue: Queries,
  name: string,
  batches: Batches,
  { move = moveContacts, mostLanes = 32, atOnce = 4 }: EngineOptions = {},
): Engine {
  const { clock, log } = runtime
  /** After an error, the engine may hold leases that it does not know about or failed to release. */
  let mayHoldMore = false

  const contextOf = (workspaceId: string): Promise<Ctx> =>
    refreshed(runtime, {
      workspaceId,
      actor: { type: 'system', id: null, name: 'automations' },
      scopes: new Set(),
    })

  async function claimLanes(): Promise<Hold[]> {
    const now = clock.now()
    if (mayHoldMore) await freeLanesAcrossWorkspaces(queue, name, now)
    mayHoldMore = false
    const lease = laneLease(clock)
    const [inboxes, due] = await Promise.all([
      listInboxesAcrossWorkspaces(queue),
      listDueLanesAcrossWorkspaces(queue, now, lease, mostLanes),
    ])
    const waiting = inboxes.map(({ workspace_id }) => workspace_id)
    const ids = [...new Set([...due.map(({ workspace_id }) => workspace_id), ...waiting])]
    if (ids.length === 0) return []
    // Statements of one turn run in their order, without a round trip in between.
    const [, claimed] = await Promise.all([
      waiting.length > 0 && addLanesAcrossWorkspaces(queue, waiting, now),
      claimLanesAcrossWorkspaces(queue, {
        ids,
        holder: name,
        lease,
        limit: mostLanes,
      }),
    ])
    return claimed
  }

  /** Moves one batch of a lane, then releases the lane. */
  async function moveLane(hold: Hold, isStopping: () => boolean): Promise<number> {
    const ctx = await contextOf(hold.workspaceId)
    const heldSince = clock.elapsed()
    const [changed, addressees, due] = await Promise.all([
      batches.change(ctx, hold),
      listAddressees(ctx.db, ctx.clock.now(), perBatch),
      listDueContacts(ctx.db, ctx.clock.now(), perBatch),
    ])
    // Half the batch each, so that neither inbox rows nor due enrollments starve the other.
    const inTurn = [
      ...addressees.slice(0, perBatch / 2),
      ...due.slice(0, perBatch / 2),
      ...addressees,
      ...due,
    ]
    const contactIds = [...new Set(inTurn.map(({ contact_id }) => contact_id))]
    const isOver = () => isStopping() || clock.elapsed() - heldSince > holdMs / 2
    let moved = changed + (await moveBatch(ctx, hold, contactIds.slice(0, perBatch), isOver))
    if (!isStopping()) moved += await batches.enroll(ctx, hold)
    await ctx.transaction(async (tx) => {
      const [held, ...times] = await Promise.all([
        isHeld(tx, hold),
        findNextDue(tx),
        batches.findNextDue(tx),
        findNextPutOff(tx),
      ])
      if (!held) return
      const [first = null] = times.filter((at) => at !== null).toSorted()
      releaseLane(tx, hold, first)
    })
    return moved
  }

  /** Moves contacts in one transaction. If that throws, nothing has changed, and each contact is moved alone. */
  async function moveBatch(
    ctx: Ctx,
    hold: Hold,
    contactIds: readonly string[],
    isOver: () => boolean,
  ): Promise<number> {
    if (contactIds.length > 1 && !isOver()) {
      try {
        await move(ctx, hold, contactIds)
        return contactIds.length
      } catch (error) {
        log.warn({ err: error, workspace: ctx.workspaceId }, 'a batch of enrollments was not moved')
      }
    }
    let moved = 0
    for (const contactId of contactIds) {
      if (isOver()) break
      if (await moveOrRetry(ctx, hold, contactId)) moved++
    }
    return moved
  }

  /**
   * A move that throws changes nothing. It is retried later, and fails in the end, so that it cannot block anything else. After a database
   * outage nothing is wrong with the contact, so the attempt does not count. Returns false only after an outage.
   */
  async function moveOrRetry(ctx: Ctx, hold: Hold, contactId: string): Promise<boolean> {
    try {
      await move(ctx, hold, [contactId])
      return true
    } catch (error) {
      log.warn({ err: error, workspace: ctx.workspaceId }, 'an enrollment was not moved')
      if (isOutage(error)) return false
      await retryLater(ctx, hold, contactId, move)
      return true
    }
  }

  function forget(error: unknown): never {
    mayHoldMore = true
    throw error
  }

  return {
    async tick(isStopping = () => false) {
      let moved = 0
      const holds = (await claimLanes().catch(forget)).values()
      async function moveSome() {
        for (const hold of holds) {
          try {
            const some = await moveLane(hold, isStopping)
            moved += some
          } catch (error) {
            mayHoldMore = true
            log.warn({ err: error, workspace: hold.workspaceId }, 'a lane was not moved')
          }
        }
      }
      await Promise.all(Array.from({ length: atOnce }, moveSome))
      return moved
    },
  }
}
