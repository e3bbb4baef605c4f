import type { Tx } from '#kernel/context.ts'
import { type RecipientPerson, classifyInbound, liftOptOut, suppressIn } from '../../compliance/public.ts'
import { type Point, pauseAi } from '../../contacts/public.ts'
import { type SenderRow, sendChannels } from '../../senders/public.ts'
import { MessageClassified } from '../events.ts'
import type { Message } from '../message.ts'
import { cancelWaiting } from '../outbox/cancel-waiting.ts'
import { respond } from './respond.ts'

/** A message by phone, and who wrote it. The transaction holds the person's locks. */
export interface Received {
  message: Message
  point: Point
  person: RecipientPerson
  sender: SenderRow
  writtenAt: Date
  /** Whether the provider itself responds to words such as STOP. */
  providerResponds: boolean
}

/**
 * Does what a message by phone asks for. An opt-out holds for texts, WhatsApp messages and automated calls to the number,
 * cancels what waits to be sent to it, pauses the AI, and gets one confirmation; who wants no contact at all is on the internal
 * do-not-call list, too. An opt-in lifts the opt-out that the person
 * wrote before it, and nothing else. In doubt, as where an older opt-out is found after an opt-in, the opt-out holds.
 */
export async function actOnWords(tx: Tx, received: Received): Promise<void> {
  const { message, point, person, sender, writtenAt, providerResponds } = received
  const { action, noContact = false } = classifyInbound(message.body ?? '', {
    optedOut: person.rows.some(
      ({ kind, channels }) => kind === 'opted_out' && channels.includes(sendChannels[message.channel]),
    ),
    tollfree: sender.kind === 'tollfree',
  })
  if (action === 'none') return
  await tx.emit(MessageClassified, { id: message.id, contact_id: message.contact_id, action })
  switch (action) {
    case 'opt_out': {
      const kinds = ['opted_out' as const, ...(noContact ? ['internal_dnc' as const] : [])]
      const added = await suppressIn(
        tx,
        kinds.map((kind) => ({ subject: point, kind, source: 'inbound', since: writtenAt })),
      )
      await stopSending(tx, received)
      if (!providerResponds && added.some(({ kind }) => kind === 'opted_out'))
        await respond(tx, message, 'opt_out_confirmation')
      return
    }
    case 'wrong_number':
      await suppressIn(tx, [{ subject: point, kind: 'reassigned_number', source: 'inbound' }])
      return stopSending(tx, received)
    case 'opt_in':
      return liftOptOut(tx, point, writtenAt)
    case 'help':
      return providerResponds ? undefined : respond(tx, message, 'help')
    case 'review':
      return pauseAll(tx, person)
  }
}

/** Cancels what waits to be sent to the number, except the confirmation of an opt-out, and pauses the AI. */
async function stopSending(tx: Tx, { message, person }: Received): Promise<void> {
  await cancelWaiting(
    tx,
    { to: message.from, channels: ['SMS', 'WHATSAPP'] },
    ({ kind }) => kind !== 'opt_out_confirmation',
  )
  await pauseAll(tx, person)
}

async function pauseAll(tx: Tx, { contactIds }: RecipientPerson): Promise<void> {
  for (const id of contactIds) await pauseAi(tx, id)
}
