import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { enqueueJob } from '#kernel/enqueue.ts'
import { orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { expanded } from '../access/public.ts'
import { type AppPatch, type AppRow, appRecord } from './apps/app.ts'
import { newClientSecret } from './apps/create-app.ts'
import { lockAppOf, markDeleted, saveApp, saveNewClientSecret } from './apps/queries.ts'
import { PublicApp } from './errors.ts'
import { AppSecretRotated, AppDeleted, AppDisabled, AppEnabled, AppUpdated } from './events.ts'
import { listConnectedWorkspaceIds } from './grants/queries.ts'
import { syncGrant, narrowGrant } from './jobs.ts'
import { oldSecretMs } from './tokens/lifetimes.ts'

/**
 * Disables or enables an app. While an app is disabled, none of its tokens and secrets work. Its grants stay, so
 * everything works again once it is enabled.
 */
export const setAppEnabled = (ctx: Ctx, id: string, enabled: boolean): Promise<AppRow> =>
  ctx.transaction(async (tx) => {
    const before = orNotFound(await lockAppOf(tx, id))
    if ((before.disabled_at === null) === enabled) return before
    const now = tx.clock.real.now()
    const patched = appRecord.applyPatch(before, { disabled_at: enabled ? null : now.toISOString() }, now)
    if (patched === undefined) return before
    saveApp(tx, id, patched.changed)
    await tx.emit(enabled ? AppEnabled : AppDisabled, { id, name: before.name })
    await enqueueForWorkspaces(tx, id, syncGrant)
    return patched.after
  })

const validatePatch = bodyValidator(appRecord.Patch)

/**
 * Applies the patch. If it removes scopes, the app's tokens lose them with their next request; they regain a scope that
 * is added back if the grant still holds it. The app's webhooks lose removed scopes for good. A removed redirect URI
 * receives no more codes. Emits no event if nothing changes.
 */
export async function updateApp(ctx: Ctx, id: string, patch: AppPatch): Promise<AppRow> {
  validatePatch(patch)
  return ctx.transaction(async (tx) => {
    const before = requireMatch(ctx, orNotFound(await lockAppOf(tx, id)))
    const patched = appRecord.applyPatch(before, patch, tx.clock.real.now())
    if (patched === undefined) return before
    const { after, changed } = patched
    saveApp(tx, id, changed)
    await tx.emit(AppUpdated, {
      id,
      name: after.name,
      changed: (['name', 'redirect_uris', 'scopes'] as const).filter((field) => field in changed),
      scopes: after.scopes,
      redirect_uris: after.redirect_uris,
    })
    const within = expanded(after.scopes)
    if (![...expanded(before.scopes)].every((scope) => within.has(scope)))
      await enqueueForWorkspaces(tx, id, narrowGrant)
    return after
  })
}

/**
 * Replaces the client secret. The previous secret works for another 24 hours; any older one stops working. Throws
 * `PublicApp` for a public app, which has no secret.
 */
export const rotateAppSecret = (ctx: Ctx, id: string): Promise<{ app: AppRow; secret: string }> =>
  ctx.transaction(async (tx) => {
    const before = orNotFound(await lockAppOf(tx, id))
    if (!before.confidential) throw PublicApp()
    const now = tx.clock.real.now()
    const { secret, hash, prefix } = newClientSecret()
    const changed = {
      secret_prefix: prefix,
      previous_secret_until: later(now, oldSecretMs).toISOString(),
      updated_at: timeAfter(before.updated_at, now),
    }
    saveNewClientSecret(tx, id, hash, changed)
    await tx.emit(AppSecretRotated, { id, name: before.name })
    return { app: { ...before, ...changed }, secret }
  })

/** Deletes an app. Its tokens stop working with the next request, and the grants of all workspaces are revoked. */
export const deleteApp = (ctx: Ctx, id: string): Promise<AppRow> =>
  ctx.transaction(async (tx) => {
    const app = orNotFound(await lockAppOf(tx, id))
    markDeleted(tx, id, tx.clock.real.now())
    await tx.emit(AppDeleted, { id, name: app.name })
    await enqueueForWorkspaces(tx, id, syncGrant)
    return app
  })

/** Enqueues the job in each workspace that has authorized the app. */
async function enqueueForWorkspaces(tx: Tx, id: string, { name }: typeof syncGrant): Promise<void> {
  for (const workspaceId of await listConnectedWorkspaceIds(tx, id))
    enqueueJob(tx, workspaceId, name, { app_id: id })
}
