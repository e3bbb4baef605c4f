import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { expanded, hashSecret, newSecret } from '../../access/public.ts'
import { findMember, isAdmin } from '../../workspaces/public.ts'
import type { AppRow } from '../apps/app.ts'
import { lockApp } from '../apps/queries.ts'
import { matchesRedirectUri } from '../apps/redirect-uri.ts'
import { AppChanged, AppNotFound, ApprovalNotAllowed } from '../errors.ts'
import { GrantApproved, GrantWidened } from '../events.ts'
import { type GrantRow, grantRecord } from '../grants/grant.ts'
import { insertGrant, lockLiveGrant, saveGrant } from '../grants/queries.ts'
import { inScopeOrder } from '../scope-list.ts'
import { codeMs } from '../tokens/lifetimes.ts'
import { insertCode } from '../tokens/queries.ts'
import { type AuthorizeRequest, callback } from './authorize-request.ts'

/**
 * Approves the request for the workspace of `ctx`. The member must be an active owner or admin. Widens an existing
 * grant; tokens that were issued earlier keep their scopes. Returns the app's callback URL with the code. Throws
 * `ApprovalNotAllowed`, `AppNotFound` and `AppChanged`.
 */
export const approve = (ctx: Ctx, memberId: string, request: AuthorizeRequest): Promise<string> =>
  ctx.transaction(async (tx) => {
    const member = await findMember(tx, memberId)
    if (member === undefined || !member.active || !isAdmin(member.role)) throw ApprovalNotAllowed()
    // The app may have changed while the page was open. The lock also serializes approvals.
    const app = await lockApp(tx, request.app.id)
    if (app === undefined || app.disabled_at !== null) throw AppNotFound(request.app.id)
    if (!isStillValid(app, request)) throw AppChanged()
    const now = ctx.clock.real.now()
    const grant = await saveApproval(tx, memberId, request, now)
    const code = newSecret('gbl_ac_')
    const { redirectUri, scopes, challenge } = request
    const expiresAt = later(now, codeMs)
    insertCode(
      tx,
      { hash: hashSecret(code), grantId: grant.id, redirectUri, scopes, challenge, expiresAt },
      now,
    )
    return callback(request, { code }, ctx.origin())
  })

const isStillValid = (app: AppRow, { scopes, redirectUri }: AuthorizeRequest): boolean =>
  scopes.every((scope) => expanded(app.scopes).has(scope)) &&
  app.redirect_uris.some((registered) => matchesRedirectUri(registered, redirectUri))

async function saveApproval(
  tx: Tx,
  memberId: string,
  { app, scopes }: AuthorizeRequest,
  now: Date,
): Promise<GrantRow> {
  const live = await lockLiveGrant(tx, app.id)
  const approval = { member_id: memberId, scopes: inScopeOrder([...(live?.scopes ?? []), ...scopes]) }
  const grant: GrantRow = {
    ...(live ?? { ...grantRecord.create({}, now), app_id: app.id, workspace_id: tx.workspaceId }),
    ...approval,
  }
  if (live === undefined) insertGrant(tx, grant)
  else saveGrant(tx, live.id, { ...approval, updated_at: timeAfter(live.updated_at, now) })
  await tx.emit(live === undefined ? GrantApproved : GrantWidened, {
    id: grant.id,
    app_id: app.id,
    app_name: app.name,
    member_id: memberId,
    scopes: grant.scopes,
  })
  return grant
}
