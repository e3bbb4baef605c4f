import type { ProviderAccount } from '../../modules/messages/ports.ts'
import { objectOf, unexpected } from '../replies.ts'
import { phoneNumberIdOf } from './account.ts'
import { type MetaPlace, getFromMeta } from './meta-api.ts'

/** The states in which a number can begin no conversation. Limits such as FLAGGED and RATE_LIMITED pass, and say nothing here. */
const unusable = new Set(['PENDING', 'UNVERIFIED', 'DISCONNECTED', 'MIGRATED', 'BANNED', 'DELETED'])

/** What Meta says of a number, as a sender's status; undefined where the settings do not name it, or Meta says nothing of use. */
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
