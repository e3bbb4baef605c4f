import type { Ctx, Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { expanded, hashSecret, newSecret } from '../access/public.ts'
import { findMember } from '../workspaces/public.ts'
import { type AppRow, lockApp } from './app-queries.ts'
import { type AuthorizeRequest, callback } from './authorize-request.ts'
import { AppHasChanged, AppNotFound, MayNotApprove } from './errors.ts'
import { GrantWasApproved, GrantWasWidened } from './events.ts'
import { type GrantRow, insertGrant, lockLiveGrant, saveApproval } from './grant-queries.ts'
import { codeMs, later } from './lifetimes.ts'
import { matchesRedirectUri } from './redirect-uri.ts'
import { inOrder } from './scope-list.ts'
import { insertCode } from './token-queries.ts'

/**
 * The workspace of `ctx` allows the app what it asks for, by the decision of one of its members, who must be an active
 * owner or admin. A grant that is there already is widened; tokens issued before keep what they had. Answers where the
 * person's browser goes back to, with the code.
 */
export const approve = (
  ctx: Ctx,
  memberId: string,
  request: AuthorizeRequest,
  issuer: string,
): Promise<string> =>
  ctx.transaction(async (tx) => {
    const member = await findMember(tx, memberId)
    if (member === undefined || !member.active || member.role === 'agent') throw MayNotApprove()
    // The person may have thought about it for a while. Its lock also makes approvals go one after the other.
    const app = await lockApp(tx, request.app.id)
    if (app === undefined || app.disabled_at !== null) throw AppNotFound(request.app.id)
    if (!mayStillAsk(app, request)) throw AppHasChanged()
    const now = ctx.clock.now()
    const grant = await saveGrant(tx, memberId, request, now)
    const code = newSecret('gbl_ac_')
    const { redirectUri, scopes, challenge } = request
    const expiresAt = later(now, codeMs)
    tx.write(
      insertCode(
        { hash: hashSecret(code), grantId: grant.id, redirectUri, scopes, challenge, expiresAt },
        now,
      ),
    )
    return callback(request, { code }, issuer)
  })

const mayStillAsk = (app: AppRow, { scopes, redirectUri }: AuthorizeRequest): boolean =>
  scopes.every((scope) => expanded(app.scopes).has(scope)) &&
  app.redirect_uris.some((registered) => matchesRedirectUri(registered, redirectUri))

async function saveGrant(
  tx: Tx,
  memberId: string,
  { app, scopes }: AuthorizeRequest,
  now: Date,
): Promise<GrantRow> {
  const live = await lockLiveGrant(tx, app.id)
  const at = now.toISOString()
  const grant: GrantRow = {
    id: live?.id ?? newId(now),
    app_id: app.id,
    workspace_id: tx.workspaceId,
    member_id: memberId,
    scopes: inOrder([...(live?.scopes ?? []), ...scopes]),
    last_used_at: live?.last_used_at ?? null,
    revoked_at: null,
    created_at: live?.created_at ?? at,
    updated_at: at,
  }
  tx.write(live === undefined ? insertGrant(grant) : saveApproval(grant))
  await tx.emit(live === undefined ? GrantWasApproved : GrantWasWidened, {
    id: grant.id,
    app_id: app.id,
    app_name: app.name,
    member_id: memberId,
    scopes: grant.scopes,
  })
  return grant
}
