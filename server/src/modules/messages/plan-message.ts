import type { Ctx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { ReferenceNotFound, ValidationFailed } from '#kernel/errors.ts'
import { reaches } from '#kernel/reach.ts'
import { type Allowed, type Blocked, type Send, judge } from '../compliance/public.ts'
import type { Contact, Point } from '../contacts/public.ts'
import type { ContentContext } from '../content/public.ts'
import { listPersonasOn } from '../personas/public.ts'
import {
  type Channel,
  type SenderRow,
  channels,
  findDefaultSender,
  findSender,
  findTemplate,
  recordChannels,
  senderState,
} from '../senders/public.ts'
import { findContent } from './content-of.ts'
import { findLastSender } from './conversations/conversation-queries.ts'
import type { MessageDraft, PreflightDraft } from './draft.ts'
import { canUnsubscribe } from './email/outgoing-email.ts'
import { findSendFacts } from './facts.ts'
import { findHolder } from './find-holder.ts'
import type { StoredMedia } from './message-media.ts'
import { type Message, type TemplateUse, judgedActor, mayRead } from './message.ts'
import { findMessage } from './queries.ts'
import { type MessageRecipient, findRecipient } from './recipient.ts'
import { segmentsOf } from './segments.ts'

/** What a request's body does not set on a message. */
export interface OwnPart {
  /** Whether the draft is the body of a request, and not from a stored message or a contact. */
  isFromCaller?: boolean
  /** Whether the text may be missing, because the message is only checked. */
  mayLackText?: boolean
  /** The recipient, if it is known already. */
  recipient?: MessageRecipient
  /** The id of the message, for callers that must know it in advance. */
  id?: string
  /** Marketing by default. API clients cannot state that a message is not marketing. */
  messageClass?: Send['messageClass']
  source?: Message['source']
  /** The campaign of the message. */
  campaignId?: string | null
  /** For a message of the AI: the persona that wrote it, and whether a person must approve it. */
  personaId?: string | null
  awaitsApproval?: boolean
  /** An invitation in an email: an iCalendar object with a METHOD. */
  calendar?: string | null
  /** In a dry run: how many marketing messages by phone are assumed to have reached the recipient within 24 hours. */
  assumedSends24h?: number
  /** The files of the message, which are stored and not claimed yet. */
  media?: readonly StoredMedia[]
  /** For a text that was generated here: what its model was given, and what its persona must not mention. */
  content?: ContentContext
}

/** To whom a message or call goes. What is stored does not depend on what the caller may see; what is shown does. */
export interface Addressee {
  to: Point
  /** The contact that it belongs to: its thread, timeline, evidence, and AI. */
  contact: Contact | undefined
  /** The contact that the caller named. */
  addressed: Contact | undefined
  /** Whether the caller must not learn from it whose number or address it is. */
  hidden: boolean
}

/** A planned message: to whom, through which sender, and whether it may go now. Planning writes nothing. */
export interface Plan extends Addressee {
  channel: Channel
  sender: SenderRow | undefined
  send: Send
  template: TemplateUse | null
  /** For a text; null for other channels. */
  segments: number | null
  verdict: Allowed<null> | Blocked
  /** Whether the AI pauses, because a person takes over the conversation. */
  pausesAi: boolean
  own: OwnPart
}

const people: ReadonlySet<Message['source']> = new Set(['user', 'api'])

/**
 * Throws unless the email that a message continues is one with the same contact or address. Otherwise, its thread would
 * show one person what another wrote.
 */
async function requireTheirs(
  ctx: Ctx,
  { contact, to }: MessageRecipient,
  id: string,
  isFromCaller: boolean,
): Promise<void> {
  const path = 'reply_to_message_id'
  if (isFromCaller && !mayRead(ctx)) throw ReferenceNotFound(path)
  const continued = await findMessage(ctx.db, id)
  if (continued === undefined) throw ReferenceNotFound(path)
  if (continued.channel !== 'EMAIL') throw ValidationFailed([{ path, message: 'is not an email' }])
  const address = continued.direction === 'INBOUND' ? continued.from : continued.to
  const isOfContact = contact !== undefined && continued.contact_id === contact.id
  // To a credential that sees only masks, a comparison would reveal whether it guessed the address.
  const mayGuess = isFromCaller && ctx.masked && contact === undefined
  if (!isOfContact && (mayGuess || address !== to.value))
    throw ValidationFailed([{ path, message: 'is an email with someone else' }])
}

/**
 * Plans a message, and judges it as of now. Throws 400 for a message that cannot be sent at all, and 404 if its sender,
 * its contact, or the email that it continues does not exist.
 */
export async function planMessage(
  ctx: Ctx,
  draft: MessageDraft | PreflightDraft,
  own: OwnPart = {},
): Promise<Plan> {
  if (own.mayLackText !== true) requireText(draft)
  requireFitting(draft)
  const recipient = own.recipient ?? (await findRecipient(ctx, draft, own.isFromCaller === true))
  if (draft.channel === 'email' && draft.reply_to_message_id !== undefined)
    await requireTheirs(ctx, recipient, draft.reply_to_message_id, own.isFromCaller === true)
  const channel = recordChannels[draft.channel]
  const template = draft.channel === 'whatsapp' && draft.template !== undefined ? draft.template : undefined
  const at = ctx.clock.now()
  const personaId = own.personaId ?? null
  const contactId = recipient.contact?.id ?? null
  const sought = { channel: draft.channel, to: recipient.to, contactId, personaId }
  // On one database connection, so that the queries share its batches.
  const db = ctx.lookups()
  const isOfPerson = draft.ai_generated !== true && people.has(own.source ?? 'user')
  const usualSender = senderOf(db, draft.from, channel, recipient.to.value)
  const [usual, addressee, [known], personas] = await Promise.all([
    usualSender,
    addresseeOf(ctx, recipient, async () => (await usualSender)?.id ?? null),
    findSendFacts({ db, keys: ctx.keys }, [sought], at),
    isOfPerson ? listPersonasOn(db, null) : [],
  ])
  if (known === undefined) throw new Error('A send of which nothing is known.')
  const { contact } = known.facts
  const marketingSends24h = contact.marketingSends24h + (own.assumedSends24h ?? 0)
  // The sender that a number last wrote to would reveal to the caller that the number is known.
  const isRevealing =
    own.isFromCaller === true && (addressee.hidden || !mayRead(ctx)) && draft.from === undefined
  const sender = isRevealing ? await findDefaultSender(db, channel) : usual
  const send = sendOfDraft(ctx, draft, own, template && (await templateState(ctx, sender, template)))
  const content = await contentOfDraft(draft, own)
  return {
    ...addressee,
    channel,
    sender,
    send,
    template: template === undefined ? null : { variables: [], ...template },
    segments: draft.channel === 'sms' && draft.body !== undefined ? segmentsOf(draft.body) : null,
    verdict: judge(
      null,
      send,
      {
        ...known.facts,
        contact: { ...contact, marketingSends24h },
        content,
        sender: sender === undefined ? null : senderState(sender),
      },
      at,
    ),
    pausesAi: personas.some((persona) => persona.stop_on_human_message),
    own,
  }
}

/** A message as the gates see it. */
export const sendOfDraft = (
  ctx: Ctx,
  draft: Pick<MessageDraft, 'channel' | 'purpose' | 'ai_generated'>,
  own: OwnPart,
  template: Send['template'],
): Send => ({
  channel: draft.channel,
  purpose: draft.purpose ?? 'outbound',
  messageClass: own.messageClass ?? 'marketing',
  actor: judgedActor({ ai_generated: draft.ai_generated ?? false, source: own.source ?? 'api' }),
  kind: 'standard',
  template,
  oneClickUnsubscribe: draft.channel === 'email' && canUnsubscribe(ctx),
})

/** What the content scan finds in a message. */
export const contentOfDraft = (draft: MessageDraft | PreflightDraft, own: OwnPart) =>
  findContent(
    {
      subject: (draft.channel === 'email' && draft.subject) || null,
      body: draft.body ?? null,
      body_html: (draft.channel === 'email' && draft.html) || null,
      template:
        draft.channel !== 'whatsapp' || draft.template === undefined
          ? null
          : { variables: [], ...draft.template },
    },
    own.content,
  )

/** Finds whom a message or call belongs to, whatever the caller may see of them. */
export async function addresseeOf(
  ctx: Ctx,
  { to, contact: named }: MessageRecipient,
  senderId: () => Promise<string | null>,
): Promise<Addressee> {
  const contact = await findHolder(ctx.lookups(), { points: [to], senderOf: senderId, named })
  const isNamed = contact === undefined || contact.id === named?.id
  return { to, contact, addressed: named, hidden: !isNamed && !mayKnow(ctx, contact) }
}

const mayKnow = ({ guarded, reach }: Ctx, { owner_id }: Contact): boolean =>
  !guarded && reaches(reach, owner_id)

/**
 * What a row keeps of who wrote to whom, if the author did not name the contact that it belongs to. What a masked
 * credential writes to a bare number is hidden from it even if the number is no one's, or what it sees would reveal which numbers are known.
 * So is all that a key writes that sees only what it created.
 */
export const authorshipOf = (
  { contact, addressed, hidden }: Addressee,
  { memberId, guarded, creator, actor }: Pick<Ctx, 'memberId' | 'guarded' | 'creator' | 'actor'>,
) => {
  const author = memberId ?? addressed?.owner_id ?? null
  const hidden_from = guarded && addressed === undefined ? actor.id : (creator ?? null)
  if (contact === undefined) return { owner_id: memberId ?? null, hidden_from }
  if (contact.id === addressed?.id)
    return {
      owner_id: contact.owner_id,
      ...(hidden_from !== null && { hidden_from, addressed_contact_id: addressed.id }),
    }
  return {
    owner_id: contact.owner_id,
    author_id: author,
    addressed_contact_id: addressed?.id ?? null,
    hidden_from: hidden && guarded ? actor.id : (creator ?? null),
  }
}

/** Whether the draft has anything that a person will read. */
export const hasText = (draft: MessageDraft | PreflightDraft): boolean =>
  draft.body !== undefined ||
  (draft.channel === 'whatsapp' && draft.template !== undefined) ||
  (draft.channel === 'email' && (draft.subject !== undefined || draft.html !== undefined))

/** Throws 400 unless a WhatsApp message has either a text or a template, and an email has a text, HTML, or both. */
function requireText(draft: MessageDraft | PreflightDraft): void {
  if (draft.channel === 'email' ? draft.body !== undefined || draft.html !== undefined : hasText(draft))
    return
  const other = draft.channel === 'email' ? 'html' : 'template'
  throw ValidationFailed([{ path: 'body', message: `is required unless ${other} is set` }])
}

/** Throws 400 for parts that cannot be sent together. */
function requireFitting(draft: MessageDraft | PreflightDraft): void {
  const hasTemplate = draft.channel === 'whatsapp' && draft.template !== undefined
  if (hasTemplate && draft.body !== undefined)
    throw ValidationFailed([{ path: 'body', message: 'must be absent if template is set' }])
  if (draft.channel !== 'email' && (draft.media_urls ?? []).length > 0) {
    const path = 'media_urls'
    if (hasTemplate) throw ValidationFailed([{ path, message: 'cannot be sent with a template' }])
    // Meta's limit of captions.
    if (draft.channel === 'whatsapp' && (draft.body ?? '').length > 1024)
      throw ValidationFailed([
        { path: 'body', message: 'must be at most 1024 characters long beside media_urls' },
      ])
    // The content gate reads words.
    if (draft.ai_generated === true)
      throw ValidationFailed([{ path, message: 'cannot be sent with a text that an AI wrote' }])
  }
}

/**
 * The sender of a message: the named one, else the one that the person last wrote to or heard from, else the channel's
 * default. Throws 404 if the named one does not exist, and 400 if it is for another channel.
 */
async function senderOf(db: Db, from: string | undefined, channel: Channel, address: string) {
  if (from !== undefined) {
    const known = await Promise.all(channels.map((one) => findSender(db, from, one)))
    const named = known.find((one) => one?.channel === channel)
    if (named !== undefined) return named
    if (known.every((one) => one === undefined)) throw ReferenceNotFound('from')
    throw ValidationFailed([{ path: 'from', message: 'is a sender for another channel' }])
  }
  const [last, standard] = await Promise.all([
    findLastSender(db, channel, address),
    findDefaultSender(db, channel),
  ])
  if (last === undefined || last === standard?.id) return standard
  return (await findSender(db, last, channel)) ?? standard
}

/** The state of a template. One that the sender's account does not have is `UNKNOWN`, so it is not approved. */
export async function templateState(
  ctx: Ctx,
  sender: SenderRow | undefined,
  { name, language }: { name: string; language: string },
) {
  const known = sender && (await findTemplate(ctx.db, { connectionId: sender.connection_id, name, language }))
  return { status: known?.status ?? 'UNKNOWN', category: known?.category ?? 'MARKETING' }
}
