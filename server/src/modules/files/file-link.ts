import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { isId } from '#kernel/ids.ts'
import type { KeyRing } from '#kernel/secrets.ts'

/** Who may follow a link: the credential that asked for it, of a signed-in person the session. */
export interface LinkHolder {
  type: (typeof holders)[number]
  id: string
}

/** What a link is to, for whom, and until when. */
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

/** Where links to recordings of calls lead. */
export const recordingsPath = '/recordings/'

/**
 * A link to a file of the workspace, for five minutes and for as long as the credential that asks for it may read the file.
 * Undefined for who has none, such as the system.
 */
export function fileLink(
  { workspaceId, actor, sessionId, clock, keys, origin }: Ctx,
  fileId: string,
  path = filesPath,
): { url: string; expires_at: string } | undefined {
  // Who signs out ends the links, too.
  const holder = sessionId === undefined ? actor : { type: 'session', id: sessionId }
  const type = holders.find((one) => one === holder.type)
  if (type === undefined || holder.id === null) return undefined
  const expiresAt = later(clock.now(), linkMs)
  const text = [workspaceId, fileId, type, holder.id, expiresAt.getTime().toString(36)].join('.')
  const signature = keys.sign(purpose, text).toString('base64url')
  return { url: `${origin()}${path}${text}.${signature}`, expires_at: expiresAt.toISOString() }
}

/** What a link says; undefined unless its signature is ours. */
export function readFileLink(keys: KeyRing, token: string): FileLink | undefined {
  const at = token.lastIndexOf('.')
  const text = token.slice(0, at)
  const signature = token.slice(at + 1)
  const bytes = Buffer.from(signature, 'base64url')
  // Of the texts that decode to the same bytes, the one that was written.
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
