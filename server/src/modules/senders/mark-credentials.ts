import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { lockConnection, saveConnection } from './connection-queries.ts'
import { connections } from './connection.ts'
import { ConnectionTested, CredentialsAccepted, CredentialsRejected } from './events.ts'
import type { ProviderAccount } from './ports.ts'

/** The credentials of a request to a provider. */
type Used = Pick<ProviderAccount, 'id' | 'version' | 'isRejected'>

/**
 * Records after a request whether the provider accepts the credentials that it was made with. Does nothing if that has not
 * changed, and if the credentials have been replaced since: the response says nothing of the new ones.
 */
export async function recordCredentials(ctx: Ctx, used: Used, isRejected: boolean): Promise<void> {
  if (isRejected !== (used.isRejected ?? false)) await ctx.transaction((tx) => mark(tx, used, isRejected))
}

async function mark(tx: Tx, { id, version = null }: Used, isRejected: boolean): Promise<void> {
  const before = await lockConnection(tx, id)
  if (before === undefined || before.previous_secret_until !== version) return
  if ((before.credentials_rejected_at !== null) === isRejected) return
  const at = tx.clock.now()
  const credentials_rejected_at = isRejected ? at.toISOString() : null
  const patched = connections.applyPatch(before, { credentials_rejected_at }, at)
  if (patched === undefined) return
  saveConnection(tx, id, patched.changed)
  const { provider, name } = before
  await tx.emit(isRejected ? CredentialsRejected : CredentialsAccepted, { id, provider, name })
}

/** Records the result of a test of the credentials, and when the provider last accepted them in one. */
export const recordTested = (ctx: Ctx, used: Used, isAccepted: boolean): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { id, version = null } = used
    await mark(tx, used, !isAccepted)
    const before = orNotFound(await lockConnection(tx, id))
    if (!isAccepted || before.previous_secret_until !== version) return
    const at = tx.clock.now()
    const patched = connections.applyPatch(before, { tested_at: at.toISOString() }, at)
    if (patched === undefined) return
    saveConnection(tx, id, patched.changed)
    await tx.emit(ConnectionTested, { id, provider: before.provider, name: before.name })
  })
