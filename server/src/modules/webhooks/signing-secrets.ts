import type { Ctx } from '#kernel/context.ts'
import { findSealedSecrets } from './queries.ts'
import { openSecret } from './secret.ts'

/** What signs in the name of a webhook now: its secret, then the previous one while that is valid. Undefined if there is none. */
export async function findSigningSecrets(
  { db, keys, workspaceId, clock }: Ctx,
  id: string,
): Promise<[string, ...string[]] | undefined> {
  const row = await findSealedSecrets(db, id)
  if (row === undefined) return undefined
  const { secret, previous_secret: previous, previous_secret_until: until } = row
  const isValid = until !== null && Date.parse(until) > clock.now().getTime()
  return [
    openSecret(keys, workspaceId, id, secret),
    ...(previous !== null && isValid ? [openSecret(keys, workspaceId, id, previous)] : []),
  ]
}
