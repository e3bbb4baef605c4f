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

/** What stops more comes first. */
const order = ['opt_out', 'wrong_number', 'review', 'none'] as const satisfies readonly Meant[]

/** Letters that are read at once. What is longer is read in parts that overlap, so that no sentence is cut. */
const [partLength, overlap] = [2000, 200]

/** The key with which a person ends such calls; what the AI says first names it. */
export const stopKey = '9'

/** Once or several times, and nothing else. */
const isStop = (pressed: string) =>
  pressed.replaceAll(/[*#]/g, '').replaceAll(stopKey, '') === '' && pressed.includes(stopKey)

/**
 * What a person asks for in a conversation, before anyone or anything else reads it. `keys`: what they pressed, each time together; the
 * key among others, as in a ZIP code, asks for nothing.
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

/** The disposition that follows from what was said: it is never weaker than the one that there is. */
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
 * Does what a person asked for in a call, once: as they said it, or as the provider, a model or a person has the result. What was
 * said is raised by a disposition, and never lowered. The caller holds the person's locks.
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
 * "Stop calling" puts the number on the internal do-not-call list; a wrong number leaves the contact. Both cancel what waits to be
 * sent and called. Not being interested cancels what waits to be sent by automations, campaigns and the AI. Each pauses the AI, and
 * what follows the event, such as automations. What a contact asked for who was erased meanwhile holds for the number, and is not said
 * of them.
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
