import { listenTo } from '#kernel/background/listening.ts'
import { pollLoop } from '#kernel/background/poll-loop.ts'
import type { Runtime } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { engineWorkers } from '../inbox/queries.ts'
import { type Batches, createEngine, laneLease } from './engine.ts'
import { findNextLaneAcrossWorkspaces } from './lane-queries.ts'

/** A database role that sees only the inboxes and lanes, of all workspaces. */
const engineRole = 'gable_engine'

const options = { complaint: 'automations not moved', pollMs: 500, busyMs: 0, eagerLooks: 1 }

/** Runs the engine until disposed. Disposal waits for the current batch. */
export async function runEngine(runtime: Runtime, batches: Batches): Promise<AsyncDisposable> {
  const listening = listenTo(runtime, engineWorkers, { role: engineRole })
  const { queue } = listening
  const engine = createEngine(runtime, queue, newId(runtime.clock.now()), batches)
  const running = pollLoop(runtime, { ...options, listening }, async (isStopping) => {
    const found = (await engine.tick(isStopping)) > 0
    return {
      found,
      dueAt: found ? undefined : await findNextLaneAcrossWorkspaces(queue, laneLease(runtime.clock)),
    }
  })

  return {
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      await listening[Symbol.asyncDispose]()
    },
  }
}
