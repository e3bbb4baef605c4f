import type { Ctx } from '#kernel/context.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { hashSecret, newSecret, visiblePrefix } from '../../access/public.ts'
import { AppRegistered } from '../events.ts'
import { type AppDraft, type AppRow, appRecord } from './app.ts'
import { insertApp } from './queries.ts'

const validateDraft = bodyValidator(appRecord.Draft)

/** Registers an app. Returns its secret if it is confidential; only a hash of the secret is stored. */
export async function createApp(
  ctx: Ctx,
  draft: AppDraft,
): Promise<{ app: AppRow; secret: string | undefined }> {
  validateDraft(draft)
  const registered = { ...appRecord.create(draft, ctx.clock.real.now()), workspace_id: ctx.workspaceId }
  const made = registered.confidential ? newClientSecret() : undefined
  const app = { ...registered, secret_prefix: made?.prefix ?? null }
  await ctx.transaction(async (tx) => {
    insertApp(tx, app, made?.hash ?? null)
    await tx.emit(AppRegistered, { id: app.id, name: app.name })
  })
  return { app, secret: made?.secret }
}

export function newClientSecret(): { secret: string; hash: Buffer; prefix: string } {
  const secret = newSecret('gbl_cs_')
  return { secret, hash: hashSecret(secret), prefix: visiblePrefix(secret) }
}
