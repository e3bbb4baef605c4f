import type { Runtime } from '#kernel/context.ts'
import { listSenders, listSimulatedConnections, openAccount } from '../senders/public.ts'
import { systemContext } from './outbox/system-context.ts'
import type { Carriers } from './ports.ts'

/**
 * Has the simulated carrier send to us what the senders of all workspaces receive: it forgets its numbers when it ends. One that
 * cannot be connected stops no other, and is logged.
 */
export async function connectSimulatedSenders(runtime: Runtime, carriers: Carriers): Promise<void> {
  for (const { id, workspace_id, provider } of await listSimulatedConnections(runtime.database.directory)) {
    const ctx = systemContext(runtime, workspace_id)
    try {
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
