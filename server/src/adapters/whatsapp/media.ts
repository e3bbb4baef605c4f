import type { Egress } from '#kernel/egress/egress.ts'
import type { MediaReply, ProviderAccount } from '../../modules/messages/ports.ts'
import { readMedia } from '../media.ts'
import { objectOf } from '../replies.ts'
import { accessTokenOf } from './account.ts'
import { type MetaPlace, getFromMeta } from './meta-api.ts'

/** Where Meta stores files. The access token goes nowhere else. */
const metaHosts = /(?:^|\.)(?:fbsbx\.com|fbcdn\.net|whatsapp\.net|facebook\.com)$/

/** Meta responds with an address that is valid for five minutes, and wants the access token there, too. */
export async function fetchMetaMedia(
  place: MetaPlace & { mediaEgress: Egress },
  account: ProviderAccount,
  id: string,
  maxBytes: number,
): Promise<MediaReply> {
  const reply = await getFromMeta(place, account, id)
  // Meta deletes files after some time: error 100 with status 400.
  if (reply.status === 404 || reply.status === 400) return 'gone'
  const { url } = objectOf(reply)
  if (reply.status !== 200 || typeof url !== 'string')
    throw new Error(`Meta’s file: ${reply.failure ?? `status ${reply.status}`}`)
  if (!isOfMeta(place, account, url)) return 'gone'
  return readMedia(place.mediaEgress, url, { authorization: `Bearer ${accessTokenOf(account)}` }, maxBytes)
}

function isOfMeta({ simulatedUrl }: MetaPlace, account: ProviderAccount, url: string): boolean {
  const { protocol, hostname, origin } = URL.parse(url) ?? {}
  return account.simulated
    ? origin === simulatedUrl(account)
    : protocol === 'https:' && metaHosts.test(hostname ?? '')
}
