import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { lockConnection, saveConnection } from './connection-queries.ts'
import { connections } from './connection.ts'
import { ConnectionTested, CredentialsAccepted, CredentialsRejected } from './events.ts'

/** Records whether the provider accepts the credentials of a connection. Does nothing if that has not changed. */
export async function markCredentials(tx: Tx, id: string, isRejected: boolean): Promise<void> {
  const before = await lockConnection(tx, id)
  if (before === undefined || (before.credentials_rejected_at !== null) === isRejected) return
  const at = tx.clock.now()
  const credentials_rejected_at = isRejected ? at.toISOString() : null
  const patched = connections.applyPatch(before, { credentials_rejected_at }, at)
  if (patched === undefined) return
  saveConnection(tx, id, patched.changed)
  const { provider, name } = before
  await tx.emit(isRejected ? CredentialsRejected : CredentialsAccepted, { id, provider, name })
}

/** Records the result of a test of the credentials, and when the provider last accepted them in one. */
export const recordTested = (ctx: Ctx, id: string, isAccepted: boolean): Promise<void> =>
  ctx.transaction(async (tx) => {
    await markCredentials(tx, id, !isAccepted)
    if (!isAccepted) return
    const before = orNotFound(await lockConnection(tx, id))
    const at = tx.clock.now()
    const patched = connections.applyPatch(before, { tested_at: at.toISOString() }, at)
    if (patched === undefined) return
    saveConnection(tx, id, patched.changed)
    await tx.emit(ConnectionTested, { id, provider: before.provider, name: before.name })
  })
