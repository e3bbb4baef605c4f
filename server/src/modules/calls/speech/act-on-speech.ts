import type { Tx } from '#kernel/context.ts'
import { type Classified, classifyInbound, suppressIn } from '../../compliance/public.ts'
import { type Point, changeContact, lockContact, pauseAiOf, toDialable } from '../../contacts/public.ts'
import { type Message, cancelWaiting } from '../../messages/public.ts'
import type { CallRow, Disposition, TranscriptTurn } from '../call.ts'
import { cancelWaitingCall } from '../cancel-call.ts'
import { changeCall } from '../change-call.ts'
import { CallClassified } from '../events.ts'
import { notifyOwner } from '../notify-owner.ts'
import { lockWaitingCallsTo } from '../queries.ts'

export type Meant = 'opt_out' | 'wrong_number' | 'review' | 'none'

/** Strongest first. */
const order = ['opt_out', 'wrong_number', 'review', 'none'] as const satisfies readonly Meant[]

/** Characters to classify at a time. Longer texts are split into overlapping parts, so that no sentence is cut. */
const [partLength, overlap] = [2000, 200]

/** The key that opts a person out of calls. The AI names it in its opening. */
export const stopKey = '9'

/** Whether the person pressed only the stop key, once or more, ignoring `*` and `#`. */
const isStop = (pressed: string) =>
  pressed.replaceAll(/[*#]/g, '').replaceAll(stopKey, '') === '' && pressed.includes(stopKey)

/**
 * What a person asks for in a call, classified before any person or model reads it. `keys` has one string per entry.
 * The stop key among other keys, as in a ZIP code, means nothing.
 */
export function meantBy(
  transcript: readonly Pick<TranscriptTurn, 'speaker' | 'text'>[],
  keys: readonly string[] = [],
): Meant {
  const said = new Set<Classified['action']>()
  if (keys.some((pressed) => isStop(pressed))) said.add('opt_out')
  for (const { speaker, text } of transcript)
    if (speaker === 'contact')
      for (let from = 0; from === 0 || from + overlap < text.length; from += partLength - overlap)
        said.add(classifyInbound(text.slice(from, from + partLength), { optedOut: false }).action)
  return order.find((action) => said.has(action)) ?? 'none'
}

const dispositions: Partial<Record<Meant, Disposition>> = {
  opt_out: 'do_not_call',
  wrong_number: 'wrong_number',
}

const meanings: Partial<Record<Disposition, Meant>> = {
  do_not_call: 'opt_out',
  wrong_number: 'wrong_number',
  not_interested: 'review',
}

const meaningOf = ({ disposition }: Pick<CallRow, 'disposition'>): Meant =>
  (disposition === null ? undefined : meanings[disposition as Disposition]) ?? 'none'

const isStronger = (one: Meant, other: Meant) => order.indexOf(one) < order.indexOf(other)

/** The disposition implied by what was said, if it is stronger than the current one. */
export function resultOf(
  call: Pick<CallRow, 'disposition'>,
  patch: Partial<Pick<CallRow, 'disposition'>>,
  spoken: Meant,
): Partial<Pick<CallRow, 'disposition'>> {
  const disposition = dispositions[spoken]
  const present = meaningOf({ disposition: patch.disposition ?? call.disposition })
  return disposition !== undefined && isStronger(spoken, present) ? { disposition } : {}
}

interface Result {
  before: CallRow
  after: CallRow
  spoken: Meant
  points: readonly Point[]
  contactIds: readonly string[]
}

/**
 * Carries out a person's request in a call once, whether they said it or a provider, a model, or a member set the
 * disposition. A disposition can strengthen what was said, never weaken it. The caller holds the person's locks.
 */
export async function actOnResult(
  tx: Tx,
  { before, after, spoken, points, contactIds }: Result,
): Promise<void> {
  const said = meaningOf(after)
  const action = isStronger(spoken, said) ? spoken : said
  if (action === 'none' || after.acted_on === action) return
  if (after.acted_on !== null && !isStronger(action, after.acted_on)) return
  await changeCall(tx, after, { acted_on: action })
  await actOnSpeech(tx, { action, points, contactIds, call: before })
}

interface Spoken {
  action: Exclude<Meant, 'none'>
  points: readonly Point[]
  contactIds: readonly string[]
  call: CallRow
}

/**
 * An opt-out puts the number on the internal do-not-call list. A wrong number is suppressed as reassigned and removed
 * from its contacts. Both cancel waiting calls, SMS, and WhatsApp messages, except opt-out confirmations. Lack of
 * interest cancels only waiting AI calls and marketing messages from automations, campaigns, and the AI. Each pauses
 * the AI and anything that follows the event, such as automations. If the contact has been erased since, the action
 * still applies to the number, but no event or email mentions it.
 */
async function actOnSpeech(tx: Tx, { action, points, contactIds, call }: Spoken): Promise<void> {
  const stops = action !== 'review'
  if (stops && points.length > 0) {
    const kind = action === 'opt_out' ? 'internal_dnc' : 'reassigned_number'
    const since = new Date(call.ended_at ?? call.updated_at)
    await suppressIn(
      tx,
      points.map((subject) => ({ subject, kind, source: 'inbound', since })),
    )
  }
  for (const { value: to } of points) {
    await cancelWaiting(tx, { to, channels: ['SMS', 'WHATSAPP'] }, (message) =>
      stops ? message.kind !== 'opt_out_confirmation' : isByMachine(message),
    )
    for (const waiting of await lockWaitingCallsTo(tx, to))
      if (stops || waiting.handled_by === 'ai') await cancelWaitingCall(tx, waiting)
  }
  await pauseAiOf(tx, { contactIds, points }, action)
  if (action === 'wrong_number') await removeNumber(tx, contactIds, points)
  if (call.erased_at !== null) return
  await tx.emit(CallClassified, {
    id: call.id,
    contact_id: call.contact_id,
    contact_ids: [...contactIds],
    action,
  })
  if (action === 'review')
    await notifyOwner(tx, call, (who) => ({
      subject: 'Not interested',
      text: `In a call (${call.id}), ${who} was not interested. The AI and automations are paused for them until you resume them.`,
    }))
}

const isByMachine = ({ source, message_class }: Pick<Message, 'source' | 'message_class'>) =>
  message_class === 'marketing' && ['automation', 'campaign', 'ai'].includes(source)

async function removeNumber(tx: Tx, contactIds: readonly string[], points: readonly Point[]): Promise<void> {
  for (const id of contactIds) {
    const contact = await lockContact(tx, id)
    const number = toDialable(contact?.phone ?? '')
    if (contact !== undefined && contact.erased_at === null && points.some(({ value }) => value === number))
      await changeContact(tx, contact, { phone: null })
  }
}
