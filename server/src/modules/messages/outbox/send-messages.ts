import { listenTo } from '#kernel/background/listening.ts'
import { pollLoop } from '#kernel/background/poll-loop.ts'
import type { Runtime } from '#kernel/context.ts'
import { createSweeper } from '../inbound/sweep.ts'
import type { Carriers, LastSent } from '../ports.ts'
import { findNextDueAcrossWorkspaces, outboxWorkers } from '../queue/queries.ts'
import { createDispatcher } from './dispatcher.ts'

/** A database role that sees what is due in all workspaces, and nothing else. */
const senderRole = 'gable_sender'

/** Sends messages until disposed. Disposal begins nothing new, and waits for messages in flight. */
export async function sendMessages(
  runtime: Runtime,
  carriers: Carriers,
  lastSent: LastSent,
): Promise<AsyncDisposable> {
  const listening = listenTo(runtime, outboxWorkers, { role: senderRole })
  const { queue } = listening
  const sweeper = createSweeper(runtime, carriers)
  // A connection sends only after a sweep: what it received while this server was down may be a STOP.
  const dispatcher = createDispatcher(runtime, carriers, queue, sweeper.isFresh, lastSent.save)
  const sweeping = pollLoop(runtime, { complaint: 'connections not swept' }, async () => sweeper.look())
  const sending = pollLoop(runtime, { complaint: 'messages not sent', listening }, async () => {
    const found = (await dispatcher.look()) > 0
    return { found, dueAt: found ? undefined : await findNextDueAcrossWorkspaces(queue, runtime.clock) }
  })

  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([sending[Symbol.asyncDispose](), sweeping[Symbol.asyncDispose]()])
      await dispatcher.end()
      await sweeper.end()
      await listening[Symbol.asyncDispose]()
    },
  }
}
