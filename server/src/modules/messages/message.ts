import { type Static, Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { masked } from '#kernel/masking/masked.ts'
import { reaches } from '#kernel/reach.ts'
import { type RowOf, internal, readOnly, reference } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { type Send, localText, zonesOf } from '../compliance/public.ts'
import type { Point } from '../contacts/public.ts'
import { ChannelSchema } from '../senders/public.ts'
import { StoredMedia } from './message-media.ts'

export const directions = ['INBOUND', 'OUTBOUND'] as const

/**
 * All statuses: those of an outbound message in their usual order, those that end it, and `received` for an inbound
 * message.
 */
export const messageStatuses = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'blocked',
  'cancelled',
  'failed',
  'undelivered',
  'unknown',
  'pending_approval',
  'received',
] as const
export type MessageStatus = (typeof messageStatuses)[number]

const sources = ['user', 'api', 'automation', 'campaign', 'ai', 'inbound', 'system'] as const

const text = nullable(Type.String())
const time = nullable(Timestamp)
const maskedText = (description?: string) =>
  masked('text', nullable(Type.String(description === undefined ? {} : { description })))

const Template = Type.Object({
  name: Type.String(),
  language: Type.String(),
  variables: Type.Array(Type.String()),
})
export type TemplateUse = Static<typeof Template>

export const Compliance = Type.Object(
  {
    decision: Type.Enum(['allowed', 'blocked']),
    reason: nullable(Type.String({ description: 'The first of the reasons. Codes are stable.' })),
    reasons: Type.Array(Type.String()),
    retry_at: nullable(
      Type.String({
        format: 'date-time',
        description: 'When the same message may be sent, if only the hours forbid it.',
      }),
    ),
    effective_purpose: Type.Enum(['outbound', 'reply'], {
      description: 'A reply is judged as outbound if the person has not written within 24 hours.',
    }),
    rule_set: Type.String({ description: 'The version of the rules.' }),
    judged_at: Timestamp,
    zones: Type.Array(Type.Object({ zone: Type.String(), local_time: Type.String() })),
  },
  { description: 'The latest decision of the compliance gates.' },
)
export type Compliance = Static<typeof Compliance>

const MessageError = Type.Object({
  code: Type.String(),
  carrier_code: text,
  message: masked('text', Type.String()),
  retryable: Type.Boolean({ description: 'Whether another message could be delivered.' }),
})
export type MessageError = Static<typeof MessageError>

