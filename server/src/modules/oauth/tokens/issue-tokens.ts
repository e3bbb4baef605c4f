import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { hashSecret, newSecret } from '../../access/public.ts'
import { accessTokenMs } from './lifetimes.ts'
import { insertAccessToken, insertRefreshToken } from './queries.ts'

/** A successful response of the token endpoint (RFC 6749, 5.1). */
export interface TokenResponseBody {
  access_token: string
  token_type: 'Bearer'
  /** In seconds. */
  expires_in: number
  refresh_token?: string
  scope: string
  /** The workspace id. */
  tenant_id: string
}

export interface NewTokens {
  familyId: string
  scopes: readonly string[]
  /** When the family ends, and all of its tokens with it. Null for never. */
  endsAt: Date | null
  refreshable: boolean
}

/** Creates an access token of the family and, if `refreshable`, a refresh token. Only their hashes are stored. */
export function issueTokens(
  tx: Tx,
  { familyId, scopes, endsAt, refreshable }: NewTokens,
  now: Date,
): TokenResponseBody {
  const access = newSecret('gbl_at_')
  const lifeMs = Math.min(accessTokenMs, endsAt === null ? accessTokenMs : endsAt.getTime() - now.getTime())
  insertAccessToken(tx, { hash: hashSecret(access), familyId, scopes, expiresAt: later(now, lifeMs) }, now)
  const refresh = refreshable ? newSecret('gbl_rt_') : undefined
  if (refresh !== undefined) insertRefreshToken(tx, hashSecret(refresh), familyId, now)
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.floor(lifeMs / 1000),
    ...(refresh === undefined ? {} : { refresh_token: refresh }),
    scope: scopes.join(' '),
    tenant_id: tx.workspaceId,
  }
}
