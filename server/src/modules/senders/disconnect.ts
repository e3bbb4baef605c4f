import type { Ctx } from '#kernel/context.ts'
import { defineError, orNotFound } from '#kernel/errors.ts'
import { deleteCredentials, lockConnection, saveConnection } from './connection-queries.ts'
import { type ConnectionRow, connections } from './connection.ts'
import { ConnectionDisconnected } from './events.ts'
import { listSendersOfConnection } from './queries.ts'

const ConnectionInUse = defineError('connection_in_use', 409, (senders: number) => ({
  message: `${senders === 1 ? 'A sender belongs' : `${senders} senders belong`} to this connection, and could not send any more. Replace its credentials instead.`,
}))

/**
 * Disconnects a connection and deletes its credentials. From then on, it carries nothing, and Gable rejects its
 * provider's callbacks. Throws 409 while senders belong to it, or another module still needs it. New credentials
 * connect it again.
 */
export const disconnectConnection = (ctx: Ctx, id: string): Promise<ConnectionRow> =>
  ctx.transaction(async (tx) => {
    const before = orNotFound(await lockConnection(tx, id))
    if (before.disconnected_at !== null) return before
    const senders = await listSendersOfConnection(tx, id)
    if (senders.length > 0) throw ConnectionInUse(senders.length)
    const at = tx.clock.now()
    const gone = { disconnected_at: at.toISOString(), previous_secret_until: null, tested_at: null }
    const patched = connections.applyPatch(before, gone, at)
    if (patched === undefined) return before
    saveConnection(tx, id, patched.changed)
    deleteCredentials(tx, id, Buffer.alloc(0))
    await tx.emit(ConnectionDisconnected, { id, provider: before.provider, name: before.name })
    return patched.after
  })
