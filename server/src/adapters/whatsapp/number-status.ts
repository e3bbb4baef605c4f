import type { ProviderAccount } from '../../modules/messages/ports.ts'
import { objectOf, unexpected } from '../replies.ts'
import { phoneNumberIdOf } from './account.ts'
import { type MetaPlace, getFromMeta } from './meta-api.ts'

/**
 * Statuses in which a number can't start conversations. Limits such as FLAGGED and RATE_LIMITED are temporary and don't
 * count.
 */
const unusable = new Set(['PENDING', 'UNVERIFIED', 'DISCONNECTED', 'MIGRATED', 'BANNED', 'DELETED'])

/** The callback URL of a number: its own, else that of its account, else that of the app. Null if Meta names none. */
export async function readInboundUrl(
  place: MetaPlace,
  account: ProviderAccount,
  id: string,
): Promise<string | null> {
  const reply = await getFromMeta(place, account, `${id}?fields=webhook_configuration`)
  if (reply.status !== 200) throw unexpected('Meta’s number', reply)
  const found = { ...(objectOf(reply)['webhook_configuration'] as Record<string, unknown> | undefined) }
  const urls = [found['phone_number'], found['whatsapp_business_account'], found['application']]
  return urls.find((one): one is string => typeof one === 'string' && one !== '') ?? null
}

/**
 * Meta's status of a number, as a sender status. Undefined if the settings don't include the number, or the status says
 * nothing useful.
 */
export async function readNumberStatus(
  place: MetaPlace,
  account: ProviderAccount,
  address: string,
): Promise<string | undefined> {
  const id = phoneNumberIdOf(account, address)
  if (id === undefined) return undefined
  const reply = await getFromMeta(place, account, `${id}?fields=status`)
  if (reply.status !== 200) throw unexpected('Meta’s number', reply)
  const { status } = objectOf(reply)
  if (status === 'CONNECTED') return 'APPROVED'
  return typeof status === 'string' && unusable.has(status) ? status : undefined
}
