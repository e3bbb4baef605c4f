import { createHmac, randomBytes } from 'node:crypto'
import type { Ctx, Tx } from '#kernel/context.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import { SuppressionsUnreadable } from './errors.ts'
import { findSealedKey, insertKey } from './suppression-queries.ts'
import type { Subject } from './suppression.ts'

export const sealPurpose = 'suppressions'

export const sealKey = (keys: KeyRing, workspaceId: string, key: string): Buffer =>
  keys.seal(sealPurpose, key, workspaceId)

/** Returns the key in base64. Throws if no application secret opens it. */
export const openKey = (keys: KeyRing, workspaceId: string, sealed: Buffer): string =>
  keys.open(sealPurpose, sealed, workspaceId)

/** How a suppression row names its subject: a contact by id, a number or an address by an HMAC that reveals nothing without the key. */
export const nameOf = (key: Buffer, { type, value }: Subject): string =>
  type === 'contact' ? value : createHmac('sha256', key).update(`${type} ${value}`).digest('base64url')

/** A cache of keys read outside of transactions, so only committed ones. A committed key never changes; only its seal is renewed. */
const remembered = new WeakMap<KeyRing, Map<string, Buffer>>()

/**
 * Returns the workspace's key; undefined if there is none, and so no suppression. Throws 503 `suppressions_unreadable` if no application
 * secret opens it.
 */
export async function findKey({ db, keys }: Pick<Ctx, 'db' | 'keys'>): Promise<Buffer | undefined> {
  const known = remembered.get(keys) ?? new Map<string, Buffer>()
  remembered.set(keys, known)
  const { workspaceId } = db
  const key = known.get(workspaceId) ?? bytesOf(keys, workspaceId, await findSealedKey(db))
  if (key !== undefined) known.set(workspaceId, key)
  return key
}

/** Like `findKey`, within a transaction and without the cache. */
export const findKeyIn = async (tx: Tx): Promise<Buffer | undefined> =>
  bytesOf(tx.keys, tx.workspaceId, await findSealedKey(tx))

/** Returns the workspace's key, and creates it on first use. If several transactions race, the first one's key wins. */
export async function ensureKey(tx: Tx): Promise<Buffer> {
  const { keys, workspaceId } = tx
  insertKey(tx, sealKey(keys, workspaceId, randomBytes(32).toString('base64')), tx.clock.now())
  const key = bytesOf(keys, workspaceId, await findSealedKey(tx))
  if (key === undefined) throw new Error('The key was neither there nor made.')
  return key
}

function bytesOf(keys: KeyRing, workspaceId: string, sealed: Buffer | undefined): Buffer | undefined {
  if (sealed === undefined) return undefined
  try {
    return Buffer.from(openKey(keys, workspaceId, sealed), 'base64')
  } catch {
    throw SuppressionsUnreadable()
  }
}
