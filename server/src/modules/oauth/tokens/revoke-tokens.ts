import { type Runtime, type Tx, createContext } from '#kernel/context.ts'
import { hashSecret, isWellFormed } from '../../access/public.ts'
import { TokensRevoked } from '../events.ts'
import { actorOf } from './client.ts'
import { findAccessToken, findRefreshToken, revokeAccessToken, revokeFamily } from './queries.ts'

interface Family {
  family_id: string
  grant_id: string
  app_id: string
  app_name: string
}

/** Revokes a family and emits the reason, unless the family was already revoked. */
export async function revokeTokens(
  tx: Tx,
  { family_id, grant_id, app_id, app_name }: Family,
  reason: 'code_replayed' | 'token_replayed' | 'asked',
): Promise<void> {
  if ((await revokeFamily(tx, family_id, tx.clock.real.now())) === 0) return
  await tx.emit(TokensRevoked, { id: grant_id, app_id, app_name, reason })
}

/** Revokes an access token alone. For a refresh token, live or retired, revokes its whole family. Ignores anything else. */
export async function revokeToken(runtime: Runtime, token: string): Promise<void> {
  const { directory } = runtime.database
  const hash = hashSecret(token)
  if (isWellFormed('gbl_at_', token)) {
    const access = await findAccessToken(directory, hash)
    if (access !== undefined)
      await contextOf(runtime, access).transaction((tx) => revokeAccessToken(tx, hash, runtime.clock.now()))
  } else if (isWellFormed('gbl_rt_', token)) {
    const refresh = await findRefreshToken(directory, hash, runtime.clock.now())
    if (refresh !== undefined)
      await contextOf(runtime, refresh).transaction((tx) => revokeTokens(tx, refresh, 'asked'))
  }
}

const contextOf = (
  runtime: Runtime,
  { app_id, app_name, workspace_id }: Omit<Family, 'grant_id'> & { workspace_id: string },
) =>
  createContext(runtime, {
    workspaceId: workspace_id,
    actor: actorOf({ id: app_id, name: app_name }),
    scopes: new Set(),
  })
