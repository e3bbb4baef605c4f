import { isId } from '#kernel/ids.ts'
import type { KeyRing } from '#kernel/secrets.ts'

/** What a link for someone without a credential leads to, such as a provider that is to send the file. */
export interface SharedLink {
  workspaceId: string
  fileId: string
  expiresAt: Date
}

const purpose = 'shared file links'

export const sharedPath = '/shared-files/'

/** Creates a link to a file that anyone who has it can read until then. */
export function sharedLink(
  { keys, origin }: { keys: KeyRing; origin: () => string },
  { workspaceId, fileId, expiresAt }: SharedLink,
): string {
  const text = [workspaceId, fileId, expiresAt.getTime().toString(36)].join('.')
  return `${origin()}${sharedPath}${text}.${keys.sign(purpose, text).toString('base64url')}`
}

/** Parses a link token. Undefined unless the signature is valid. */
export function readSharedLink(keys: KeyRing, token: string): SharedLink | undefined {
  const at = token.lastIndexOf('.')
  const text = token.slice(0, at)
  const bytes = Buffer.from(token.slice(at + 1), 'base64url')
  const isCanonical = bytes.toString('base64url') === token.slice(at + 1)
  if (!isCanonical || !keys.verifies(purpose, text, bytes)) return undefined
  const [workspaceId = '', fileId = '', expires = ''] = text.split('.')
  if (![workspaceId, fileId].every(isId)) return undefined
  return { workspaceId, fileId, expiresAt: new Date(Number.parseInt(expires, 36)) }
}
