import type { Message } from './message.ts'

/** A message as events show it, and from which credential they are hidden. */
export const eventOf = ({
  id,
  contact_id,
  hidden_from,
  channel,
  ai_generated,
  automatic,
  sender_verified,
  source,
  from,
  to,
  resend_of,
}: Message) => ({
  id,
  contact_id,
  hidden_from,
  channel,
  ai_generated,
  automatic,
  sender_verified,
  source: source as Exclude<Message['source'], 'inbound'>,
  ...(resend_of === null ? {} : { resend_of }),
  ...(from === null ? {} : { from }),
  ...(to === null ? {} : { to }),
})
