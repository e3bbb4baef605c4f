import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { isId } from '#kernel/ids.ts'
import type { KeyRing } from '#kernel/secrets.ts'

/** The credential that a link belongs to: the one that requested it. For a signed-in person, it is their session. */
export interface LinkHolder {
  type: (typeof holders)[number]
  id: string
}

/** The contents of a link token. */
export interface FileLink {
  workspaceId: string
  fileId: string
  holder: LinkHolder
  expiresAt: Date
}

const holders = ['api_key', 'oauth_app', 'member', 'session'] as const

const purpose = 'file links'

export const linkMs = 5 * 60_000

export const filesPath = '/files/'

/** The path of links to call recordings. */
export const recordingsPath = '/recordings/'

/**
 * Creates a link to a file of the workspace. It works for five minutes, and only as long as the requesting credential
 * may read the file. Undefined for actors without a credential, such as the system.
 */
export function fileLink(
  { workspaceId, actor, sessionId, clock, keys, origin }: Ctx,
  fileId: string,
  path = filesPath,
): { url: string; expires_at: string } | undefined {
  // Tied to the session, so that signing out invalidates the links.
  const holder = sessionId === undefined ? actor : { type: 'session', id: sessionId }
  const type = holders.find((one) => one === holder.type)
  if (type === undefined || holder.id === null) return undefined
  const expiresAt = later(clock.real.now(), linkMs)
  const text = [workspaceId, fileId, type, holder.id, expiresAt.getTime().toString(36)].join('.')
  const signature = keys.sign(purpose, text).toString('base64url')
  return { url: `${origin()}${path}${text}.${signature}`, expires_at: expiresAt.toISOString() }
}

/** Parses a link token. Undefined unless the signature is valid. */
export function readFileLink(keys: KeyRing, token: string): FileLink | undefined {
  const at = token.lastIndexOf('.')
  const text = token.slice(0, at)
  const signature = token.slice(at + 1)
  const bytes = Buffer.from(signature, 'base64url')
  // Accept only the canonical encoding of the signature, because several base64url strings decode to the same bytes.
  if (bytes.toString('base64url') !== signature || !keys.verifies(purpose, text, bytes)) return undefined
  const [workspaceId = '', fileId = '', type, id = '', expires = ''] = text.split('.')
  const holder = holders.find((one) => one === type)
  if (holder === undefined || ![workspaceId, fileId, id].every(isId)) return undefined
  return {
    workspaceId,
    fileId,
    holder: { type: holder, id },
    expiresAt: new Date(Number.parseInt(expires, 36)),
  }
}
