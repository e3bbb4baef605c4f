import type { Ctx, Tx } from '#kernel/context.ts'
import type { Queries } from '#kernel/db/rows.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { enqueueJob } from '#kernel/jobs/job.ts'
import {
  type AppRow,
  findApp,
  insertSecret,
  lockApp,
  markDeleted,
  retireSecrets,
  saveDisabled,
} from './app-queries.ts'
import { newClientSecret } from './create-app.ts'
import { AppNotFound } from './errors.ts'
import { AppSecretWasRotated, AppWasDeleted, AppWasDisabled, AppWasEnabled } from './events.ts'
import { listWorkspacesOf } from './grant-queries.ts'
import { followApp } from './jobs.ts'
import { later, oldSecretMs } from './lifetimes.ts'

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
    await tellWorkspaces(tx, id)
    return { ...app, disabled_at: enabled ? null : now.toISOString(), updated_at: now.toISOString() }
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
    await tellWorkspaces(tx, id)
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
async function tellWorkspaces(tx: Tx, id: string): Promise<void> {
  for (const workspaceId of await listWorkspacesOf(tx, id))
    tx.write(enqueueJob(workspaceId, followApp.name, { app_id: id }, {}))
}
