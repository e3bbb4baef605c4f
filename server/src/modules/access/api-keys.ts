import type { Queries } from '#kernel/db/rows.ts'
import { ValidationFailed, defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { requireText } from '../workspaces/public.ts'
import { type ApiKeyRow, findApiKey, insertApiKey, revokeApiKey as markRevoked } from './queries.ts'
import { allScopes, isScope } from './scopes.ts'
import { hashSecret, newSecret, visiblePrefix } from './secret.ts'

const ApiKeyNotFound = defineError('not_found', 404, () => ({ message: 'There is no such API key.' }))

const dayMs = 24 * 60 * 60 * 1000

export const defaultLifetimeDays = 90
export const maxLifetimeDays = 365

export interface NewApiKey {
  workspaceId: string
  /** 1 to 120 characters. */
  name: string
  /** Names of scopes; an unknown one is a fault. */
  scopes: readonly string[]
  /** Whole days, 1 to 365; null for a key that never expires, which only an owner may ask for. */
  lifetimeDays: number | null
}

/** Creates a key. The secret is in the answer and nowhere else: it cannot be shown again. */
export async function createApiKey(
  directory: Queries,
  draft: NewApiKey,
  now: Date,
): Promise<{ row: ApiKeyRow; key: string }> {
  const { workspaceId, name, scopes, lifetimeDays } = draft
  requireText('name', name, 120)
  const unknown = scopes.filter((scope) => !isScope(scope))
  if (unknown.length > 0 || scopes.length === 0) {
    const message =
      unknown.length > 0 ? `does not know ${unknown.join(', ')}` : 'must name at least one scope'
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
  const at = now.toISOString()
  const row: ApiKeyRow = {
    id: newId(now),
    workspace_id: workspaceId,
    name,
    prefix: visiblePrefix(key),
    scopes: allScopes.filter((scope) => scopes.includes(scope)),
    created_at: at,
    updated_at: at,
    expires_at: lifetimeDays === null ? null : new Date(now.getTime() + lifetimeDays * dayMs).toISOString(),
    revoked_at: null,
    last_used_at: null,
  }
  await insertApiKey(directory, row, hashSecret(key))
  return { row, key }
}

/** A key of this workspace, also one that was revoked; undefined for another's, as for none. */
export async function apiKeyOf(
  directory: Queries,
  workspaceId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const row = await findApiKey(directory, id)
  return row?.workspace_id === workspaceId ? row : undefined
}

/** Id of the workspace that a key is of; for an operator, who knows the key's id alone. */
export async function apiKeysOwner(directory: Queries, id: string): Promise<string> {
  const row = await findApiKey(directory, id)
  if (row === undefined) throw ApiKeyNotFound()
  return row.workspace_id
}

/** Revokes a key of the workspace: its next request, on any instance, is refused. Doing so twice changes nothing. */
export async function revokeApiKey(
  directory: Queries,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<ApiKeyRow> {
  const row = await markRevoked(directory, workspaceId, id, now)
  if (row === undefined) throw ApiKeyNotFound()
  return row
}
