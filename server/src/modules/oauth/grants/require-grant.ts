import type { Tx } from '#kernel/context.ts'
import { expanded } from '../../access/public.ts'
import { findAppState } from '../apps/queries.ts'
import { InvalidToken } from '../errors.ts'
import { lockLiveGrant } from './queries.ts'

/**
 * Returns the scopes that the app may request, expanded, and locks its grant until the transaction ends. Because of the
 * lock, a revocation either comes first or sees what the transaction creates for the app. Throws `InvalidToken` if the
 * app may no longer act for the workspace.
 */
export async function requireGrant(tx: Tx, appId: string): Promise<ReadonlySet<string>> {
  const grant = await lockLiveGrant(tx, appId)
  const app = await findAppState(tx, appId)
  if (grant === undefined || app === undefined || app.disabled || app.deleted)
    throw InvalidToken('This access token has been revoked.')
  return expanded(app.scopes)
}
