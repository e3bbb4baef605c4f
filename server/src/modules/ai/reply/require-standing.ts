import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { type Contact, type Point, listContactsById, lockPersons } from '../../contacts/public.ts'
import { countAiMessages, listMessagesOfContact } from '../../messages/public.ts'
import { findAiSettings, holdPersona, isOn } from '../../personas/public.ts'
import type { HandoffReason } from '../events.ts'
import { type ReplyScene, lastOf, mayRespondTo } from './read-scene.ts'

/** Something has changed while the model was asked, so nothing is written; or a person should take over. */
export class NotNow extends Error {
  readonly handoff: HandoffReason | undefined

  constructor(handoff?: HandoffReason) {
    super('The conversation has moved on.')
    this.handoff = handoff
  }
}

/** A proposal is not used any more after so long. */
export const maxAgeMs = 5 * 60_000

const dayMs = 24 * 3_600_000

/**
 * Takes the locks under which everyone writes who stops the AI, and asks everything again: whether the contact is active, the
 * last word still the same, and the persona on. Throws `NotNow` otherwise. Until the transaction ends nothing of it can change.
 */
export async function requireSame(tx: Tx, scene: ReplyScene): Promise<Contact> {
  await lockPersons(tx, { contactIds: [scene.contact.id], points: [addressOf(scene)] })
  const { contact, persona } = scene
  const [[present], messages, held, settings] = await Promise.all([
    listContactsById(tx, [contact.id]),
    listMessagesOfContact(tx, contact.id, 10),
    holdPersona(tx, persona.id),
    findAiSettings(tx),
  ])
  if (present === undefined || !mayRespondTo(present)) throw new NotNow()
  if (lastOf(messages)?.id !== lastOf(scene.messages)?.id) throw new NotNow()
  if (held === undefined || !isOn(held) || held.mode !== persona.mode || !settings.enabled) throw new NotNow()
  return present
}

/** The same, and that the AI may write one more message, in time. */
export async function requireStanding(tx: Tx, scene: ReplyScene, startedAt?: Date): Promise<void> {
  const { id } = await requireSame(tx, scene)
  const written = await countAiMessages(tx, id, later(tx.clock.now(), -dayMs))
  if (written.lately >= scene.persona.max_messages_per_day) throw new NotNow('cap')
  if (startedAt !== undefined && tx.clock.now().getTime() - startedAt.getTime() > maxAgeMs)
    throw new NotNow('late')
}

export const addressOf = ({ last: { channel }, address }: ReplyScene): Point =>
  ({ type: channel === 'EMAIL' ? 'email' : 'phone', value: address }) as Point
