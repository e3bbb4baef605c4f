import type { Static, TObject } from 'typebox'
import type { Clock } from './clock.ts'
import type { ClockWatch } from './db/clock-watch.ts'
import type { Database } from './db/database.ts'
import type { Db, Directory, Reach, WorkspaceTx } from './db/handles.ts'
import { lock, share } from './db/lock.ts'
import type { Egress } from './egress/egress.ts'
import { type Deferred, type EnqueueOptions, enqueueJob } from './enqueue.ts'
import { type EventType, type EventTypes, dataOf } from './events/event.ts'
import { type Actor, type JournalRow, insertEvent } from './events/journal.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import type { Reachable } from './references.ts'
import type { Scope } from './scopes.ts'
import type { KeyRing } from './secrets.ts'
import { type TestClocks, type WorkspaceClock, workspaceClock } from './workspace-clock.ts'

/** What all requests and jobs of a process share. */
export interface Runtime {
  database: Database
  /** The machine's clock. A workspace's time is that of its `Ctx`. */
  clock: Clock
  testClocks: TestClocks
  clockWatch: ClockWatch
  /**
   * Whether this process may begin work that sends. Not while its clock is wrong, nor while the database is held after a restore.
   * Loops and jobs ask before they look for work.
   */
  mayBegin(): boolean
  log: Log
  eventTypes: EventTypes
  /** Which records named in a response the caller can see; see `withholdReferences`. */
  reachable: Reachable
  /** By module: those of these files that belong to records in reach. */
  reachableFiles: readonly Reachable[string][]
  subscriptions: Subscriptions
  keys: KeyRing
  egress: Egress
  /** The scope without which personal data is masked. */
  unmaskingScope: Scope
  /** Whether simulators stand in for the providers of simulated connections. */
  simulatesProviders: boolean
  /** The server's public URL, without a trailing slash. Known once the server listens. */
  origin(): string
}

/** Who acts, in which workspace, and with which scopes. */
export interface Identity {
  workspaceId: string
  actor: Actor
  /** Includes implied scopes. */
  scopes: ReadonlySet<string>
  /** The members whose records the actor may read and write. Defaults to all. */
  reach?: Reach
  /** The key, if it sees only what it created; see `reachOfCreator`. */
  creator?: string
  /** The member who acts, or on whose behalf an API key acts. */
  memberId?: string
  /** The session through which a member uses the API. */
  sessionId?: string
  /** Whether it may turn the workspace's test clock, so that its transactions wait for all others there. */
  turnsClock?: boolean
}

/**
 * The context of a use case: the actor, the workspace's data, the time, and transactions, which are the only way to
 * write.
 */
