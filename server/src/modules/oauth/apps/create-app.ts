import type { Ctx } from '#kernel/context.ts'
import { type Issue, ValidationFailed } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { hashSecret, isScope, newSecret, visiblePrefix } from '../../access/public.ts'
import { requireText } from '../../workspaces/public.ts'
import { AppRegistered } from '../events.ts'
import { inScopeOrder } from '../scope-list.ts'
import { type AppRow, type NewSecret, insertApp, insertSecret } from './queries.ts'
import { redirectUriIssue } from './redirect-uri.ts'

const maxRedirectUris = 20

export interface AppDraft {
  /** 1 to 120 characters. */
  name: string
  /** 1 to 20, each valid by `redirectUriIssue`. */
  redirectUris: readonly string[]
  /** Scopes that it may request; unknown names are a validation error. */
  scopes: readonly string[]
  /** Whether it has a client secret; a public app cannot keep one. */
  confidential: boolean
}

/** Registers an app. Returns the secret of a confidential app, of which only a hash is stored. */
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
    scopes: inScopeOrder(scopes),
    confidential,
    disabled_at: null,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  }
  const made = confidential ? newClientSecret(now) : undefined
  await ctx.transaction(async (tx) => {
    insertApp(tx, app)
    if (made !== undefined) insertSecret(tx, app.id, made.row, now)
    await tx.emit(AppRegistered, { id: app.id, name })
  })
  return { app, secret: made?.secret }
}

export function newClientSecret(now: Date): { secret: string; row: NewSecret } {
  const secret = newSecret('gbl_cs_')
  return { secret, row: { id: newId(now), hash: hashSecret(secret), prefix: visiblePrefix(secret) } }
}

/** Throws `ValidationFailed` for an invalid name, redirect URI or scope. */
export function requireAppDetails({ name, redirectUris, scopes }: Omit<AppDraft, 'confidential'>): void {
  requireText('name', name, 120)
  const issues = [...redirectUriIssues(redirectUris), ...scopeIssues(scopes)]
  if (issues.length > 0) throw ValidationFailed(issues)
}

function redirectUriIssues(uris: readonly string[]): Issue[] {
  if (uris.length < 1 || uris.length > maxRedirectUris)
    return [{ path: 'redirect-uri', message: `must be given 1 to ${maxRedirectUris} times` }]
  return uris.flatMap((uri) => {
    const message = redirectUriIssue(uri)
    return message === undefined ? [] : [{ path: 'redirect-uri', message }]
  })
}

function scopeIssues(scopes: readonly string[]): Issue[] {
  const unknown = scopes.filter((scope) => !isScope(scope))
  if (unknown.length > 0) return [{ path: 'scopes', message: `has unknown scopes: ${unknown.join(', ')}` }]
  return scopes.length === 0 ? [{ path: 'scopes', message: 'must name at least one scope' }] : []
}
