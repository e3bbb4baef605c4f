import type { Ctx } from '#kernel/context.ts'
import { suppressIn } from '../../compliance/public.ts'
import { type Point, lockPersons } from '../../contacts/public.ts'
import { MessageClassified } from '../events.ts'
import { findMessage } from '../queries.ts'
import { cancelWaiting } from '../queue/cancel-waiting.ts'
import type { Unsubscribe } from './tokens.ts'

/**
 * Records that the person at this address wants no more marketing emails from the workspace, and cancels those that
 * wait. None begins after the commit. An existing opt-out stays as it is.
 */
export const unsubscribe = (
  ctx: Ctx,
  { messageId, address }: Omit<Unsubscribe, 'workspaceId'>,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const subject = { type: 'email', value: address } as Point
    const contactId = (await findMessage(tx, messageId))?.contact_id ?? null
    await lockPersons(tx, { contactIds: contactId === null ? [] : [contactId], points: [subject] })
    const added = await suppressIn(tx, [{ subject, kind: 'opted_out', source: 'inbound' }])
    await cancelWaiting(
      tx,
      { to: address, channels: ['EMAIL'] },
      ({ message_class }) => message_class === 'marketing',
    )
    if (added.length === 0) return
    await tx.emit(MessageClassified, {
      id: messageId,
      contact_id: contactId,
      action: 'unsubscribe',
      sender_verified: null,
    })
  })
