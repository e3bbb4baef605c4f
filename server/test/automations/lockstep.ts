import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db/database.ts'
import type { Queries, WorkspaceTx } from '#kernel/db/handles.ts'
import { sqlTag } from '#kernel/db/rows.ts'
import { sql } from '#kernel/db/sql.ts'
import { Unavailable } from '#kernel/errors.ts'

/** When other tasks may act in between: before each transaction, also before its commit, or before each statement. */
export type Grain = 'transaction' | 'commit' | 'statement'

/** What goes wrong at the `at`-th statement or commit of a task. */
export type Fault =
  /** The process dies. Its transaction is rolled back, and it does nothing more. */
  | { kind: 'kill'; at: number }
  /** The statement fails, and the process continues. */
  | { kind: 'error'; at: number }
  /** The process stalls for this long. PostgreSQL has terminated its transaction meanwhile. */
  | { kind: 'stall'; at: number; ms: number }
  /** The transaction commits, but the process does not learn of it. */
  | { kind: 'lost'; at: number }

/** A process with a clock of its own. It does one thing at a time. */
export interface Actor {
  name: string
  skew: number
  clock: Clock
  database: Database
  /** The connection of an engine. */
  queue: Queries
  task: Task | undefined
  isDead: boolean
}

export interface Task {
  actor: Actor
  name: string
  turns: { go: () => void; until: number }[]
  inFlight: number
  statements: number
  over: boolean
  fault: Fault | undefined
  open: OpenTransaction | undefined
  result: unknown
  error: unknown
}

interface OpenTransaction {
  tx: WorkspaceTx
  usedAt: number
  isBroken: boolean
  wrote: boolean
}

class Killed extends Error {
  override name = 'Killed'
}

/** The error when a database connection is lost. */
const lost = (message: string) => Object.assign(Unavailable(), { cause: new Error(message) })

/** PostgreSQL terminates a transaction that has been idle for this long. */
const idleMs = 15_000

/** Disposal ends all running tasks as if their processes were killed. */
export interface Lockstep extends AsyncDisposable {
  tasks: ReadonlySet<Task>
  /** The tasks that can act now. */
  ready(): Task[]
  newActor(name: string, skew: number): Actor
  /** Begins a task, which advances only through `step`. */
  begin(actor: Actor, name: string, run: () => Promise<unknown>, fault?: Fault): Promise<Task>
  /** Advances a task to the next point where others may act. */
  step(task: Task): Promise<void>
  /** Call this whenever time has passed. */
  timePassed(): Promise<void>
}

/**
 * Runs several processes against a real database so that the same choices always lead to the same outcome: one task acts at a time, and
 * stops at each point where others may act. PostgreSQL reports which ones wait for a lock, so timing plays no role.
 */
