import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import type { DirectoryDb } from '#kernel/db/handles.ts'
import { ReferenceNotFound, ValidationFailed, defineError } from '#kernel/errors.ts'
import { findMember, mayManage, requireText, roleOfActor } from '../workspaces/public.ts'
import { type ApiKeyRow, apiKeyRecord, defaultLifetimeDays, maxLifetimeDays } from './api-key.ts'
import { ApiKeyCreated, ApiKeyRevoked } from './events.ts'
import { findApiKey, insertApiKey, markRevoked } from './queries.ts'
import { type Scope, isScope } from './scopes.ts'
import { hashSecret, newSecret, visiblePrefix } from './secret.ts'

const ApiKeyNotFound = defineError('not_found', 404, () => ({ message: 'The API key does not exist.' }))

const ActsForOwner = defineError('forbidden', 403, () => ({
  message: 'Only an owner can create a key that acts for an owner.',
}))

const dayMs = 24 * 60 * 60 * 1000

export interface NewApiKey {
  /** 1 to 120 characters. */
  name: string
  /** Names of scopes. An unknown name is a validation issue. */
  scopes: readonly string[]
  /** Whole days, 1 to 365, 90 by default. Null for a key that never expires, which only an owner may create. */
  expires_in_days?: number | null
  /** The member of the workspace that the key acts for, with their role and reach. Null for the workspace itself. */
  member_id?: string | null
  /** Whether the key sees only what it created. Excludes a member, and scopes whose records do not say who created them. */
  created_by_self?: boolean
}

/** The scopes of a key that sees only what it created. */
const scopesOfCreators: ReadonlySet<Scope> = new Set<Scope>([
  'contacts:read',
  'contacts:read:pii',
  'contacts:write',
  'leads:read',
  'leads:write',
  'events:read',
  'messages:send_only',
  'webhooks:manage',
])

/**
 * Creates a key in the workspace. Returns the key itself, which is not stored and cannot be shown again. Throws
 * `ValidationFailed`, `ReferenceNotFound` for a member who is not active, and `ActsForOwner`.
 */
export async function createApiKey(
  ctx: Ctx,
  {
    name,
    scopes,
    expires_in_days: days = defaultLifetimeDays,
    member_id,
    created_by_self = false,
  }: NewApiKey,
): Promise<{ row: ApiKeyRow; key: string }> {
  requireText('name', name, 120)
  const key = newSecret('gbl_key_')
  const now = ctx.clock.real.now()
  const held = requireScopes(scopes)
  if (created_by_self) requireOwnOnly(held, member_id)
  const row: ApiKeyRow = {
    ...apiKeyRecord.create({ name, scopes: held }, now),
    workspace_id: ctx.workspaceId,
    prefix: visiblePrefix(key),
    member_id: member_id ?? null,
    created_by_self,
    expires_at: days === null ? null : later(now, requireDays(days) * dayMs).toISOString(),
  }
  await ctx.transaction(async (tx) => {
    if (days === null) await requireOwner(tx)
    if (row.member_id !== null) await requireManaged(tx, row.member_id)
    await insertApiKey(tx, row, hashSecret(key))
    const { id, member_id: acts_for, expires_at } = row
    await tx.emit(ApiKeyCreated, { id, name, scopes: row.scopes, acts_for, created_by_self, expires_at })
  })
  return { row, key }
}

function requireScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.filter((scope) => !isScope(scope))
  if (unknown.length > 0)
    throw ValidationFailed([{ path: 'scopes', message: `has unknown scopes: ${unknown.join(', ')}` }])
  if (scopes.length === 0)
    throw ValidationFailed([{ path: 'scopes', message: 'must name at least one scope' }])
  return scopes.filter(isScope)
}

function requireOwnOnly(held: readonly Scope[], memberId: string | null | undefined): void {
  const others = held.filter((scope) => !scopesOfCreators.has(scope))
  if (others.length > 0) {
    const hint = others.includes('messages:send') ? ' To send, use messages:send_only.' : ''
    throw ValidationFailed([
      { path: 'scopes', message: `cannot include ${others.join(', ')} with created_by_self.${hint}` },
    ])
  }
  if (typeof memberId === 'string')
    throw ValidationFailed([{ path: 'member_id', message: 'cannot be set with created_by_self' }])
}

function requireDays(days: number): number {
  if (Number.isInteger(days) && days >= 1 && days <= maxLifetimeDays) return days
  throw ValidationFailed([
    { path: 'expires_in_days', message: `must be a whole number from 1 to ${maxLifetimeDays}` },
  ])
}

/** The member must be active, and the actor must be allowed to manage them. */
async function requireManaged(tx: Tx, memberId: string): Promise<void> {
  const member = await findMember(tx, memberId)
  if (member?.active !== true) throw ReferenceNotFound('member_id')
  if (!mayManage(await roleOfActor(tx), member.role)) throw ActsForOwner()
}

/** Only an owner can create a key that never expires. */
async function requireOwner(tx: Tx): Promise<void> {
  if ((await roleOfActor(tx)) === 'owner') return
  throw ValidationFailed([
    { path: 'expires_in_days', message: 'is required: only owners can create keys that never expire' },
  ])
}

/** Returns a key of this workspace, even if it is revoked. */
export async function apiKeyOf(
  directory: DirectoryDb,
  workspaceId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const row = await findApiKey(directory, id)
  return row?.workspace_id === workspaceId ? row : undefined
}

/** Returns the id of the workspace that a key belongs to, for operators who know only the key's id. Throws `ApiKeyNotFound`. */
export async function ownerOfApiKey(directory: DirectoryDb, id: string): Promise<string> {
  const row = await findApiKey(directory, id)
  if (row === undefined) throw ApiKeyNotFound()
  return row.workspace_id
}

/**
 * Revokes a key of the workspace. It stops working on every instance with its next request. Revoking it again changes
 * nothing.
 */
export const revokeApiKey = (ctx: Ctx, id: string): Promise<ApiKeyRow> =>
  ctx.transaction(async (tx) => {
    const revoked = await markRevoked(tx, id, ctx.clock.real.now())
    if (revoked !== undefined) await tx.emit(ApiKeyRevoked, { id, name: revoked.name })
    const row = revoked ?? (await apiKeyOf(tx, ctx.workspaceId, id))
    if (row === undefined) throw ApiKeyNotFound()
    return row
  })
