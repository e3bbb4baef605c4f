import type { Egress } from '#kernel/egress/egress.ts'
import type { InboundMedia, MediaReply, ProviderAccount } from '../../modules/messages/ports.ts'
import { readMedia } from '../media.ts'
import { objectOf, objectsIn, saysGone } from '../replies.ts'
import { type TwilioPlace, accountPath, callTwilio, loginOf, originOf } from './twilio-api.ts'

/** More than Twilio puts into one message. */
const maxMedia = 10

/** The path of a file, relative to the account. */
const mediaPath = /^Messages\/[A-Za-z0-9]{34}\/Media\/ME[A-Za-z0-9]{32}$/

/** The files that a callback names. An address that is not of the account is not called. */
export function mediaOf(account: ProviderAccount, parameters: URLSearchParams): InboundMedia[] {
  const count = Math.max(0, Math.min(Number(parameters.get('NumMedia') ?? 0) || 0, maxMedia))
  return Array.from({ length: count }, (_, index) => ({
    source: sourceOf(account, parameters.get(`MediaUrl${index}`) ?? ''),
    contentType: parameters.get(`MediaContentType${index}`) ?? 'application/octet-stream',
    name: null,
  }))
}

function sourceOf(account: ProviderAccount, url: string): string | null {
  const { pathname = '' } = URL.parse(url) ?? {}
  const path = pathname.startsWith(accountPath(account)) ? pathname.slice(accountPath(account).length) : ''
  return mediaPath.test(path) ? path : null
}

/** The files of a message that no callback reported. Throws if the list cannot be read. */
export async function listMedia(
  place: TwilioPlace,
  account: ProviderAccount,
  sid: string,
): Promise<InboundMedia[]> {
  const path = `Messages/${encodeURIComponent(sid)}`
  const reply = await callTwilio(place, account, `${path}/Media.json`)
  if (saysGone(reply)) return []
  if (reply.status !== 200) throw new Error(`Twilio’s files: ${reply.failure ?? `status ${reply.status}`}`)
  return objectsIn(objectOf(reply)['media_list'])
    .slice(0, maxMedia)
    .map((one) => ({
      source: mediaPath.test(`${path}/Media/${String(one['sid'])}`)
        ? `${path}/Media/${String(one['sid'])}`
        : null,
      contentType: String(one['content_type']),
      name: null,
    }))
}

/** Twilio responds with a redirect to where it stores files. */
export const fetchTwilioMedia = (
  place: TwilioPlace & { mediaEgress: Egress },
  account: ProviderAccount,
  source: string,
  maxBytes: number,
): Promise<MediaReply> =>
  readMedia(
    place.mediaEgress,
    originOf(place, account) + accountPath(account) + source,
    { authorization: loginOf(account) },
    maxBytes,
  )

/** Deletes the files of a message at Twilio. Returns true if none is left. */
export async function forgetMedia(
  place: TwilioPlace,
  account: ProviderAccount,
  sid: string,
): Promise<boolean> {
  const sources = (await listMedia(place, account, sid)).flatMap(({ source }) => source ?? [])
  const replies = await Promise.all(
    sources.map((source) => callTwilio(place, account, `${source}.json`, undefined, 'DELETE')),
  )
  return replies.every((reply) => reply.status === 204 || saysGone(reply))
}