export function createLockstep({
  database,
  queue,
  now,
  grain,
  countWaits,
  onCommit,
}: {
  database: Database
  queue: Queries
  now: () => number
  grain: Grain
  /** How many connections are waiting for a lock. */
  countWaits: () => Promise<number>
  onCommit: (task: Task, workspaceId: string) => Promise<void>
}): Lockstep {
  const tasks = new Set<Task>()
  let notify = () => {}

  function turn(task: Task, until = 0): Promise<void> {
    return new Promise((resolve) => {
      task.turns.push({ go: resolve, until })
      notify()
    })
  }

  /** Counts a statement, and injects the fault that is due at it. */
  async function suffer(task: Task, isCommit: boolean): Promise<void> {
    if (task.actor.isDead) throw new Killed('killed')
    const { fault, open } = task
    task.statements++
    if (fault !== undefined && fault.kind !== 'lost' && task.statements >= fault.at) {
      task.fault = undefined
      if (fault.kind === 'kill') {
        task.actor.isDead = true
        throw new Killed('killed')
      }
      if (open !== undefined) await breakOff(open)
      if (fault.kind === 'stall') await turn(task, now() + fault.ms)
      throw fault.kind === 'error' ? new Error('a statement failed') : lost('connection lost')
    }
    const place = isCommit ? 'commit' : 'statement'
    if (grain === 'statement' || grain === place) await turn(task)
    if (task.actor.isDead) throw new Killed('killed')
    if (open?.isBroken === true) throw lost('terminated: idle in transaction')
  }

  async function breakOff(open: OpenTransaction): Promise<void> {
    if (open.isBroken) return
    open.isBroken = true
    await open.tx.run(sql`rollback`)
  }

  async function flying<T>(task: Task, run: () => Promise<T>): Promise<T> {
    task.inFlight++
    try {
      return await run()
    } finally {
      task.inFlight--
      notify()
    }
  }

  function watched<Q extends Queries>(handle: Q, taskOf: () => Task | undefined, wrote = () => {}): Q {
    const around = async <T>(run: () => Promise<T>): Promise<T> => {
      const task = taskOf()
      if (task === undefined) return run()
      await suffer(task, false)
      const value = await flying(task, run)
      if (task.open !== undefined) task.open.usedAt = now()
      return value
    }
    return {
      ...handle,
      many: (row) => sqlTag((statement) => around(() => handle.many(row)(statement))),
      maybeOne: (row) => sqlTag((statement) => around(() => handle.maybeOne(row)(statement))),
      one: (row) => sqlTag((statement) => around(() => handle.one(row)(statement))),
      run: sqlTag((statement) => {
        wrote()
        return around(() => handle.run(statement))
      }),
    } as Q
  }

  function watchedTx(task: Task, open: OpenTransaction, tx: WorkspaceTx): WorkspaceTx {
    const wrote = () => void (open.wrote = true)
    return {
      ...watched(tx, () => task, wrote),
      write: sqlTag((statement) => {
        wrote()
        tx.write(statement)
      }),
      async flush() {
        await suffer(task, false)
        await flying(task, () => tx.flush())
      },
      unrestricted: () => watchedTx(task, open, tx.unrestricted()),
    }
  }

  function databaseOf(actor: Actor): Database {
    const current = () => actor.task
    return {
      ...database,
      reads: (...of) => watched(database.reads(...of), current),
      lookups: (...of) => watched(database.lookups(...of), current),
      searches: (...of) => watched(database.searches(...of), current),
      directory: { ...database.directory, ...watched(database.directory, current) },
      across: () => {
        throw new Error('An engine gets its connection handed in.')
      },
      async transaction(workspaceId, work, reach) {
        const { task } = actor
        if (task === undefined) return database.transaction(workspaceId, work, reach)
        if (actor.isDead) throw new Killed('killed')
        await turn(task)
        let wrote = false
        const value = await database.transaction(
          workspaceId,
          async (tx) => {
            const open: OpenTransaction = { tx, usedAt: now(), isBroken: false, wrote: false }
            task.open = open
            try {
              const done = await work(watchedTx(task, open, tx))
              await suffer(task, true)
              wrote = open.wrote
              return done
            } finally {
              task.open = undefined
            }
          },
          reach,
        )
        if (wrote) await onCommit(task, workspaceId)
        if (task.fault?.kind === 'lost' && task.statements >= task.fault.at) {
          task.fault = undefined
          throw lost('connection lost after the commit')
        }
        return value
      },
    }
  }

  /** Waits until no task is acting: each has stopped at a turn, waits for a lock, or is over. */
  async function settle(): Promise<void> {
    for (;;) {
      await setImmediate()
      const busy = [...tasks].filter(({ turns, inFlight }) => turns.length === 0 || inFlight > 0)
      if (busy.length === 0) return
      const change = new Promise<false>((resolve) => (notify = () => resolve(false)))
      const timedOut = await Promise.race([change, sleep(20, true, { ref: false })])
      // If all of them wait for locks, PostgreSQL detects the deadlock.
      if (timedOut && busy.length < tasks.size && (await countWaits()) >= busy.length) return
    }
  }

  return {
    tasks,
    ready: () =>
      [...tasks].filter(
        ({ turns: [first], inFlight }) => first !== undefined && first.until <= now() && inFlight === 0,
      ),
    newActor(name, skew) {
      const clock: Clock = {
        ...systemClock,
        now: () => new Date(now() + skew),
        shared: () => new Date(now()),
        elapsed: now,
      }
      const actor: Actor = { name, skew, clock, database, queue, task: undefined, isDead: false }
      actor.database = databaseOf(actor)
      actor.queue = watched(queue, () => actor.task)
      return actor
    },
    async begin(actor, name, run, fault) {
      const task: Task = {
        actor,
        name,
        turns: [],
        inFlight: 0,
        statements: 0,
        over: false,
        fault,
        open: undefined,
        result: undefined,
        error: undefined,
      }
      actor.task = task
      tasks.add(task)
      void turn(task)
        .then(run)
        .then(
          (result) => (task.result = result),
          (error: unknown) => (task.error = error),
        )
        .finally(() => {
          task.over = true
          actor.task = undefined
          tasks.delete(task)
          notify()
        })
      await settle()
      return task
    },
    async step(task) {
      const first = task.turns.shift()
      if (first === undefined) return
      first.go()
      await settle()
    },
    async [Symbol.asyncDispose]() {
      for (const { actor } of tasks) actor.isDead = true
      while (tasks.size > 0) {
        for (const { turns } of tasks) turns.shift()?.go()
        await setImmediate()
      }
    },
    async timePassed() {
      for (const { open, inFlight } of tasks)
        if (open !== undefined && inFlight === 0 && open.usedAt + idleMs < now()) await breakOff(open)
    },
  }
}
