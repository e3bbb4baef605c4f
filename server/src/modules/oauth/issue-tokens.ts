import type { Tx } from '#kernel/context.ts'
import { hashSecret, newSecret } from '../access/public.ts'
import { accessTokenMs, later } from './lifetimes.ts'
import { insertAccessToken, insertRefreshToken } from './token-queries.ts'

/** What the token endpoint answers (RFC 6749, 5.1). */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token?: string
  scope: string
  /** Id of the workspace that the app acts for. */
  tenant_id: string
}

export interface Issue {
  familyId: string
  scopes: readonly string[]
  /** Nothing of the family lives beyond. */
  endsAt: Date | null
  refreshable: boolean
}

/** Writes down new tokens of a family; the answer is the only place where they can be read. */
export function issueTokens(
  tx: Tx,
  { familyId, scopes, endsAt, refreshable }: Issue,
  now: Date,
): TokenAnswer {
  const access = newSecret('gbl_at_')
  const lifeMs = Math.min(accessTokenMs, endsAt === null ? accessTokenMs : endsAt.getTime() - now.getTime())
  tx.write(
    insertAccessToken({ hash: hashSecret(access), familyId, scopes, expiresAt: later(now, lifeMs) }, now),
  )
  const refresh = refreshable ? newSecret('gbl_rt_') : undefined
  if (refresh !== undefined) tx.write(insertRefreshToken(hashSecret(refresh), familyId, now))
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.floor(lifeMs / 1000),
    ...(refresh === undefined ? {} : { refresh_token: refresh }),
    scope: scopes.join(' '),
    tenant_id: tx.workspaceId,
  }
}
