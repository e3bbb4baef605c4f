import { isId } from '#kernel/ids.ts'
import type { KeyRing } from '#kernel/secrets.ts'

/**
 * Addresses and links that lead a response back to its message. They cannot be made up: each is signed, and what does not
 * verify reads as undefined. None of them is the address of a person.
 */

/** Whose tokens they are; one workspace cannot read those of another. */
interface Owner {
  keys: KeyRing
  workspaceId: string
}

const kinds = { r: 'reply', b: 'bounce' } as const
type Kind = keyof typeof kinds

const purposeOf = (kind: Kind) => `email ${kinds[kind]}`

/** Before the @ an address has at most so many characters (RFC 5321, 4.5.3.1.1). */
const maxLocalPart = 64

/**
 * An address of ours with a token in it: `office+r-…@example.com`. Mail servers deliver it to `office@example.com`
 * (RFC 5233). An address that would get too long stays as it is.
 */
function tagged({ keys, workspaceId }: Owner, address: string, kind: Kind, id: string): string {
  const at = address.lastIndexOf('@')
  const token = id + keys.signShort(purposeOf(kind), `${workspaceId} ${id}`)
  const local = `${address.slice(0, at)}+${kind}-${token}`
  return local.length > maxLocalPart ? address : local + address.slice(at)
}

/** Where responses in a conversation go: Reply-To. */
export const replyAddress = (owner: Owner, address: string, conversationId: string): string =>
  tagged(owner, address, 'r', conversationId)

/** Where bounces of an attempt to send go: the envelope's sender (VERP). */
export const bounceAddress = (owner: Owner, address: string, attemptId: string): string =>
  tagged(owner, address, 'b', attemptId)

export type AddressToken =
  | { kind: 'reply'; conversationId: string; address: string }
  | { kind: 'bounce'; attemptId: string; address: string }

const taggedAddress = /^([^@]+)\+([rb])-([0-9a-z]{25})([0-9a-z]{13})(@[^@]+)$/

/** What an address was made for, and the address without it; undefined if it has no token of this workspace. */
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

/** Whose wish a link to unsubscribe carries: that of the person at this address, to whom this message went. */
export interface Unsubscribe {
  workspaceId: string
  messageId: string
  address: string
}

const unsubscribePurpose = 'email unsubscribe'

/** The same for each attempt to send the message. It is sealed: addresses of people do not belong into URLs. */
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

/** The Message-ID of a message of ours, the same for each attempt. */
export const messageIdHeader = (messageId: string, senderAddress: string): string =>
  `<${messageId}${senderAddress.slice(senderAddress.lastIndexOf('@'))}>`

/** The id of the message that a Message-ID may be of; others can write the same. */
export function readMessageIdHeader(text: string): string | undefined {
  const [, id = ''] = /^<?(c[0-9a-z]{24})@[^@\s]+$/.exec(text.trim().toLowerCase().replace(/>$/, '')) ?? []
  return isId(id) ? id : undefined
}
