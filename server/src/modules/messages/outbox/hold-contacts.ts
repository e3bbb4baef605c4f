import type { Tx } from '#kernel/context.ts'
import { holdContacts } from '../../contacts/public.ts'
import { listMessagesById } from '../queries.ts'

/**
 * Holds the contacts of messages, and `further` ones: who publishes an event of a contact does. To be called before the places of the messages in the
 * outbox, and the messages, are locked.
 */
export async function holdContactsOf(
  limited: Tx,
  messageIds: readonly string[],
  further: readonly string[] = [],
): Promise<void> {
  const tx = limited.unrestricted()
  const known = messageIds.length === 0 ? [] : await listMessagesById(tx, messageIds)
  const contactIds = [...further, ...known.flatMap(({ contact_id }) => contact_id ?? [])]
  if (contactIds.length > 0) await holdContacts(tx, contactIds)
}
