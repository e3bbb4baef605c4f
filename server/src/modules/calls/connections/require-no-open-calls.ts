import type { Tx } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import { findConnection } from '../../senders/public.ts'
import { hasOpenCalls, hasOpenRemovals } from '../queries.ts'

const ConnectionHasCalls = defineError('connection_has_calls', 409, (what: string) => ({
  message: `${what} Try again later, or replace its credentials instead.`,
}))

/**
 * Throws 409 `connection_has_calls` if a connection must not be disconnected yet: it has open calls or recordings to
 * copy, or erased data still has to be removed at the provider. Both need the credentials. If the provider rejects the
 * credentials, pending removals don't block: they couldn't succeed anyway.
 */
export async function requireNoOpenCalls(tx: Tx, id: string): Promise<void> {
  if (await hasOpenCalls(tx.unrestricted(), id))
    throw ConnectionHasCalls(
      'Calls of this connection are waiting or in progress, or Gable still has to copy a recording.',
    )
  const connection = await findConnection(tx, tx.workspaceId, id)
  if (connection?.credentials_rejected_at === null && (await hasOpenRemovals(tx, id)))
    throw ConnectionHasCalls('Gable still has to remove erased data at the provider.')
}
