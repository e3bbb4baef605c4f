import { later } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/handles.ts'
import type { Contact } from '../../contacts/public.ts'
import { countAiMessages } from '../../messages/public.ts'
import { type Persona, findAiSettings, lockPersonaForShare, isOn } from '../../personas/public.ts'
import { mayRespondTo } from '../reply/read-scene.ts'

/** A message for the AI to write on its own initiative: to whom, as which persona, and why. */
export interface Outreach {
  contact_id: string
  persona_id: string
  channel: 'SMS' | 'EMAIL'
  purpose: string
}

const dayMs = 24 * 3_600_000

/**
 * The persona that may write to a contact now, held against changes until the transaction ends, or why none may.
 * Ignores the persona's active hours, which apply only to responses. A dry run passes a `find` that holds nothing.
 */
export async function findWriter(
  db: Db,
  contact: Contact,
  { persona_id, channel }: Pick<Outreach, 'persona_id' | 'channel'>,
  now: Date,
  find = lockPersonaForShare,
): Promise<Persona | 'ai_paused' | 'persona_off' | 'cap'> {
  if (!mayRespondTo(contact)) return 'ai_paused'
  const [persona, settings, written] = await Promise.all([
    find(db, persona_id),
    findAiSettings(db),
    countAiMessages(db, contact.id, later(now, -dayMs)),
  ])
  if (persona === undefined || !isOn(persona) || !settings.enabled) return 'persona_off'
  if (!persona.channels.includes(channel)) return 'persona_off'
  const isCapped =
    written.lately >= persona.max_messages_per_day || written.unanswered >= persona.max_unanswered
  return isCapped ? 'cap' : persona
}
