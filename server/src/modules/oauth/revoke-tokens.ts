import { type House, type Tx, createContext } from '#kernel/context.ts'
import { hashSecret, isWellFormed } from '../access/public.ts'
import { actorOf } from './client.ts'
import { TokensWereRevoked } from './events.ts'
import { findAccessToken, findRefreshToken, revokeAccessToken, revokeFamily } from './token-queries.ts'

interface Family {
  family_id: string
  grant_id: string
  app_id: string
  app_name: string
}

/** Revokes a family of tokens, and notes why; nothing if it was revoked before. */
export async function revokeTokens(
  tx: Tx,
  { family_id, grant_id, app_id, app_name }: Family,
  reason: 'code_replayed' | 'token_replayed' | 'asked',
): Promise<void> {
  if ((await revokeFamily(tx, family_id, tx.clock.now())) === 0) return
  await tx.emit(TokensWereRevoked, { id: grant_id, app_id, app_name, reason })
}

/**
 * Revokes what somebody holds: an access token alone; with a refresh token, live or retired, its whole family. Whatever is
 * none of the two is passed over.
 */
export async function revokeToken(house: House, token: string): Promise<void> {
  const { directory } = house.database
  const hash = hashSecret(token)
  if (isWellFormed('gbl_at_', token)) {
    const access = await findAccessToken(directory, hash)
    if (access !== undefined)
      await contextOf(house, access).transaction((tx) => revokeAccessToken(tx, hash, house.clock.now()))
  } else if (isWellFormed('gbl_rt_', token)) {
    const refresh = await findRefreshToken(directory, hash, house.clock.now())
    if (refresh !== undefined)
      await contextOf(house, refresh).transaction((tx) => revokeTokens(tx, refresh, 'asked'))
  }
}

const contextOf = (
  house: House,
  { app_id, app_name, workspace_id }: Omit<Family, 'grant_id'> & { workspace_id: string },
) =>
  createContext(house, {
    workspaceId: workspace_id,
    actor: actorOf({ id: app_id, name: app_name }),
    scopes: new Set(),
  })
