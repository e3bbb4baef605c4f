import type { Tx } from '#kernel/context.ts'
import { lockContactsForShare } from '../../contacts/public.ts'
import { listMessagesById } from '../queries.ts'

/**
 * Holds the contacts of these messages, and `further` ones, as everyone who publishes an event of a contact must. Lock
 * order: call this before you lock the outbox rows of the messages, and the messages.
 */
export async function lockContactsOfForShare(
  limited: Tx,
  messageIds: readonly string[],
  further: readonly string[] = [],
): Promise<void> {
  const tx = limited.unrestricted()
  const known = messageIds.length === 0 ? [] : await listMessagesById(tx, messageIds)
  const contactIds = [...further, ...known.flatMap(({ contact_id }) => contact_id ?? [])]
  if (contactIds.length > 0) await lockContactsForShare(tx, contactIds)
}
