import { later } from '#kernel/clock.ts'
import { type Runtime, createContext } from '#kernel/context.ts'
import { isId, newId } from '#kernel/ids.ts'
import type { AppRow } from '../apps/app.ts'
import { InvalidRequest, InvalidScope, NoScopesLeft, UnauthorizedClient } from '../errors.ts'
import type { GrantRow } from '../grants/grant.ts'
import { findLiveGrant, listLiveGrantsOfApp } from '../grants/queries.ts'
import { parseScopes, allowedFor } from '../scope-list.ts'
import { actorOf } from './client.ts'
import { type TokenResponseBody, issueTokens } from './issue-tokens.ts'
import { accessTokenMs } from './lifetimes.ts'
import { insertFamily } from './queries.ts'

/**
 * Issues an access token, without a refresh token, to an app for a workspace that has authorized it. Throws
 * `InvalidRequest`, `InvalidScope`, `NoScopesLeft`, and `UnauthorizedClient`, which is the same for a workspace that
 * does not exist and one that has not authorized the app.
 */
export async function grantClientCredentials(
  runtime: Runtime,
  app: AppRow,
  { tenantId, scope }: { tenantId: string | undefined; scope: string | undefined },
): Promise<TokenResponseBody> {
  const grant = await grantFor(runtime, app, tenantId)
  const held = allowedFor(grant.scopes, app)
  if (held.length === 0) throw NoScopesLeft()
  const scopes = scope === undefined ? held : parseScopes(scope, held)
  if (scopes === undefined) throw InvalidScope('scope may name only scopes that the workspace has granted.')
  const ctx = createContext(runtime, {
    workspaceId: grant.workspace_id,
    actor: actorOf(app),
    scopes: new Set(),
  })
  return ctx.transaction(async (tx) => {
    const now = runtime.clock.now()
    const familyId = newId(now)
    const expiresAt = later(now, accessTokenMs)
    insertFamily(tx, { id: familyId, grantId: grant.id, scopes, expiresAt, endsAt: expiresAt }, now)
    return issueTokens(tx, { familyId, scopes, endsAt: expiresAt, refreshable: false }, now)
  })
}

async function grantFor(
  { database: { directory } }: Runtime,
  app: AppRow,
  tenantId: string | undefined,
): Promise<GrantRow> {
  if (tenantId !== undefined) {
    const grant = isId(tenantId) ? await findLiveGrant(directory, app.id, tenantId) : undefined
    if (grant === undefined) throw UnauthorizedClient()
    return grant
  }
  const [grant, another] = await listLiveGrantsOfApp(directory, app.id, 2)
  if (grant === undefined) throw UnauthorizedClient()
  if (another !== undefined)
    throw InvalidRequest('tenant_id is missing: more than one workspace has authorized this client.')
  return grant
}
