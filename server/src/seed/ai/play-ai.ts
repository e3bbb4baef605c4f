import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { leaveToPerson } from '../../modules/ai/public.ts'
import { type Contact, findContact, updateContact } from '../../modules/contacts/public.ts'
import { listMessagesOfContact } from '../../modules/messages/public.ts'
import { type Persona, updatePersona } from '../../modules/personas/public.ts'
import type { Batch } from '../batch.ts'
import { newcomer } from '../newcomer.ts'
import type { Scene } from '../scene.ts'
import { arrive, sendText, writeBack } from '../texts.ts'

const ai: Actor = { type: 'system', id: null, name: 'ai' }

/** Conversations of the last hours: contact and AI take turns. The second one is handed off. */
const talks = [
  [
    'Hi! Is the open house still on this weekend?',
    'Thanks for writing. Which of our listings do you have in mind?',
    'The one with the porch.',
    'A lovely place. I will have your agent send you the times.',
  ],
  ['I would rather speak to a real person about the offer.'],
  ['Could we see something with a bigger yard?', 'Gladly. Which days suit you, and mornings or afternoons?'],
] as const

/**
 * The AI deals with three people who have just written: it responds to one automatically, hands one off to a person,
 * and leaves one response awaiting approval. From then on, the persona's responses need approval.
 */
export async function playAi({ clock }: Batch, scene: Scene, persona: Persona, end: Date): Promise<void> {
  const ctx = scene.as(ai)
  const people = await whoMayHearFromIt(ctx, scene)
  clock.stand(later(end, -60 * 60_000))
  await updatePersona(ctx, persona.id, { mode: 'auto' })
  for (const [n, lines] of talks.entries()) {
    const contact = people[n]
    if (contact === undefined) continue
    const isLast = n === talks.length - 1
    if (isLast) await updatePersona(ctx, persona.id, { mode: 'approve' })
    await talk({ clock, ctx, contact, persona, waits: isLast }, lines)
  }
}

interface Talk extends Pick<Batch, 'clock'> {
  ctx: Ctx
  contact: Contact
  persona: Persona
  waits: boolean
}

async function talk({ clock, ctx, contact, persona, waits }: Talk, lines: readonly string[]): Promise<void> {
  const to = orNotFound(contact.phone)
  for (const [n, line] of lines.entries()) {
    clock.stand(later(clock.now(), 90_000))
    if (n % 2 === 0) await writeBack(ctx, to, line)
    else {
      const body = n === 1 ? `${persona.disclosure} ${line}` : line
      const draft = {
        channel: 'sms',
        to,
        contact_id: contact.id,
        body,
        purpose: 'reply',
        ai_generated: true,
      } as const
      const own = { source: 'ai', personaId: persona.id, awaitsApproval: waits } as const
      const message = await sendText(ctx, draft, own)
      if (message?.status === 'queued') await arrive(ctx, message.id, false)
    }
  }
  const [last] = await listMessagesOfContact(ctx.db, contact.id, 1)
  if (last?.direction === 'INBOUND' && last.conversation_id !== null)
    await leaveToPerson(ctx, last.conversation_id, 'asked')
  const [sentence] = await listMessagesOfContact(ctx.db, contact.id, 1)
  if (sentence?.status === 'queued') await arrive(ctx, sentence.id, false)
}

/**
 * Contacts with an open lead or deal and no messages yet. Their agents let the AI respond to them. Skips the newcomer, who
 * writes later.
 */
async function whoMayHearFromIt(ctx: Ctx, scene: Scene): Promise<Contact[]> {
  const people: Contact[] = []
  for (const { contactId, leadId, deal, agent } of scene.threads.toReversed()) {
    if (people.length === talks.length) break
    if (agent === undefined || (leadId === undefined && deal === undefined)) continue
    const contact = await findContact(ctx.db, contactId)
    if (contact === undefined || contact.phone === null || contact.phone === newcomer.text.from) continue
    if ((await listMessagesOfContact(ctx.db, contactId, 1)).length > 0) continue
    people.push(await updateContact(scene.as(agent.actor), contactId, { ai_auto_response: 'active' }))
  }
  return people
}
