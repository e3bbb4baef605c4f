import { later } from '#kernel/clock.ts'
import type { Runtime, Tx } from '#kernel/context.ts'
import { planByIndex } from '#kernel/db/plans.ts'
import { newId } from '#kernel/ids.ts'
import { type Allowed, type Blocked, type Cleared, type Send, judge } from '../../compliance/public.ts'
import { lockFreeContacts, lockFreePoints } from '../../contacts/public.ts'
import { sharedLink } from '../../files/public.ts'
import { findHold } from '../../installation/public.ts'
import {
  type SenderRow,
  listSendersById,
  listTemplatesNamed,
  sendChannels,
  senderState,
} from '../../senders/public.ts'
import { complianceOf } from '../compliance-of.ts'
import { findContent } from '../content-of.ts'
import { outgoingEmails } from '../email/outgoing-email.ts'
import { MessageBlocked, MessageUnknown } from '../events.ts'
import { findSendFacts } from '../facts.ts'
import { eventOf } from '../message-event.ts'
import { type Message, type TemplateUse, judgedActor, messageRecord, maxHoldMs, pointOf } from '../message.ts'
import { type Pace, lockPace, pacificDay } from '../pace/pace.ts'
import type { OutgoingEmail, OutgoingMessage } from '../ports.ts'
import { listMessagesById, saveMessage } from '../queries.ts'
import {
  type DueRow,
  beginAttempts,
  delay,
  listDue,
  lockDue,
  postpone,
  unqueueMessages,
} from '../queue/queries.ts'
import { maxTurns, unjudgedMs } from '../queue/schedule.ts'
import { systemContext } from '../system-context.ts'

/** An attempt that has begun. Its message may be sent now. */
export interface Begun {
  message: Message
  attemptId: string
  cleared: Cleared<OutgoingMessage>
  /** By the monotonic clock, in milliseconds. */
  begunAt: number
}

/**
 * Begins the due messages of one sender, as far as its pace allows, in one short transaction. Judges each message again
 * under the locks that everyone who writes an opt-out takes, and marks only messages that may go now as begun. Waits
 * for no lock: what is locked is left for the next poll.
 */
export async function beginSends(
  runtime: Runtime,
  { workspaceId, senderId }: { workspaceId: string; senderId: string },
  limit: number,
): Promise<Begun[]> {
  const ctx = systemContext(runtime, workspaceId)
  return ctx.transaction(async (tx) => {
    planByIndex(tx)
    const at = tx.clock.now()
    const [[sender], held] = await Promise.all([listSendersById(tx, [senderId]), findHold(tx)])
    // By the database itself: what runs may not have noticed yet.
    if (held !== undefined) return []
    const pace = sender && (await lockPace(tx, sender))
    if (sender === undefined || pace === undefined || pace.now < 1 || pace.today < 1) return []
    // Lists some more than may go now, because the recipients of the first ones may be locked.
    const due = await listDue(tx, senderId, at, Math.min(limit, Math.ceil(pace.now) + spare))
    if (due.length === 0) return []
    const messages = await lockRecipients(
      tx,
      await listMessagesById(
        tx,
        due.map(({ message_id }) => message_id),
      ),
    )
    // Before the locks were held, a message may have been cancelled, or another one to its recipient begun.
    const locked = new Set((await lockDue(tx, [...messages.keys()], at)).map(({ message_id }) => message_id))
    const rows = withinPace(
      due.filter(({ message_id }) => locked.has(message_id)),
      pace,
      sender.brand_daily_limit,
    )
    const begun = await judgeAll(tx, ctx.origin, sender, rows, messages, at)
    const spent = begun.reduce((sum, { row }) => sum + row.segments, 0)
    pace.spend(spent)
    beginAttempts(
      tx,
      begun.map(({ row, attemptId }) => ({ messageId: row.message_id, attemptId })),
      at,
    )
    const begunAt = tx.clock.elapsed()
    return begun.map(({ message, attemptId, verdict }) => ({
      message,
      attemptId,
      cleared: verdict.cleared,
      begunAt,
    }))
  })
}

const spare = 20

/** The first rows that the pace covers; see `Pace`. */
function withinPace(rows: readonly DueRow[], pace: Pace, dailyLimit: number | null): DueRow[] {
  let { now, today } = pace
  const taken: DueRow[] = []
  for (const row of rows) {
    if (now < 1 || (row.segments > today && today !== dailyLimit)) break
    now -= row.segments
    today -= row.segments
    taken.push(row)
  }
  return taken
}

/** The messages whose recipients and contacts could be locked, by id. */
async function lockRecipients(tx: Tx, found: readonly Message[]): Promise<Map<string, Message>> {
  const messages = found.filter(({ to }) => to !== null)
  const points = new Map(messages.map((message) => [message.id, pointOf(message)]))
  const locked = new Set<string>((await lockFreePoints(tx, [...points.values()])).map(({ value }) => value))
  const contactIds = [...new Set(messages.flatMap(({ contact_id }) => contact_id ?? []))]
  const contacts = new Set(await lockFreeContacts(tx, contactIds))
  return new Map(
    messages
      .filter(({ id }) => locked.has(points.get(id)?.value ?? ''))
      .filter(({ contact_id }) => contact_id === null || contacts.has(contact_id))
      .map((message) => [message.id, message]),
  )
}

