import type { Ctx } from '#kernel/context.ts'
import { extendRecord } from '#kernel/records/extend.ts'
import { MediaList, presentMedia } from './message-media.ts'
import { type Message, isWithheld, mayRead, messageRecord, withheld } from './message.ts'
import { Waiting, waitingOf } from './waiting.ts'

/** A message with links to its files, and why it waits, as responses show it. */
export const MessageShown = extendRecord(
  'Message',
  messageRecord,
  { media: MediaList, waiting: Waiting },
  { media: [], waiting: null },
)

/**
 * The message as the API returns it, without internal fields. An author who does not see its contact gets it with the
 * contact that they named, without its conversation, and with the time zones of the number alone. To a masked author, a
 * number of no one looks the same: a missing conversation would reveal that a number is known. To a sender that may
 * not read messages, every number does.
 */
export async function presentMessage(row: Message, ctx: Ctx) {
  const {
    connection_id: _connection,
    owner_id: _owner,
    addressed_contact_id: _addressed,
    author_id: _author,
    hidden_from: _hidden,
    calendar: _calendar,
    message_class: _class,
    kind: _kind,
    waits_for_hours: _waits,
    actor: _actor,
    media_due_at: _due,
    ...rest
  } = row
  const shown = { ...rest, media: presentMedia(row.media, ctx), waiting: await waitingOf(ctx, row) }
  if (!mayRead(ctx))
    return {
      ...shown,
      ...withheld(row),
      contact_id: null,
      conversation_id: null,
      reply_to_message_id: null,
    }
  if (isWithheld(row, ctx))
    return {
      ...shown,
      ...withheld(row),
      ...(ctx.masked && { conversation_id: null, reply_to_message_id: null }),
    }
  return ctx.masked && row.contact_id === null ? { ...shown, conversation_id: null } : shown
}
