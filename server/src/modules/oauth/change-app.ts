import type { Ctx, Tx } from '#kernel/context.ts'
import type { Queries } from '#kernel/db/rows.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { enqueueJob } from '#kernel/jobs/job.ts'
import { expanded } from '../access/public.ts'
import {
  type AppRow,
  findApp,
  insertSecret,
  lockApp,
  markDeleted,
  retireSecrets,
  saveApp,
  saveDisabled,
} from './app-queries.ts'
import { type AppDraft, newClientSecret, requireAppDetails } from './create-app.ts'
import { AppNotFound } from './errors.ts'
import { AppSecretWasRotated, AppWasDeleted, AppWasDisabled, AppWasEnabled, AppWasUpdated } from './events.ts'
import { listWorkspacesOf } from './grant-queries.ts'
import { followApp, narrowGrant } from './jobs.ts'
import { later, oldSecretMs } from './lifetimes.ts'
import { inOrder } from './scope-list.ts'

/** What an owner may change of an app; members that are absent stay as they are. */
export type AppPatch = Partial<Omit<AppDraft, 'confidential'>>

/**
 * Disables an app, or enables it again. Of a disabled one no token and no secret works, from the next request on; its
 * grants stay, and with them it works again. Doing so twice changes nothing.
 */
export const setAppEnabled = (ctx: Ctx, id: string, enabled: boolean): Promise<AppRow> =>
  ctx.transaction(async (tx) => {
    const app = await lockOwnApp(tx, id)
    if ((app.disabled_at === null) === enabled) return app
    const now = ctx.clock.now()
    tx.write(saveDisabled(id, enabled ? null : now, now))
    await tx.emit(enabled ? AppWasEnabled : AppWasDisabled, { id, name: app.name })
    await tellWorkspaces(tx, id, followApp)
    return { ...app, disabled_at: enabled ? null : now.toISOString(), updated_at: now.toISOString() }
  })

/**
 * Changes what the patch names. What the app may no longer ask for, no token of it can do from its next request on, and
 * its webhooks are told no more; what it may ask for again comes back to the tokens of grants that hold it. Addresses that
 * are gone get no codes. Nothing that is as it was is an event.
 */
export const updateApp = (ctx: Ctx, id: string, patch: AppPatch): Promise<AppRow> =>
  ctx.transaction(async (tx) => {
    const before = await lockOwnApp(tx, id)
    const { name = before.name, redirectUris = before.redirect_uris, scopes = before.scopes } = patch
    requireAppDetails({ name, redirectUris, scopes })
    const after: AppRow = {
      ...before,
      name,
      redirect_uris: [...new Set(redirectUris)],
      scopes: inOrder(scopes),
      updated_at: ctx.clock.now().toISOString(),
    }
    const changed = (['name', 'redirect_uris', 'scopes'] as const).filter(
      (member) => JSON.stringify(after[member]) !== JSON.stringify(before[member]),
    )
    if (changed.length === 0) return before
    tx.write(saveApp(after))
    await tx.emit(AppWasUpdated, { id, name, changed, scopes: after.scopes })
    const within = expanded(after.scopes)
    if (![...expanded(before.scopes)].every((scope) => within.has(scope)))
      await tellWorkspaces(tx, id, narrowGrant)
    return after
  })

/** A new secret, shown this once. The one before it works for another 24 hours; one before that no more. */
export const rotateAppSecret = (
  ctx: Ctx,
  id: string,
): Promise<{ app: AppRow; secret: string; until: Date }> =>
  ctx.transaction(async (tx) => {
    const app = await lockOwnApp(tx, id)
    if (!app.confidential)
      throw ValidationFailed([{ path: 'client-id', message: 'names a public app, which has no secret' }])
    const now = ctx.clock.now()
    const until = later(now, oldSecretMs)
    const { secret, row } = newClientSecret(now)
    for (const statement of retireSecrets(id, until)) tx.write(statement)
    tx.write(insertSecret(id, row, now))
    await tx.emit(AppSecretWasRotated, { id, name: app.name })
    return { app, secret, until }
  })

/** Deletes an app. Nothing of it works from the next request on, and every workspace's grant is revoked. */
export const deleteApp = (ctx: Ctx, id: string): Promise<AppRow> =>
  ctx.transaction(async (tx) => {
    const app = await lockOwnApp(tx, id)
    tx.write(markDeleted(id, ctx.clock.now()))
    await tx.emit(AppWasDeleted, { id, name: app.name })
    await tellWorkspaces(tx, id, followApp)
    return app
  })

/** Id of the workspace whose developers registered the app. */
export async function appsOwner(directory: Queries, id: string): Promise<string> {
  const app = await findApp(directory, id)
  if (app === undefined) throw AppNotFound(id)
  return app.workspace_id
}

/** An app of this workspace's developers. */
async function lockOwnApp(tx: Tx, id: string): Promise<AppRow> {
  const app = await lockApp(tx, id)
  if (app === undefined || app.workspace_id !== tx.workspaceId) throw AppNotFound(id)
  return app
}

/** Each workspace that has authorized the app acts on it in its own time. */
async function tellWorkspaces(tx: Tx, id: string, { name }: typeof followApp): Promise<void> {
  for (const workspaceId of await listWorkspacesOf(tx, id))
    tx.write(enqueueJob(workspaceId, name, { app_id: id }, {}))
}
