import { isId } from '#kernel/ids.ts'
import type { KeyRing } from '#kernel/secrets.ts'

/**
 * Addresses and links that lead a response back to its message. Reply, bounce, and unsubscribe tokens are signed or
 * sealed, so no one can make them up; a token that does not verify reads as undefined. Message-IDs are not signed. None
 * of them reveals the address of a person.
 */

/** The workspace of the tokens. One workspace cannot read the tokens of another. */
interface Owner {
  keys: KeyRing
  workspaceId: string
}

const kinds = { r: 'reply', b: 'bounce' } as const
type Kind = keyof typeof kinds

const purposeOf = (kind: Kind) => `email ${kinds[kind]}`

/** The maximum length of the part before the @ (RFC 5321, 4.5.3.1.1). */
const maxLocalPart = 64

/**
 * Adds a token to an address of ours: `office+r-…@example.com`. Mail servers deliver to `office@example.com` (RFC
 * 5233). Returns the address unchanged if it would become too long.
 */
function tagged({ keys, workspaceId }: Owner, address: string, kind: Kind, id: string): string {
  const at = address.lastIndexOf('@')
  const token = id + keys.signShort(purposeOf(kind), `${workspaceId} ${id}`)
  const local = `${address.slice(0, at)}+${kind}-${token}`
  return local.length > maxLocalPart ? address : local + address.slice(at)
}

/** The Reply-To address of a conversation. */
export const replyAddress = (owner: Owner, address: string, conversationId: string): string =>
  tagged(owner, address, 'r', conversationId)

/** The envelope sender of an attempt, to which bounces go (VERP). */
export const bounceAddress = (owner: Owner, address: string, attemptId: string): string =>
  tagged(owner, address, 'b', attemptId)

export type AddressToken =
  | { kind: 'reply'; conversationId: string; address: string }
  | { kind: 'bounce'; attemptId: string; address: string }

const taggedAddress = /^([^@]+)\+([rb])-([0-9a-z]{25})([0-9a-z]{13})(@[^@]+)$/

/**
 * Reads the token of an address. Returns it with the address that it was added to, or undefined if there is no valid
 * token of this workspace.
 */
export function readAddressToken({ keys, workspaceId }: Owner, text: string): AddressToken | undefined {
  const [, local = '', kind = '', id = '', signature = '', domain = ''] =
    taggedAddress.exec(text.toLowerCase()) ?? []
  if (!isKind(kind) || !isId(id)) return undefined
  if (!keys.verifiesShort(purposeOf(kind), `${workspaceId} ${id}`, signature)) return undefined
  const address = local + domain
  return kind === 'r'
    ? { kind: 'reply', conversationId: id, address }
    : { kind: 'bounce', attemptId: id, address }
}

const isKind = (text: string): text is Kind => Object.hasOwn(kinds, text)

/** What an unsubscribe link stands for: the person at this address, who got this message, wants no more marketing. */
export interface Unsubscribe {
  workspaceId: string
  messageId: string
  address: string
}

const unsubscribePurpose = 'email unsubscribe'

/**
 * The token is the same for each attempt to send the message. It is sealed, because addresses of people do not belong
 * in URLs.
 */
export const unsubscribeToken = (keys: KeyRing, { workspaceId, messageId, address }: Unsubscribe): string =>
  keys.sealSame(unsubscribePurpose, `${workspaceId} ${messageId} ${address}`, '').toString('base64url')

export function readUnsubscribeToken(keys: KeyRing, token: string): Unsubscribe | undefined {
  try {
    const text = keys.open(unsubscribePurpose, Buffer.from(token, 'base64url'), '')
    const [workspaceId = '', messageId = '', address = ''] = text.split(' ')
    return { workspaceId, messageId, address }
  } catch {
    return undefined
  }
}

/** The Message-ID of a message of ours. It is the same for each attempt. */
export const messageIdHeader = (messageId: string, senderAddress: string): string =>
  `<${messageId}${senderAddress.slice(senderAddress.lastIndexOf('@'))}>`

/** Reads the id of the message that a Message-ID may belong to. It proves nothing: anyone can write it. */
export function readMessageIdHeader(text: string): string | undefined {
  const [, id = ''] = /^<?(c[0-9a-z]{24})@[^@\s]+$/.exec(text.trim().toLowerCase().replace(/>$/, '')) ?? []
  return isId(id) ? id : undefined
}
