import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { type Contact, type Point, listContactsById, lockPersons } from '../../contacts/public.ts'
import { countAiMessages, listVerifiedOfContact } from '../../messages/public.ts'
import { findAiSettings, lockPersonaForShare, isOn } from '../../personas/public.ts'
import type { HandoffReason } from '../events.ts'
import { type ReplyScene, type WritingScene, depth, lastOf, mayRespondTo } from './read-scene.ts'

/**
 * Thrown when something changed during the model request, so the text must not be used, or when a person should take
 * over.
 */
export class NotNow extends Error {
  readonly handoff: HandoffReason | undefined
  /** Whether the contact still has the last word, so the AI should start over. */
  readonly startsOver: boolean

  constructor({ handoff, startsOver = false }: { handoff?: HandoffReason; startsOver?: boolean } = {}) {
    super('The conversation has moved on.')
    this.handoff = handoff
    this.startsOver = startsOver
  }
}

/** A proposal expires after this long. */
export const maxAgeMs = 5 * 60_000

const dayMs = 24 * 3_600_000

/**
 * Takes the locks that anything that stops the AI takes, and rechecks that the contact is active, the last word is the
 * same, and the persona is on and unchanged. Throws `NotNow` otherwise. None of this can change until the transaction
 * ends.
 */
export async function requireSame(tx: Tx, scene: ReplyScene): Promise<Standing> {
  await lockPersons(tx, { contactIds: [scene.contact.id], points: [addressOf(scene)] })
  const { contact, persona, isOff } = scene
  const [[present], messages, held, settings, written] = await Promise.all([
    listContactsById(tx, [contact.id]),
    listVerifiedOfContact(tx, contact.id, depth),
    lockPersonaForShare(tx, persona.id),
    findAiSettings(tx),
    countAiMessages(tx, contact.id, later(tx.clock.now(), -dayMs)),
  ])
  if (present === undefined || !mayRespondTo(present)) throw new NotNow()
  if (lastOf(messages)?.id !== lastOf(scene.messages)?.id) throw new NotNow()
  const isSame = held !== undefined && isOn(held) && held.version === persona.version && settings.enabled
  // The message with the disclosure has since turned out to be undelivered.
  const lacksDisclosure = written.ever === 0 && scene.written.ever > 0
  if (!isOff && (!isSame || lacksDisclosure)) throw new NotNow({ startsOver: true })
  return { contact: present, written }
}

interface Standing {
  contact: Contact
  written: ReplyScene['written']
}

/** Like `requireSame`, and also checks that the AI may write one more message and that the proposal has not expired. */
export async function requireStanding(tx: Tx, scene: ReplyScene, startedAt?: Date): Promise<void> {
  const { written } = await requireSame(tx, scene)
  if (written.lately >= scene.persona.max_messages_per_day) throw new NotNow({ handoff: 'cap' })
  if (startedAt !== undefined && tx.clock.now().getTime() - startedAt.getTime() > maxAgeMs)
    throw new NotNow({ handoff: 'late' })
}

export const addressOf = ({ channel, address }: Pick<WritingScene, 'channel' | 'address'>): Point =>
  ({ type: channel === 'EMAIL' ? 'email' : 'phone', value: address }) as Point
