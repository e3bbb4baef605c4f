import type { Ctx } from '#kernel/context.ts'
import { type Fault, ValidationFailed } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { hashSecret, isScope, newSecret, visiblePrefix } from '../access/public.ts'
import { requireText } from '../workspaces/public.ts'
import { type AppRow, type NewSecret, insertApp, insertSecret } from './app-queries.ts'
import { AppWasRegistered } from './events.ts'
import { redirectUriFault } from './redirect-uri.ts'
import { inOrder } from './scope-list.ts'

const maxRedirectUris = 20

export interface AppDraft {
  /** 1 to 120 characters. */
  name: string
  /** 1 to 20 addresses; what may be one, redirectUriFault says. */
  redirectUris: readonly string[]
  /** What it may ask for; an unknown name is a fault. */
  scopes: readonly string[]
  /** Whether it can keep a secret. */
  confidential: boolean
}

/** Registers an app. The secret, which only a confidential app has, is in the answer and nowhere else. */
export async function createApp(
  ctx: Ctx,
  { name, redirectUris, scopes, confidential }: AppDraft,
): Promise<{ app: AppRow; secret: string | undefined }> {
  requireAppDetails({ name, redirectUris, scopes })
  const now = ctx.clock.now()
  const app: AppRow = {
    id: newId(now),
    workspace_id: ctx.workspaceId,
    name,
    redirect_uris: [...new Set(redirectUris)],
    scopes: inOrder(scopes),
    confidential,
    disabled_at: null,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  }
  const made = confidential ? newClientSecret(now) : undefined
  await ctx.transaction(async (tx) => {
    tx.write(insertApp(app))
    if (made !== undefined) tx.write(insertSecret(app.id, made.row, now))
    await tx.emit(AppWasRegistered, { id: app.id, name })
  })
  return { app, secret: made?.secret }
}

export function newClientSecret(now: Date): { secret: string; row: NewSecret } {
  const secret = newSecret('gbl_cs_')
  return { secret, row: { id: newId(now), hash: hashSecret(secret), prefix: visiblePrefix(secret) } }
}

/** Throws ValidationFailed for what an app cannot be called, go back to or ask for. */
export function requireAppDetails({ name, redirectUris, scopes }: Omit<AppDraft, 'confidential'>): void {
  requireText('name', name, 120)
  const faults = [...redirectUriFaults(redirectUris), ...scopeFaults(scopes)]
  if (faults.length > 0) throw ValidationFailed(faults)
}

function redirectUriFaults(uris: readonly string[]): Fault[] {
  if (uris.length < 1 || uris.length > maxRedirectUris)
    return [{ path: 'redirect-uri', message: `must be given 1 to ${maxRedirectUris} times` }]
  return uris.flatMap((uri) => {
    const message = redirectUriFault(uri)
    return message === undefined ? [] : [{ path: 'redirect-uri', message }]
  })
}

function scopeFaults(scopes: readonly string[]): Fault[] {
  const unknown = scopes.filter((scope) => !isScope(scope))
  if (unknown.length > 0) return [{ path: 'scopes', message: `does not know ${unknown.join(', ')}` }]
  return scopes.length === 0 ? [{ path: 'scopes', message: 'must name at least one scope' }] : []
}
