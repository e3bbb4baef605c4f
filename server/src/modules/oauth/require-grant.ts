import type { Tx } from '#kernel/context.ts'
import { expanded } from '../access/public.ts'
import { findAppState } from './app-queries.ts'
import { InvalidToken } from './errors.ts'
import { lockLiveGrant } from './grant-queries.ts'

/**
 * For what is kept for an app: throws InvalidToken unless the app may still act for the workspace, and holds the grant as
 * it is until the transaction ends. So whatever lets go at a revocation cannot miss what is being made. Answers what the
 * app may ask for now, with all that it implies.
 */
export async function requireGrant(tx: Tx, appId: string): Promise<ReadonlySet<string>> {
  const grant = await lockLiveGrant(tx, appId)
  const app = await findAppState(tx, appId)
  if (grant === undefined || app === undefined || app.disabled || app.deleted)
    throw InvalidToken('This access token has been revoked.')
  return expanded(app.scopes)
}
