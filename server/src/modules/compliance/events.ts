import { type Static, Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { nullable } from '#kernel/schemas.ts'
import type { SuppressionRow } from './suppression-queries.ts'
import { optOutChannels, suppressionKinds } from './suppression.ts'

const Data = Type.Object({
  id: Type.String(),
  contact_id: nullable(
    Type.String({ description: 'Null if the suppression is about a number or an address.' }),
  ),
  subject_type: Type.Enum(['phone', 'email', 'contact']),
  kind: Type.Enum([...suppressionKinds, 'consent_revoked']),
  channels: Type.Array(Type.Enum(optOutChannels), {
    description: 'Everything that the suppression stops now.',
  }),
  source: Type.String({ description: 'How the suppression was recorded.' }),
  sender_verified: Type.Optional(
    Type.Boolean({ description: 'False if an email asked for it whose sender is not verified.' }),
  ),
})

const Suppressed = Type.Object({
  ...Data.properties,
  contact_ids: Type.Array(Type.String(), {
    description: 'The contacts who have the number or the address now, or the contact itself.',
  }),
})

const example = {
  id: 'cmi8hb7w40008m2n6c8v0b3x5',
  contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
  subject_type: 'contact' as const,
  kind: 'opted_out' as const,
  channels: ['sms' as const, 'whatsapp' as const],
  source: 'operator',
}

const inWords = {
  opted_out: 'opt-out',
  internal_dnc: 'do not contact',
  litigator: 'litigator',
  reassigned_number: 'reassigned number',
  hard_bounce: 'hard bounce',
  complaint: 'complaint',
  manual: 'manual',
  consent_revoked: 'consent revoked',
}

export const RecipientSuppressed = event('recipient.suppressed', {
  scope: null,
  summary: 'A recipient was suppressed',
  subject: 'suppression',
  data: Suppressed,
  example: { ...example, contact_ids: [example.contact_id] },
  audit: true,
  timelineOf: (data) => data.contact_id,
  entry: ({ kind, channels }) => ({
    type: 'consent',
    title: kind === 'opted_out' ? `Opted out of ${channels.join(', ')}` : `Suppressed: ${inWords[kind]}`,
  }),
})

export const RecipientUnsuppressed = event('recipient.unsuppressed', {
  scope: null,
  summary: 'A suppression was lifted',
  subject: 'suppression',
  data: Data,
  example,
  audit: true,
  timelineOf: (data) => data.contact_id,
  entry: ({ kind }) => ({ type: 'consent', title: `No longer suppressed: ${inWords[kind]}` }),
})

/** The event payload of a suppression: nothing that reveals a number or an address. */
export const announced = (
  { id, subject_type, subject, kind, channels }: SuppressionRow,
  source: string,
): Static<typeof Data> => ({
  id,
  contact_id: subject_type === 'contact' ? subject : null,
  subject_type,
  kind,
  channels,
  source,
  ...(source === 'unverified_email' && { sender_verified: false }),
})
