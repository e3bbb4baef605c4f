import { type House, createContext } from '#kernel/context.ts'
import { isId, newId } from '#kernel/ids.ts'
import type { AppRow } from './app-queries.ts'
import { actorOf } from './client.ts'
import { InvalidRequest, InvalidScope, NothingLeft, UnauthorizedClient } from './errors.ts'
import { type GrantRow, findLiveGrant, listLiveGrantsOfApp } from './grant-queries.ts'
import { type TokenAnswer, issueTokens } from './issue-tokens.ts'
import { accessTokenMs, later } from './lifetimes.ts'
import { readScopes, stillAllowed } from './scope-list.ts'
import { insertFamily } from './token-queries.ts'

/**
 * An access token, and no refresh token, for an app that acts without a person for a workspace that has authorized it.
 * Whether another workspace exists, the answer does not tell. Throws InvalidRequest, InvalidScope and UnauthorizedClient.
 */
export async function grantClientCredentials(
  house: House,
  app: AppRow,
  { tenantId, scope }: { tenantId: string | undefined; scope: string | undefined },
): Promise<TokenAnswer> {
  const grant = await grantFor(house, app, tenantId)
  const held = stillAllowed(grant.scopes, app)
  if (held.length === 0) throw NothingLeft()
  const scopes = scope === undefined ? held : readScopes(scope, held)
  if (scopes === undefined) throw InvalidScope('scope may name only scopes that the workspace has granted.')
  const ctx = createContext(house, {
    workspaceId: grant.workspace_id,
    actor: actorOf(app),
    scopes: new Set(),
  })
  return ctx.transaction(async (tx) => {
    const now = house.clock.now()
    const familyId = newId(now)
    const expiresAt = later(now, accessTokenMs)
    tx.write(insertFamily({ id: familyId, grantId: grant.id, scopes, expiresAt, endsAt: expiresAt }, now))
    return issueTokens(tx, { familyId, scopes, endsAt: expiresAt, refreshable: false }, now)
  })
}

async function grantFor(
  { database: { directory } }: House,
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
