import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import type { DirectoryDb } from '#kernel/db/handles.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { enqueueJob } from '#kernel/jobs/job.ts'
import { expanded } from '../../access/public.ts'
import { AppNotFound } from '../errors.ts'
import { AppSecretRotated, AppDeleted, AppDisabled, AppEnabled, AppUpdated } from '../events.ts'
import { listConnectedWorkspaceIds } from '../grants/queries.ts'
import { syncGrant, narrowGrant } from '../jobs.ts'
import { inScopeOrder } from '../scope-list.ts'
import { oldSecretMs } from '../tokens/lifetimes.ts'
import { type AppDraft, newClientSecret, requireAppDetails } from './create-app.ts'
import {
  type AppRow,
  findApp,
  insertSecret,
  lockApp,
  markDeleted,
  retireSecrets,
  saveApp,
  saveDisabled,
} from './queries.ts'

/** Absent members stay as they are. */
export type AppPatch = Partial<Omit<AppDraft, 'confidential'>>

/**
 * Disables or enables an app. While it is disabled, none of its tokens and secrets work. Its grants stay, so everything
 * works again once it is enabled.
 */
export const setAppEnabled = (ctx: Ctx, id: string, enabled: boolean): Promise<AppRow> =>
  ctx.transaction(async (tx) => {
    const app = await lockOwnedApp(tx, id)
    if ((app.disabled_at === null) === enabled) return app
    const now = ctx.clock.now()
    saveDisabled(tx, id, enabled ? null : now, now)
    await tx.emit(enabled ? AppEnabled : AppDisabled, { id, name: app.name })
    await enqueueForWorkspaces(tx, id, syncGrant)
    return { ...app, disabled_at: enabled ? null : now.toISOString(), updated_at: now.toISOString() }
  })

/**
 * Updates an app. Its tokens lose removed scopes with their next request, and regain scopes that are added again if the
 * grant holds them. Its webhooks lose removed scopes for good. A removed redirect URI gets no more codes. Emits no event if
 * nothing changes.
 */
export const updateApp = (ctx: Ctx, id: string, patch: AppPatch): Promise<AppRow> =>
  ctx.transaction(async (tx) => {
    const before = await lockOwnedApp(tx, id)
    const { name = before.name, redirectUris = before.redirect_uris, scopes = before.scopes } = patch
    requireAppDetails({ name, redirectUris, scopes })
    const after: AppRow = {
      ...before,
      name,
      redirect_uris: [...new Set(redirectUris)],
      scopes: inScopeOrder(scopes),
      updated_at: ctx.clock.now().toISOString(),
    }
    const changed = (['name', 'redirect_uris', 'scopes'] as const).filter(
      (member) => JSON.stringify(after[member]) !== JSON.stringify(before[member]),
    )
    if (changed.length === 0) return before
    saveApp(tx, after)
    await tx.emit(AppUpdated, { id, name, changed, scopes: after.scopes })
    const within = expanded(after.scopes)
    if (![...expanded(before.scopes)].every((scope) => within.has(scope)))
      await enqueueForWorkspaces(tx, id, narrowGrant)
    return after
  })

/** Creates a new secret. The previous one works for another 24 hours; an older one stops working. */
export const rotateAppSecret = (
  ctx: Ctx,
  id: string,
): Promise<{ app: AppRow; secret: string; until: Date }> =>
  ctx.transaction(async (tx) => {
    const app = await lockOwnedApp(tx, id)
    if (!app.confidential)
      throw ValidationFailed([{ path: 'client-id', message: 'names a public app, which has no secret' }])
    const now = ctx.clock.now()
    const until = later(now, oldSecretMs)
    const { secret, row } = newClientSecret(now)
    retireSecrets(tx, id, until)
    insertSecret(tx, id, row, now)
    await tx.emit(AppSecretRotated, { id, name: app.name })
    return { app, secret, until }
  })

/** Deletes an app. Its tokens stop working with the next request, and the grants of all workspaces are revoked. */
export const deleteApp = (ctx: Ctx, id: string): Promise<AppRow> =>
  ctx.transaction(async (tx) => {
    const app = await lockOwnedApp(tx, id)
    markDeleted(tx, id, ctx.clock.now())
    await tx.emit(AppDeleted, { id, name: app.name })
    await enqueueForWorkspaces(tx, id, syncGrant)
    return app
  })

/** Id of the workspace that registered the app. */
export async function ownerOfApp(directory: DirectoryDb, id: string): Promise<string> {
  const app = await findApp(directory, id)
  if (app === undefined) throw AppNotFound(id)
  return app.workspace_id
}

async function lockOwnedApp(tx: Tx, id: string): Promise<AppRow> {
  const app = await lockApp(tx, id)
  if (app === undefined || app.workspace_id !== tx.workspaceId) throw AppNotFound(id)
  return app
}

/** Enqueues the job in each workspace that has authorized the app. */
async function enqueueForWorkspaces(tx: Tx, id: string, { name }: typeof syncGrant): Promise<void> {
  for (const workspaceId of await listConnectedWorkspaceIds(tx, id))
    enqueueJob(tx, workspaceId, name, { app_id: id })
}
