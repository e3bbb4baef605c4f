import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import type { DirectoryDb } from '#kernel/db/handles.ts'
import { ReferenceNotFound, ValidationFailed, defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { findMember, requireText } from '../workspaces/public.ts'
import { ApiKeyCreated, ApiKeyRevoked } from './events.ts'
import { type ApiKeyRow, findApiKey, insertApiKey, markRevoked } from './queries.ts'
import { allScopes, isScope } from './scopes.ts'
import { hashSecret, newSecret, visiblePrefix } from './secret.ts'

const ApiKeyNotFound = defineError('not_found', 404, () => ({ message: 'There is no such API key.' }))

const dayMs = 24 * 60 * 60 * 1000

export const defaultLifetimeDays = 90
export const maxLifetimeDays = 365

export interface NewApiKey {
  /** 1 to 120 characters. */
  name: string
  /** Names of scopes; an unknown one is an issue. */
  scopes: readonly string[]
  /** Whole days, 1 to 365; null for a key that never expires, which only an owner may create. */
  lifetimeDays: number | null
  /** A member of the workspace for whom the key acts, with their role and reach; null for the workspace itself. */
  memberId?: string | null
}

/**
 * Creates a key in the workspace. Returns the key itself, which is stored nowhere and cannot be shown again. A member who
 * is not active is 404.
 */
export async function createApiKey(
  ctx: Ctx,
  { name, scopes, lifetimeDays, memberId = null }: NewApiKey,
): Promise<{ row: ApiKeyRow; key: string }> {
  requireText('name', name, 120)
  const unknown = scopes.filter((scope) => !isScope(scope))
  if (unknown.length > 0 || scopes.length === 0) {
    const message =
      unknown.length > 0 ? `has unknown scopes: ${unknown.join(', ')}` : 'must name at least one scope'
    throw ValidationFailed([{ path: 'scopes', message }])
  }
  if (
    lifetimeDays !== null &&
    !(Number.isInteger(lifetimeDays) && lifetimeDays >= 1 && lifetimeDays <= maxLifetimeDays)
  ) {
    throw ValidationFailed([
      { path: 'expires-days', message: `must be a whole number from 1 to ${maxLifetimeDays}` },
    ])
  }
  const key = newSecret('gbl_key_')
  const now = ctx.clock.now()
  const at = now.toISOString()
  const row: ApiKeyRow = {
    id: newId(now),
    workspace_id: ctx.workspaceId,
    name,
    prefix: visiblePrefix(key),
    scopes: allScopes.filter((scope) => scopes.includes(scope)),
    member_id: memberId,
    created_at: at,
    updated_at: at,
    expires_at: lifetimeDays === null ? null : later(now, lifetimeDays * dayMs).toISOString(),
    revoked_at: null,
    last_used_at: null,
  }
  await ctx.transaction(async (tx) => {
    if (memberId !== null && (await findMember(tx, memberId))?.active !== true)
      throw ReferenceNotFound('member_id')
    await insertApiKey(tx, row, hashSecret(key))
    await tx.emit(ApiKeyCreated, { id: row.id, name, scopes: row.scopes })
  })
  return { row, key }
}

/** Returns a key of this workspace, revoked ones included. */
export async function apiKeyOf(
  directory: DirectoryDb,
  workspaceId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const row = await findApiKey(directory, id)
  return row?.workspace_id === workspaceId ? row : undefined
}

/** The id of the workspace that a key belongs to, for operators who only know the key's id. */
export async function ownerOfApiKey(directory: DirectoryDb, id: string): Promise<string> {
  const row = await findApiKey(directory, id)
  if (row === undefined) throw ApiKeyNotFound()
  return row.workspace_id
}

/** Revokes a key of the workspace from its next request on, on every instance. Revoking it again changes nothing. */
export const revokeApiKey = (ctx: Ctx, id: string): Promise<ApiKeyRow> =>
  ctx.transaction(async (tx) => {
    const revoked = await markRevoked(tx, id, ctx.clock.now())
    if (revoked !== undefined) await tx.emit(ApiKeyRevoked, { id, name: revoked.name })
    const row = revoked ?? (await apiKeyOf(tx, ctx.workspaceId, id))
    if (row === undefined) throw ApiKeyNotFound()
    return row
  })
