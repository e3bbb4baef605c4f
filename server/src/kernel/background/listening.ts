import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Queries } from '../db/handles.ts'
import type { Statement } from '../db/pipeline-batch.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { IdleWorkers } from './idle-workers.ts'

/** How long an idle worker may rest: if notifications reach it, and if a pooler or a broken connection swallows them. */
const hearingMs = 30_000
const deafMs = 1000

/** After this many rests without a notification of its own, a process says that it hears none. */
const deafRests = 10

/** How a probe begins. To graphile-worker, which listens on the channel of jobs, the count says that there is no job. */
const probeBegin = '{"count":0,"probe":"'

/** A worker's connection to its queue, on which writers wake it while it is idle. */
export interface QueueListener extends AsyncDisposable {
  readonly queue: Queries
  /** Calls when the queue was written while the worker was idle, and when the connection is lost. */
  onWake(call: () => void): void
  /**
   * Makes the worker idle. Call it before every look of an idle worker, to miss nothing: the connection may be a new one.
   * Returns how many milliseconds the worker may rest after that look; 0 if it must not rest.
   */
  becomeIdle(): Promise<number>
  becomeBusy(): Promise<unknown>
}

/** The processes that have said that they hear nothing. */
const deaf = new WeakSet<Database>()

/**
 * Opens a worker's connection. Each time the worker becomes idle, it notifies itself through another connection. If it
 * has heard that by the next time, notifications reach it.
 */
export function listenTo(
  { database, clock, log }: { database: Database; clock: Clock; log: Log },
  workers: IdleWorkers,
  { role, before = [] }: { role: string; before?: readonly Statement[] },
): QueueListener {
  const probe = `${probeBegin}${newId(clock.now())}"}`
  let isHeard = false
  let isListening = false
  let unheard = 0
  let wake = () => {}
  const queue = database.across(role, before, (payload) => {
    if (payload === probe) isHeard = true
    if (payload === undefined) isHeard = isListening = false
    // A probe, perhaps of another worker, is no work.
    if (!payload?.startsWith(probeBegin)) wake()
  })

  function complainOnce(): void {
    unheard = isHeard ? 0 : unheard + 1
    if (unheard <= deafRests || deaf.has(database)) return
    deaf.add(database)
    log.warn(
      { channel: workers.channel },
      'notifications of PostgreSQL do not arrive, as behind a pooler in transaction mode: work is looked for every second',
    )
  }

  return {
    queue,
    onWake: (call) => void (wake = call),
    async becomeIdle() {
      complainOnce()
      const mostMs = isHeard ? hearingMs : deafMs
      isHeard = false
      isListening ||= await workers.becomeIdle(queue)
      const sent = database.directory.run`select pg_notify(${workers.channel}, ${probe})`
      // A probe that was not sent is not heard.
      sent.catch(() => undefined)
      return isListening ? mostMs : 0
    },
    becomeBusy() {
      isListening = false
      return workers.becomeBusy(queue)
    },
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  }
}
