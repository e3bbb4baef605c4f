import type { Tx } from '#kernel/context.ts'
import { expanded } from '../../access/public.ts'
import { findAppState } from '../apps/queries.ts'
import { InvalidToken } from '../errors.ts'
import { lockLiveGrant } from './queries.ts'

/**
 * Returns the scopes that the app may request, expanded, and locks its grant until the transaction ends: a revocation
 * then either precedes what is created for the app, or finds it. Throws `InvalidToken` if the app may no longer act for
 * the workspace.
 */
export async function requireGrant(tx: Tx, appId: string): Promise<ReadonlySet<string>> {
  const grant = await lockLiveGrant(tx, appId)
  const app = await findAppState(tx, appId)
  if (grant === undefined || app === undefined || app.disabled || app.deleted)
    throw InvalidToken('This access token has been revoked.')
  return expanded(app.scopes)
}
