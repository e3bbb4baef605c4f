import type { Ctx, Tx } from '#kernel/context.ts'
import { defineError, found } from '#kernel/errors.ts'
import { deleteCredentials, lockConnection, saveConnection } from './connection-queries.ts'
import { type ConnectionRow, connections } from './connection.ts'
import { ConnectionDisconnected } from './events.ts'
import { listSendersOfConnection } from './queries.ts'

const ConnectionInUse = defineError('connection_in_use', 409, (senders: number) => ({
  message: `${senders === 1 ? 'A sender belongs' : `${senders} senders belong`} to this connection, and could not send any more. Replace its credentials instead.`,
}))

/**
 * Deletes the credentials of a connection: nothing goes through it from then on, and what its provider reports is rejected. 409
 * while senders belong to it, or another module needs it still. New credentials connect it again.
 */
export const disconnectConnection = (ctx: Ctx, id: string): Promise<ConnectionRow> =>
  ctx.transaction(async (tx) => {
    const before = found(await lockConnection(tx, id))
    if (before.disconnected_at !== null) return before
    const senders = await listSendersOfConnection(tx, id)
    if (senders.length > 0) throw ConnectionInUse(senders.length)
    const at = tx.clock.now()
    const gone = { disconnected_at: at.toISOString(), previous_secret_until: null, tested_at: null }
    const after = save(tx, before, gone, at)
    deleteCredentials(tx, id, Buffer.alloc(0))
    await tx.emit(ConnectionDisconnected, { id, provider: before.provider, name: before.name })
    return after
  })

/** Notes that a person had the credentials tested, and that they hold. */
export const noteTested = (ctx: Ctx, id: string): Promise<ConnectionRow> =>
  ctx.transaction(async (tx) => {
    const at = tx.clock.now()
    return save(tx, found(await lockConnection(tx, id)), { tested_at: at.toISOString() }, at)
  })

function save(tx: Tx, before: ConnectionRow, change: Partial<ConnectionRow>, at: Date): ConnectionRow {
  const patched = connections.applyPatch(before, change, at)
  if (patched === undefined) return before
  saveConnection(tx, before.id, patched.changed)
  return patched.after
}