export const messageFields = {
  conversation_id: readOnly(nullable(reference('conversation', 'The conversation with its address.')), null),
  contact_id: readOnly(
    nullable(
      reference(
        'contact',
        'The contact that the message belongs to, as far as you can see it: null if no contact has the number or address, or only a contact of someone else.',
      ),
    ),
    null,
  ),
  sender_id: readOnly(nullable(Type.String({ description: 'The sender of the workspace.' })), null),
  channel: readOnly(ChannelSchema, 'SMS'),
  direction: readOnly(Type.Enum(directions), 'OUTBOUND'),
  status: readOnly(
    Type.Enum(messageStatuses, {
      title: 'MessageStatus',
      description:
        '`scheduled` waits for the hours. `pending_approval` waits up to 24 hours for a person, who sends it (`POST /messages/{id}/approve`) or cancels it. Until the provider has the message, it can go back from `sending` to `queued` for another attempt, and from there to `scheduled` if the hours have ended. After that, it only moves forward. `unknown`: the provider may have accepted it. In that case, Gable does not resend a text, but resends an email once, with the same Message-ID; the email is `sending` during that attempt.',
    }),
    'queued',
  ),
  from: readOnly(maskedText('The number or address that sent the message.'), null),
  to: readOnly(maskedText('The number or address of the recipient.'), null),
  subject: readOnly(maskedText(), null),
  body: readOnly(maskedText(), null),
  body_html: readOnly(masked('hidden', nullable(Type.String())), null),
  media: internal(Type.Array(StoredMedia), []),
  template: readOnly(masked('text', Type.Union([Template, Type.Null()])), null),
  purpose: readOnly(Type.Union([Type.Enum(['outbound', 'reply']), Type.Null()]), null),
  source: readOnly(Type.Enum(sources, { title: 'MessageSource' }), 'api'),
  campaign_id: readOnly(nullable(Type.String({ description: 'The campaign of the message.' })), null),
  ai_generated: readOnly(
    Type.Boolean({
      description: 'Whether an AI wrote the message. A message that a person edited counts as theirs.',
    }),
    false,
  ),
  persona_id: readOnly(nullable(Type.String({ description: 'The persona that wrote the message.' })), null),
  approved_by: readOnly(
    Type.Union([Type.Object({ type: Type.String(), id: nullable(Type.String()) }), Type.Null()], {
      description: 'Who approved and sent the message, if the AI wrote it and a person had to approve it.',
    }),
    null,
  ),
  automatic: readOnly(
    Type.Boolean({
      description:
        'For a received email: whether a machine sent it, such as an out-of-office reply or a mailing list. Do not respond to it.',
    }),
    false,
  ),
  sender_verified: readOnly(
    Type.Union([Type.Boolean(), Type.Null()], {
      description:
        'For a received email: whether it is proven to come from the address in `from`: it passed DMARC, or it responds to an email that only its recipient had. If false, anyone may have written it, and Gable does not act on it, except that a request for no more email stops email to the address. Null for other messages.',
    }),
    null,
  ),
  reaction: readOnly(
    Type.Union(
      [
        Type.Object({
          emoji: Type.String(),
          removed: Type.Boolean({ description: 'Whether the person took the reaction back.' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'The reaction that a received text is, such as `Liked “…”`. Gable does not act on the words that it quotes, and the AI does not respond.',
      },
    ),
    null,
  ),
  segments: readOnly(nullable(Type.Integer({ description: 'For a text: the number of segments.' })), null),
  compliance: readOnly(Type.Union([Compliance, Type.Null()]), null),
  error: readOnly(Type.Union([MessageError, Type.Null()]), null),
  resend_of: readOnly(nullable(Type.String({ description: 'The message that this message repeats.' })), null),
  reply_to_message_id: readOnly(nullable(reference('message', 'The email that this email continues.')), null),
  provider_message_id: readOnly(text, null),
  scheduled_at: readOnly(time, null),
  sent_at: readOnly(time, null),
  delivered_at: readOnly(time, null),
  read_at: readOnly(time, null),
  erased_at: readOnly(time, null),
  connection_id: internal(text, null),
  /** The member in whose reach the message is: the owner of its contact, else its author. */
  owner_id: internal(text, null),
  /** The contact that the author named, if the message belongs to another. */
  addressed_contact_id: internal(text, null),
  /** The member who wrote to a number or address without naming the contact that it belongs to. */
  author_id: internal(text, null),
  /** The masked credential that did. */
  hidden_from: internal(text, null),
  /** The invitation in an email: an iCalendar object. */
  calendar: internal(text, null),
  /** When files that are not stored yet are fetched next. */
  media_due_at: internal(time, null),
  message_class: internal(Type.Enum(['marketing', 'transactional']), 'marketing'),
  kind: internal(Type.Enum(['standard', 'opt_out_confirmation', 'help']), 'standard'),
  waits_for_hours: internal(Type.Boolean(), false),
  actor: internal(Type.Unsafe<Actor | null>({}), null),
}

export const messageRecord = defineRecord('Message', {
  fields: messageFields,
  example: {},
  patchExample: {},
  shownExample: {
    conversation_id: 'cmi8h5a1c0001q7w3e5r8t2y6',
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    sender_id: 'cmi8h4z9x0000a1s5d8f2g6h3',
    from: '+13125550188',
    to: '+1******0123',
    body: 'The open house at Alder Court is at 2 pm on Saturday.',
    purpose: 'outbound',
    segments: 1,
    compliance: {
      decision: 'allowed',
      reason: null,
      reasons: [],
      retry_at: null,
      effective_purpose: 'outbound',
      rule_set: '2026-11-01',
      judged_at: '2026-11-20T20:11:04.817Z',
      zones: [{ zone: 'America/Chicago', local_time: '2026-11-20 14:11' }],
    },
  },
})
export type Message = RowOf<typeof messageFields>

const actors: Partial<Record<Message['source'], Send['actor']>> = {
  ai: 'ai',
  automation: 'automation',
  campaign: 'automation',
}

/** The actor that the gates judge the message by. */
export const judgedActor = ({
  ai_generated,
  source,
}: Pick<Message, 'ai_generated' | 'source'>): Send['actor'] =>
  ai_generated ? 'ai' : (actors[source] ?? 'human')

type Addressed = Pick<
  Message,
  'contact_id' | 'owner_id' | 'addressed_contact_id' | 'hidden_from' | 'compliance' | 'to'
>

/** Whether a message's or call's contact is withheld from a reader, who then sees it only as its author. */
export const isWithheld = (
  { contact_id, owner_id, hidden_from }: Addressed,
  { reach, masked: isMasked }: Pick<Ctx, 'reach' | 'masked'>,
): boolean => contact_id !== null && (!reaches(reach, owner_id) || (isMasked && hidden_from !== null))

/** Whether a caller may read messages. One that may only send sees nothing of what was written before. */
export const mayRead = ({ scopes }: Pick<Ctx, 'scopes'>): boolean => scopes.has('messages:read')

/** What an author sees in place of a contact that is withheld from them: what an unknown number would have. */
export const withheld = ({ addressed_contact_id, compliance, to }: Addressed) => ({
  contact_id: addressed_contact_id,
  compliance: compliance && { ...compliance, zones: zonesOfNumber(to, new Date(compliance.judged_at)) },
})

/** The time zones that follow from a number alone. Those of its contact would reveal where a person lives. */
export const zonesOfNumber = (to: string | null, at: Date): Compliance['zones'] =>
  to?.startsWith('+') === true
    ? zonesOf({ phone: to }).map((zone) => ({ zone, local_time: localText(zone, at.getTime()) }))
    : []

/** Whether a received message says nothing that needs a response: a reaction, or a file without words. */
export const isWithoutWords = ({ direction, reaction, body }: Message): boolean =>
  direction === 'INBOUND' && (reaction !== null || /^\[[a-z]+\]$/.test(body ?? ''))

/** The fields that an erasure clears. It keeps when and how the message was sent. */
export const erasedMessage = {
  from: null,
  to: null,
  subject: null,
  body: null,
  body_html: null,
  template: null,
  calendar: null,
  error: null,
  media_due_at: null,
} satisfies Partial<Message>

/** The number or address that a message goes to. */
export const pointOf = ({ channel, to }: Message): Point =>
  ({ type: channel === 'EMAIL' ? 'email' : 'phone', value: to ?? '' }) as Point

/** How old a message that waits for its hours may get before it is blocked for good. */
export const maxHoldMs = 72 * 60 * 60_000
