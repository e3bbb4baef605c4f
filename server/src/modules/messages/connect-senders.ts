import { Type } from 'typebox'
import { type Runtime, type Tx, simulatesIn } from '#kernel/context.ts'
import { job } from '#kernel/jobs/job.ts'
import { listSenders, listSendersById, listSimulatedConnections, openAccount } from '../senders/public.ts'
import type { Carriers } from './ports.ts'
import { systemContext } from './system-context.ts'

/**
 * Connects the senders of all workspaces that use the simulated carrier, so that it sends Gable what they receive. It
 * forgets its numbers when it stops. Logs a connection that fails, and goes on with the others.
 */
export async function connectSimulatedSenders(runtime: Runtime, carriers: Carriers): Promise<void> {
  for (const { id, workspace_id, provider } of await listSimulatedConnections(runtime.database.directory)) {
    try {
      await runtime.testClocks.read(runtime.database.directory, workspace_id)
      if (!simulatesIn(runtime, workspace_id)) continue
      const ctx = systemContext(runtime, workspace_id)
      const account = await openAccount(ctx, id)
      const connect = carriers[provider]?.connectSender
      if (connect === undefined) continue
      for (const { address, connection_id } of await listSenders(ctx.db)) {
        if (connection_id !== id) continue
        const isConnected = account && (await connect(account, address))
        if (!isConnected) runtime.log.warn({ connectionId: id }, 'a simulated sender was not connected')
      }
    } catch (error) {
      runtime.log.warn({ err: error, connectionId: id }, 'the senders of a connection were not connected')
    }
  }
}

/** A job that connects a new sender to the simulated carrier, without waiting for the next start. */
export const connectNewSender = (carriers: Carriers) =>
  job('connect-new-sender', {
    payload: Type.Object({ sender_id: Type.String() }),
    async handle(ctx, { sender_id }) {
      const [sender] = await listSendersById(ctx.db, [sender_id])
      const account = sender && (await openAccount(ctx, sender.connection_id))
      // For a real provider, the operator sets where it sends inbound messages.
      if (sender === undefined || account?.simulated !== true) return
      const isConnected = await carriers[account.provider]?.connectSender?.(account, sender.address)
      if (isConnected === false) ctx.log.warn({ senderId: sender_id }, 'a simulated sender was not connected')
    },
  })

/** The job for code that only queues it, by name. The worker runs the one that has the carriers. */
const named = connectNewSender({ twilio: undefined, whatsapp: undefined, email: undefined })

export const queueNewSender = (tx: Tx, senderId: string): void => tx.enqueue(named, { sender_id: senderId })
