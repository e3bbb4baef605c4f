import { createHmac, randomBytes } from 'node:crypto'
import type { Ctx, Tx } from '#kernel/context.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import { SuppressionsUnreadable } from './errors.ts'
import { findSealedKey, insertKey } from './suppression-queries.ts'
import type { Subject } from './suppression.ts'

export const sealPurpose = 'suppressions'

export const sealKey = (keys: KeyRing, workspaceId: string, key: string): Buffer =>
  keys.seal(sealPurpose, key, workspaceId)

/** In base64. Throws where no application secret opens it. */
export const openKey = (keys: KeyRing, workspaceId: string, sealed: Buffer): string =>
  keys.open(sealPurpose, sealed, workspaceId)

/** As a suppression names its subject: a contact by id, everything else by a hash that says nothing without the key. */
export const nameOf = (key: Buffer, { type, value }: Subject): string =>
  type === 'contact' ? value : createHmac('sha256', key).update(`${type} ${value}`).digest('base64url')

/** Keys that were read after their commit. From then on a key stays the same; only its seal is ever renewed. */
const remembered = new WeakMap<KeyRing, Map<string, Buffer>>()

/** The key of the workspace; undefined where there is none and so no suppression either. 503 where it cannot be opened. */
export async function findKey({ db, keys }: Pick<Ctx, 'db' | 'keys'>): Promise<Buffer | undefined> {
  const known = remembered.get(keys) ?? new Map<string, Buffer>()
  remembered.set(keys, known)
  const { workspaceId } = db
  const key = known.get(workspaceId) ?? bytesOf(keys, workspaceId, await findSealedKey(db))
  if (key !== undefined) known.set(workspaceId, key)
  return key
}

/** The same within a transaction. */
export const findKeyIn = async (tx: Tx): Promise<Buffer | undefined> =>
  bytesOf(tx.keys, tx.workspaceId, await findSealedKey(tx))

/** The key of the workspace, made when first asked for. Of many that ask at once the first one's counts. */
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
