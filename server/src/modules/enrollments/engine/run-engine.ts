import type { Runtime } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { type Batches, createEngine } from './engine.ts'

/** A database role that sees only the inboxes and lanes, of all workspaces. */
const engineRole = 'gable_engine'

const tickMs = 500

/** Runs the engine until disposed. Disposal waits for the current batch. */
export async function runEngine(runtime: Runtime, batches: Batches): Promise<AsyncDisposable> {
  const { database, clock, log } = runtime
  const queue = database.across(engineRole)
  const engine = createEngine(runtime, queue, newId(clock.now()), batches)
  let stopped = false
  let wake = () => {}
  const running = run()

  async function run(): Promise<void> {
    while (!stopped) {
      let moved = 0
      try {
        moved = await engine.tick(() => stopped)
      } catch (error) {
        log.warn({ err: error }, 'automations not moved')
      }
      if (moved === 0) await pause()
    }
  }

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, stopped ? 0 : tickMs)
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
      await queue[Symbol.asyncDispose]()
    },
  }
}
