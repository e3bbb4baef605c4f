import type { Ctx } from '#kernel/context.ts'
import { findSealedSecrets } from './queries.ts'
import { openSecret } from './secret.ts'

/** Returns the webhook's current secret, then the previous one while it is valid. Undefined if the webhook does not exist. */
export async function findSigningSecrets(
  { db, keys, workspaceId, clock }: Ctx,
  id: string,
): Promise<[string, ...string[]] | undefined> {
  const row = await findSealedSecrets(db, id)
  if (row === undefined) return undefined
  const { secret, previous_secret: previous, previous_secret_until: until } = row
  const isValid = until !== null && Date.parse(until) > clock.real.now().getTime()
  return [
    openSecret(keys, workspaceId, id, secret),
    ...(previous !== null && isValid ? [openSecret(keys, workspaceId, id, previous)] : []),
  ]
}