export interface Ctx extends Identity {
  readonly reach: Reach
  /** Whether the caller sees personal data in masked form only. */
  readonly masked: boolean
  /**
   * Whether the caller must not learn whose a number is, and so whether a person was known: it sees personal data in
   * masked form only, or only what it created.
   */
  readonly guarded: boolean
  /** The time in the workspace. In test mode, `refreshed` makes sure that it is current; in a transaction it always is. */
  readonly clock: WorkspaceClock
  readonly log: Log
  readonly eventTypes: EventTypes
  readonly reachable: Reachable
  readonly keys: KeyRing
  readonly egress: Egress
  /** Whether simulators stand in for the providers of simulated connections. Always so in test mode. */
  readonly simulatesProviders: boolean
  /** The server's public URL; see `Runtime`. */
  origin(): string
  /** The request's If-Match header; see `requireMatch`. */
  readonly ifMatch?: string | undefined
  /** The same context with unlimited reach; see `WorkspaceTx.unrestricted`. */
  unrestricted(): Ctx
  /** Whether the workspace is in test mode: nothing leaves it, and its clock can be turned. */
  readonly testMode: boolean
  /** Quick reads. */
  readonly db: Db
  /** Finds the workspace's rows by key, regardless of reach; see `Database`. */
  lookups(): Db
  /** For searches. They have their own connections, so that they do not delay quick reads. */
  searches(): Db
  /** Tables that belong to no workspace. */
  readonly directory: Directory
  /**
   * Commits when `work` returns; rolls back when it throws. To keep a change and still reject the request, return the
   * error from `work` and throw it afterwards.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** The transaction of a use case. Its statements, events, and jobs commit together. */
export interface Tx extends WorkspaceTx {
  unrestricted(): Tx
  readonly actor: Actor
  readonly clock: WorkspaceClock
  readonly testMode: boolean
  readonly eventTypes: EventTypes
  readonly keys: KeyRing
  /**
   * Writes an event to the journal and runs its subscriptions, both in this transaction. The event keeps only the
   * data that its type declares, masked as the type says. `timelineId`: the contact whose timeline shows the event,
   * if the data does not identify the contact.
   */
  emit<D extends TObject>(
    type: EventType<D>,
    data: Static<D> & { id: string },
    timelineId?: string | null,
  ): Promise<JournalRow>
  /** The same transaction with another actor from here on. */
  actingAs(actor: Actor): Tx
  /**
   * Whether it records what happened before a restore. That takes its legal effect, but sends nothing and starts nothing: the
   * lost database may have done so.
   */
  readonly isLate: boolean
  /** The same transaction, which records what happened before a restore. */
  late(): Tx
  /** The same transaction. The events it emits are hidden from this API key or app, unless it may see personal data. */
  hidingFrom(actorId: string | null): Tx
  /** Queues a job that exists only if this transaction commits. */
  enqueue<P extends TObject>(job: Deferred<P>, payload: Static<P>, options?: EnqueueOptions): void
}

/** Runs in the transaction that emits an event. */
export type EventHandler = (tx: Tx, row: JournalRow, type: EventType) => unknown

/** The handlers of each event, by its name. */
export interface Subscriptions {
  to(event: string): readonly EventHandler[]
}

export function createContext(runtime: Runtime, identity: Identity, ifMatch?: string): Ctx {
  const { database, log, eventTypes, reachable, keys, egress, origin } = runtime
  const { workspaceId, reach = 'all' } = identity
  const masked = !identity.scopes.has(runtime.unmaskingScope)
  const ctx: Ctx = {
    ...identity,
    reach,
    masked,
    guarded: masked || identity.creator !== undefined,
    unrestricted: () =>
      reach === 'all' ? ctx : createContext(runtime, { ...identity, reach: 'all' }, ifMatch),
    get clock() {
      return clockOf(runtime, workspaceId)
    },
    log,
    eventTypes,
    reachable,
    keys,
    egress,
    get testMode() {
      return isInTestMode(runtime, workspaceId)
    },
    get simulatesProviders() {
      return simulatesIn(runtime, workspaceId)
    },
    origin,
    ifMatch,
    directory: database.directory,
    db: database.reads(workspaceId, reach),
    lookups: () => database.lookups(workspaceId),
    searches: () => database.searches(workspaceId, reach),
    transaction: (work) =>
      database.transaction(workspaceId, async (base) => work(await openTx(runtime, base, identity)), reach),
  }
  return ctx
}

const clockOf = ({ clock, testClocks }: Runtime, workspaceId: string): WorkspaceClock =>
  workspaceClock(clock, testClocks.aheadMs(workspaceId))

const isInTestMode = ({ testClocks }: Pick<Runtime, 'testClocks'>, workspaceId: string): boolean =>
  testClocks.aheadMs(workspaceId) !== null

/** Whether simulators stand in for the providers of the workspace's simulated connections. */
export const simulatesIn = (
  runtime: Pick<Runtime, 'simulatesProviders' | 'testClocks'>,
  workspaceId: string,
): boolean => runtime.simulatesProviders || isInTestMode(runtime, workspaceId)

/** The same as `createContext`, for work that another process may have begun: its time is current. */
export async function refreshed(runtime: Runtime, identity: Identity): Promise<Ctx> {
  await runtime.testClocks.read(runtime.database.directory, identity.workspaceId)
  return createContext(runtime, identity)
}

/** The lock that who turns the clock of a workspace in test mode takes. All transactions there share it. */
export const turningLock = 'test clock'

/**
 * The transaction of a use case in a transaction of the database. In test mode, the clock is not turned until it ends. Who
 * turns it takes the lock alone from the start: two that share it would wait for each other.
 */
export async function openTx(
  runtime: Runtime,
  base: WorkspaceTx,
  { actor, turnsClock = false }: Pick<Identity, 'actor' | 'turnsClock'>,
): Promise<Tx> {
  const { testClocks } = runtime
  if (!testClocks.isLive(base.workspaceId)) {
    if (turnsClock) lock(base, turningLock)
    else share(base, turningLock)
    await testClocks.read(base, base.workspaceId)
  }
  return createTx(runtime, base, actor)
}

function createTx(
  runtime: Runtime,
  base: WorkspaceTx,
  actor: Actor,
  { hidden_from = null, isLate = false }: { hidden_from?: string | null; isLate?: boolean } = {},
): Tx {
  const { eventTypes, keys, subscriptions } = runtime
  const clock = clockOf(runtime, base.workspaceId)
  const tx: Tx = {
    ...base,
    unrestricted: () =>
      base.reach === 'all' ? tx : createTx(runtime, base.unrestricted(), actor, { hidden_from, isLate }),
    actor,
    clock,
    testMode: isInTestMode(runtime, base.workspaceId),
    eventTypes,
    keys,
    async emit(type, data, timelineId) {
      const at = clock.now()
      const timelines = timelineId === undefined ? type.timelineOf(data) : timelineId
      const [first = null, ...further] = new Set(timelines === null ? [] : [timelines].flat())
      const row: JournalRow = {
        id: newId(at),
        name: type.name,
        subject_type: type.subject,
        subject_id: data.id,
        timeline_id: first,
        actor,
        data: dataOf(type, data),
        occurred_at: at.toISOString(),
        // A record may say from whom its events are hidden.
        hidden_from: hidden_from ?? (data as { hidden_from?: string | null }).hidden_from ?? null,
      }
      insertEvent(base, row, type.audit, further)
      for (const handle of subscriptions.to(type.name)) await handle(tx.unrestricted(), row, type)
      return row
    },
    actingAs: (other) => createTx(runtime, base, other, { hidden_from, isLate }),
    isLate,
    late: () => createTx(runtime, base, actor, { hidden_from, isLate: true }),
    hidingFrom: (actorId) => createTx(runtime, base, actor, { hidden_from: actorId, isLate }),
    enqueue: (job, payload, options) => enqueueJob(tx, tx.workspaceId, job.name, payload, options),
  }
  return tx
}
