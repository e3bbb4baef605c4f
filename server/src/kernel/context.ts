import type { Static, TObject } from 'typebox'
import type { Clock } from './clock.ts'
import type { Database } from './db/database.ts'
import type { Queries } from './db/rows.ts'
import type { Db } from './db/tenant.ts'
import type { Writer } from './db/transaction.ts'
import type { Egress } from './egress/egress.ts'
import type { EventType, EventTypes } from './events/event.ts'
import { type Actor, type JournalRow, insertEvent } from './events/journal.ts'
import type { Subscriptions } from './events/subscription.ts'
import { newId } from './ids.ts'
import { type EnqueueOptions, type Job, enqueueJob } from './jobs/job.ts'
import type { Log } from './log.ts'
import type { KeyRing } from './secrets.ts'

/** What all requests and jobs of a process share. */
export interface House {
  database: Database
  clock: Clock
  log: Log
  eventTypes: EventTypes
  subscriptions: Subscriptions
  keys: KeyRing
  egress: Egress
}

/** Who acts, where, and what they may. */
export interface Identity {
  workspaceId: string
  actor: Actor
  /** Scopes with all that they imply. */
  scopes: ReadonlySet<string>
}

/** What a use case is given: the workspace's data, the present, and the one way to change something. */
export interface Ctx extends Identity {
  readonly clock: Clock
  readonly log: Log
  readonly eventTypes: EventTypes
  readonly keys: KeyRing
  readonly egress: Egress
  /** Quick reads. */
  readonly db: Db
  /** Searches, on connections where they hold up nobody. */
  readonly searches: Db
  /** Tables that belong to no workspace. */
  readonly directory: Queries
  /** Commits when `work` returns, undoes all when it throws. Return a refusal that must be kept; throw it afterwards. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

export interface Tx extends Writer {
  /** Who acts. */
  readonly actor: Actor
  readonly clock: Clock
  readonly eventTypes: EventTypes
  readonly keys: KeyRing
  /** Records that something happened, in this transaction, and lets its subscribers act in it. */
  emit<D extends TObject>(type: EventType<D>, data: Static<D> & { id: string }): Promise<JournalRow>
  /** Queues a job that exists only if this transaction commits. */
  enqueue<P extends TObject>(job: Job<P>, payload: Static<P>, options?: EnqueueOptions): void
}

export function createContext(house: House, identity: Identity): Ctx {
  const { database, clock, log, eventTypes, keys, egress } = house
  return {
    ...identity,
    clock,
    log,
    eventTypes,
    keys,
    egress,
    directory: database.directory,
    get db() {
      return database.reads(identity.workspaceId)
    },
    get searches() {
      return database.searches(identity.workspaceId)
    },
    transaction: (work) =>
      database.transaction(identity.workspaceId, (writer) => work(createTx(house, writer, identity.actor))),
  }
}

export function createTx(house: House, writer: Writer, actor: Actor): Tx {
  const { clock, eventTypes, keys, subscriptions } = house
  const tx: Tx = {
    ...writer,
    actor,
    clock,
    eventTypes,
    keys,
    async emit(type, data) {
      const at = clock.now()
      const row: JournalRow = {
        id: newId(at),
        name: type.name,
        subject_type: type.subject,
        subject_id: data.id,
        timeline_id: type.timelineOf(data),
        actor,
        data,
        occurred_at: at.toISOString(),
      }
      writer.write(insertEvent(writer.workspaceId, row))
      for (const handle of subscriptions.to(type.name)) await handle(tx, row, type)
      return row
    },
    enqueue: (job, payload, options = {}) =>
      writer.write(enqueueJob(writer.workspaceId, job.name, payload, options)),
  }
  return tx
}
