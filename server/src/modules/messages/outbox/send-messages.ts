import type { Runtime } from '#kernel/context.ts'
import { createSweeper } from '../inbound/sweep.ts'
import type { Carriers } from '../ports.ts'
import { outboxWorkers } from '../queue/queries.ts'
import { type Dispatcher, createDispatcher } from './dispatcher.ts'

/** A database role that sees what is due in all workspaces, and nothing else. */
const senderRole = 'gable_sender'

const pollMs = 50
const idleMs = 1000
/** How many polls in a row find nothing before a worker becomes idle. */
const eagerLooks = 20

/** Sends messages until disposed. Disposal begins nothing new, and waits for messages in flight. */
export async function sendMessages(runtime: Runtime, carriers: Carriers): Promise<AsyncDisposable> {
  const { database, log } = runtime
  let stopped = false
  let wake = () => {}
  /** Whether something has been queued since the last look began. */
  let woken = false
  const queue = database.across(senderRole, [], () => {
    woken = true
    wake()
  })
  const sweeper = createSweeper(runtime, carriers)
  // A connection sends only after a sweep: what it received while this server was down may be a STOP.
  const dispatcher = createDispatcher(runtime, carriers, queue, sweeper.isFresh)
  const running = run(dispatcher)

  async function run({ look }: Dispatcher): Promise<void> {
    let empty = 0
    while (!stopped) {
      let mayRest = false
      woken = false
      try {
        sweeper.sweepWhenDue()
        // Repeated with every poll while idle, because the database connection may be a new one.
        if (empty >= eagerLooks) mayRest = await outboxWorkers.becomeIdle(queue)
        const found = (await look()) > 0
        if (found && empty >= eagerLooks) await outboxWorkers.becomeBusy(queue)
        empty = found ? 0 : empty + 1
      } catch (error) {
        log.warn({ err: error }, 'messages not sent')
      }
      await pause(mayRest && !woken && empty > eagerLooks ? idleMs : pollMs)
    }
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, stopped ? 0 : ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  return {
    async [Symbol.asyncDispose]() {
      stopped = true
      wake()
      await running
      await dispatcher.end()
      await sweeper.end()
      await queue[Symbol.asyncDispose]()
    },
  }
}
