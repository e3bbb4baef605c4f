import type { Tx } from '#kernel/context.ts'
import { type Classified, classifyInbound, suppressIn } from '../../compliance/public.ts'
import { type Point, changeContact, lockContact, pauseAiOf, toDialable } from '../../contacts/public.ts'
import { cancelWaiting } from '../../messages/public.ts'
import type { CallRow, TranscriptTurn } from '../call.ts'
import { changeCall } from '../change-call.ts'
import { lockWaitingCallsTo } from '../queries.ts'

type Meant = 'opt_out' | 'wrong_number' | 'review' | 'none'

/** What stops more comes first. */
const order: readonly Classified['action'][] = ['opt_out', 'wrong_number', 'review']

/** What a person asks for in a conversation, before anyone or anything else reads it. */
export function meantBy(transcript: readonly TranscriptTurn[]): Meant {
  const said = new Set(
    transcript
      .filter(({ speaker }) => speaker === 'contact')
      .map(({ text }) => classifyInbound(text, { optedOut: false }).action),
  )
  return (order.find((action) => said.has(action)) as Meant | undefined) ?? 'none'
}

interface Spoken {
  action: Exclude<Meant, 'none'>
  points: readonly Point[]
  contactIds: readonly string[]
  call: CallRow
  transcript: readonly TranscriptTurn[]
}

/**
 * Does what a person asked for. "Stop calling" puts the number on the internal do-not-call list; a wrong number leaves the contact.
 * Both cancel what waits to be sent and called, and pause the AI. Not being interested pauses the AI. The caller holds the
 * person's locks.
 */
export async function actOnSpeech(tx: Tx, { action, points, contactIds, call }: Spoken): Promise<void> {
  if (action !== 'review' && points.length > 0) {
    const kind = action === 'opt_out' ? 'internal_dnc' : 'reassigned_number'
    const since = new Date(call.ended_at ?? call.updated_at)
    await suppressIn(
      tx,
      points.map((subject) => ({ subject, kind, source: 'inbound', since })),
    )
    for (const { value: to } of points) {
      await cancelWaiting(
        tx,
        { to, channels: ['SMS', 'WHATSAPP'] },
        ({ kind: of }) => of !== 'opt_out_confirmation',
      )
      for (const waiting of await lockWaitingCallsTo(tx, to))
        await changeCall(tx, waiting, { status: 'cancelled' })
    }
  }
  await pauseAiOf(tx, { contactIds, points }, action)
  if (action === 'wrong_number') await removeNumber(tx, contactIds, points)
}

async function removeNumber(tx: Tx, contactIds: readonly string[], points: readonly Point[]): Promise<void> {
  for (const id of contactIds) {
    const contact = await lockContact(tx, id)
    const number = toDialable(contact?.phone ?? '')
    if (contact !== undefined && contact.erased_at === null && points.some(({ value }) => value === number))
      await changeContact(tx, contact, { phone: null })
  }
}
