import { createHash } from 'node:crypto'
import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { AppError, orNotFound } from '#kernel/errors.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { findContact } from '../modules/contacts/public.ts'
import {
  lockMessage,
  planMessage,
  receiveMessage,
  reportStatus,
  sendMessage,
  unqueueMessages,
} from '../modules/messages/public.ts'
import { findDefaultSender, openAccount, recordChannels } from '../modules/senders/public.ts'
import { dayMs } from './diary.ts'
import type { Random } from './random.ts'
import type { Scene, Thread } from './scene.ts'

/** For how many days agents have texted through Gable. Before that, they used their own phones. */
const days = 12
const perDay = 2
const hourMs = 3_600_000

const phrases = [
  'Hi {name}, this is {agent}. Is Saturday at 2 pm good for a showing?',
  'Hi {name}, the seller has accepted other terms. Shall we look at two more places this week?',
  'Good news, {name}: the inspection went well. I have sent you the report by email.',
  '{name}, a place like the one you liked has just come on the market. Would you like to see it?',
  'Thanks for coming to the open house, {name}. What did you think of the kitchen?',
  'Hi {name}, {agent} here. The appraisal is set for Thursday morning.',
]

type Message = Awaited<ReturnType<typeof sendMessage>>

const replies = [
  'Yes, that works for us. See you then!',
  'Could we do Sunday instead?',
  'Thank you! We liked it a lot, but the street is busy.',
  'What would the monthly costs be?',
  'Let me ask my partner, I will get back to you tonight.',
]

/**
 * Schedules text messages of the last days: agents write to recent contacts, mostly within the allowed hours. The
 * compliance gates check each message; the allowed ones have been delivered or have failed.
 */
export function playTexts(scene: Scene, random: Random, end: Date): void {
  for (let day = days; day > 0; day--) {
    for (let n = 0; n < perDay; n++) {
      // From 8:30 am in Chicago; some after 9 pm.
      const ms = random.chance(0.9)
        ? random.integer(14.5 * hourMs, 23.9 * hourMs)
        : random.integer(3.2 * hourMs, 4 * hourMs)
      scene.agenda.add(new Date(end.getTime() - day * dayMs + ms), () => write(scene, random))
    }
  }
}

async function write(scene: Scene, random: Random): Promise<void> {
  // Mostly to contacts with an open lead, because they have consented or asked.
  const isOpen = random.chance(0.75)
  const known = scene.threads
    .slice(-250)
    .filter(({ agent, leadId }) => agent !== undefined && (!isOpen || leadId !== undefined))
  const thread: Thread | undefined = known[random.integer(0, Math.max(known.length - 1, 0))]
  const [phrase, reply, luck] = [random.pick(phrases), random.pick(replies), random.next()]
  if (thread?.agent === undefined) return
  const ctx = scene.as(thread.agent.actor)
  const { phone = null, first_name = null } = (await findContact(ctx.db, thread.contactId)) ?? {}
  if (phone === null) return
  const body = phrase.replace('{name}', first_name ?? 'there').replace('{agent}', thread.agent.actor.name)
  const message = await sendText(ctx, { channel: 'sms', to: phone, contact_id: thread.contactId, body })
  if (message === undefined) return
  await arrive(ctx, message.id, luck > 0.9)
  if (luck < 0.5)
    scene.agenda.add(later(scene.now(), (1 + luck * 50) * 60_000), () => respond(scene, message, reply))
}

/** The contact replies. */
const respond = (scene: Scene, { id, from, to, connection_id }: Message, body: string): Promise<void> =>
  receive(scene.as(intake), { id, from: to, to: from, connectionId: connection_id }, body)

/** Someone writes to the main line or address unprompted. */
export async function writeBack(
  ctx: Ctx,
  from: string,
  body: string,
  channel: InboundChannel = 'sms',
): Promise<void> {
  const sender = await findDefaultSender(ctx.db, recordChannels[channel])
  const connectionId = sender?.connection_id ?? null
  await receive(
    ctx,
    { id: `${from} ${body}`, from, to: sender?.address ?? null, connectionId },
    body,
    channel,
  )
}

type InboundChannel = keyof typeof recordChannels

async function receive(
  ctx: Ctx,
  { id, from, to, connectionId }: Record<'from' | 'to' | 'connectionId', string | null> & { id: string },
  body: string,
  channel: InboundChannel = 'sms',
): Promise<void> {
  const account = connectionId === null ? undefined : await openAccount(ctx, connectionId)
  if (account === undefined || to === null) return
  await receiveMessage(ctx, account, {
    providerMessageId: carrierIdOf(`reply${id}`),
    channel,
    from,
    to,
    subject: channel === 'email' ? 'A question' : null,
    body,
    bodyHtml: null,
    name: null,
    receivedAt: ctx.clock.now(),
    providerResponds: false,
  })
}

const intake: Actor = { type: 'system', id: null, name: 'messages' }

const carrierIdOf = (key: string) => `SM${createHash('sha256').update(key).digest('hex').slice(0, 32)}`

const unreachable = {
  code: 'recipient_unreachable',
  carrierCode: '30003',
  message: 'Unreachable destination handset',
} as const

/**
 * Records that the carrier accepted the message and delivered it or not, as it would have reported. Nothing is actually
 * sent.
 */
export const arrive = (ctx: Ctx, id: string, isLost: boolean) =>
  ctx.transaction(async (tx) => {
    await unqueueMessages(tx, [id])
    const at = tx.clock.now()
    const providerMessageId = carrierIdOf(id)
    const sent = { status: 'sent', providerMessageId, failure: null, at: later(at, 1_000) } as const
    await reportStatus(tx, orNotFound(await lockMessage(tx, id)), sent)
    // Email delivery is never reported.
    const message = orNotFound(await lockMessage(tx, id))
    if (message.channel === 'EMAIL') return
    const failure = isLost ? unreachable : null
    const status = isLost ? 'undelivered' : 'delivered'
    const last = { status, providerMessageId, failure, at: later(at, 4_000) } as const
    await reportStatus(tx, message, last)
  })

/** Sends a message and returns it; undefined if the gates blocked it. The blocked message is recorded, too. */
export async function sendText(
  ctx: Ctx,
  draft: Parameters<typeof sendMessage>[1],
  own: Parameters<typeof planMessage>[2] = {},
): Promise<Message | undefined> {
  try {
    return await sendMessage(ctx, draft, await planMessage(ctx, draft, own))
  } catch (error) {
    if (error instanceof AppError && error.code === 'compliance_blocked') return undefined
    throw error
  }
}