async function judgeAll(
  tx: Tx,
  origin: () => string,
  sender: SenderRow,
  rows: readonly DueRow[],
  messages: ReadonlyMap<string, Message>,
  at: Date,
) {
  const known = rows.flatMap((row) => {
    const message = messages.get(row.message_id)
    return message === undefined ? [] : [{ row, message, attemptId: newId(at) }]
  })
  const templates = await templatesOf(
    tx,
    sender,
    known.flatMap(({ message }) => message.template ?? []),
  )
  const facts = await findSendFacts(
    { db: tx, keys: tx.keys },
    known.map(({ message }) => ({
      channel: sendOf(message).channel,
      to: pointOf(message),
      contactId: message.contact_id,
      personaId: message.persona_id,
    })),
    at,
  )
  const emailOf = await outgoingEmails(
    tx,
    origin,
    sender,
    known.map(({ message }) => message),
  )
  const begun: { row: DueRow; message: Message; attemptId: string; verdict: Allowed<OutgoingMessage> }[] = []
  for (const [index, { row, message, attemptId }] of known.entries()) {
    const fact = facts[index]?.facts
    if (fact === undefined) continue
    const template = message.template === null ? undefined : (templates(message.template) ?? unknownTemplate)
    const verdict = await tryJudge(tx, message, async () => {
      const email = emailOf(message, attemptId)
      const oneClickUnsubscribe = (email?.marketing?.unsubscribeUrl ?? null) !== null
      const send = sendOf(message)
      // The content scan does not stop what people write themselves.
      const content = send.actor === 'ai' ? await findContent(message) : []
      return judge(
        outgoing(message, sender, attemptId, email, linksTo(tx, message, origin, tx.clock.real.now())),
        { ...send, template, oneClickUnsubscribe },
        { ...fact, content, sender: senderState(sender) },
        at,
      )
    })
    if (verdict === undefined) continue
    const compliance = complianceOf(verdict, at)
    if (verdict.allowed) {
      const after = saved(tx, message, { status: 'sending', compliance }, at)
      begun.push({ row, message: after, attemptId, verdict })
    } else await hold(tx, sender, { row, message, verdict }, at)
  }
  return begun
}

/** A message that cannot be judged does not hold up the others of its sender. It is delayed, and then judged again. */
async function tryJudge<V>(tx: Tx, message: Message, ask: () => Promise<V>): Promise<V | undefined> {
  try {
    return await ask()
  } catch {
    delay(tx, message.id, later(tx.clock.now(), unjudgedMs))
    return undefined
  }
}

async function templatesOf(tx: Tx, { connection_id: connectionId }: SenderRow, used: readonly TemplateUse[]) {
  const known =
    used.length === 0
      ? []
      : await listTemplatesNamed(
          tx,
          used.map((one) => ({ ...one, connectionId })),
        )
  return (sought: TemplateUse) =>
    known.find(({ name, language }) => name === sought.name && language === sought.language)
}

/** Blocks a message. Postpones it instead if only the hours forbid it and it may wait for them. */
async function hold(
  tx: Tx,
  sender: SenderRow,
  { row, message, verdict }: { row: DueRow; message: Message; verdict: Blocked },
  at: Date,
): Promise<void> {
  const { retryAt, reason, reasons } = verdict
  const compliance = complianceOf(verdict, at)
  // A message that the brand's daily limit held until another day waits for the hours of that day.
  const created = new Date(message.created_at)
  const wasHeld = sender.brand_daily_limit !== null && pacificDay(created) !== pacificDay(at)
  const waits = message.waits_for_hours || wasHeld
  if (retryAt !== null && waits && row.turns < maxTurns && at.getTime() - created.getTime() < maxHoldMs) {
    const scheduled_at = new Date(retryAt).toISOString()
    postpone(tx, message.id, scheduled_at)
    saved(tx, message, { status: 'scheduled', scheduled_at, compliance }, at)
    return
  }
  await unqueueMessages(tx, [message.id])
  // The repeat of an unclear email, which the gates now forbid. The first attempt may have arrived.
  if (message.status === 'unknown') return void (await tx.emit(MessageUnknown, eventOf(message)))
  const after = saved(tx, message, { status: 'blocked', compliance }, at)
  await tx.emit(MessageBlocked, { ...eventOf(after), reason, reasons: [...reasons] })
}

function saved(tx: Tx, message: Message, changes: Partial<Message>, at: Date): Message {
  const patched = messageRecord.applyPatch(message, changes, at)
  if (patched === undefined) return message
  saveMessage(tx, message.id, patched.changed)
  return patched.after
}

const unknownTemplate = { status: 'UNKNOWN', category: 'MARKETING' }

const sendOf = ({ channel, purpose, message_class, kind, ...message }: Message): Send => ({
  channel: sendChannels[channel],
  purpose: purpose ?? 'outbound',
  messageClass: message_class,
  actor: judgedActor(message),
  kind: kind === 'opt_out_confirmation' ? kind : 'standard',
})

const outgoing = (
  message: Message,
  sender: SenderRow,
  attemptId: string,
  email: OutgoingEmail | null,
  media: NonNullable<OutgoingMessage['media']>,
): OutgoingMessage => ({
  attemptId,
  channel: sendChannels[message.channel],
  from: sender.address,
  to: message.to ?? '',
  subject: message.subject,
  body: message.body,
  bodyHtml: message.body_html,
  template: message.template,
  email,
  media,
})

/** For how long a provider may read the files of a message. */
const linkedMs = 24 * 3_600_000

const linksTo = ({ keys, workspaceId }: Tx, { media }: Message, origin: () => string, at: Date) =>
  media.map(({ id: fileId, content_type: contentType, name }) => ({
    url: sharedLink({ keys, origin }, { workspaceId, fileId, expiresAt: later(at, linkedMs) }),
    contentType,
    name: name ?? '',
  }))
