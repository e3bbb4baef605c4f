import { type Static, Type } from 'typebox'
import { idPattern } from '#kernel/ids.ts'
import { Email, Timestamp, nullable } from '#kernel/schemas.ts'
import { type ContactFields, type Contact as ContactRecord, stages } from './contact.ts'
import { maskEmail, maskPhone, maskText } from './masking.ts'

const text = (maxLength: number) => Type.String({ maxLength })
const phone = Type.String({
  maxLength: 32,
  description: 'Masked in answers unless the credential has contacts:read:pii.',
})
/** A masked number that is sent back would overwrite the real one. */
const writtenPhone = Type.String({
  maxLength: 32,
  // The stars of a mask, and nothing less: any other text is a phone number as far as the contract goes.
  pattern: '^(?![\\s\\S]*\\*{6})',
  description: 'A masked number is refused; leave it out to keep the present one.',
})
const Stage = Type.Enum(stages)
const Tags = Type.Array(text(40), { maxItems: 30, description: 'Each once; a repetition is dropped.' })
const AiAutoResponse = Type.Enum(['active', 'paused'], {
  description: 'Whether the AI answers this contact by itself. A note pauses it.',
})

export const ContactDraft = Type.Object(
  {
    first_name: Type.Optional(text(80)),
    last_name: Type.Optional(text(80)),
    email: Type.Optional(Email),
    phone: Type.Optional(writtenPhone),
    stage: Type.Optional(Stage),
    source: Type.Optional(text(80)),
    tags: Type.Optional(Tags),
    notes: Type.Optional(text(20_000)),
    owner_id: Type.Optional(Type.String({ maxLength: 40, description: 'A member of the workspace.' })),
  },
  {
    title: 'ContactDraft',
    additionalProperties: false,
    examples: [
      {
        first_name: 'Ada',
        last_name: 'Reyes',
        email: 'ada@reyes.example',
        phone: '+13125550123',
        tags: ['buyer'],
      },
    ],
  },
)
export type ContactDraft = Static<typeof ContactDraft>

export const ContactPatch = Type.Object(
  {
    first_name: Type.Optional(nullable(text(80))),
    last_name: Type.Optional(nullable(text(80))),
    email: Type.Optional(nullable(Email)),
    phone: Type.Optional(nullable(writtenPhone)),
    stage: Type.Optional(Stage),
    source: Type.Optional(nullable(text(80))),
    tags: Type.Optional(Tags),
    notes: Type.Optional(nullable(text(20_000))),
    owner_id: Type.Optional(nullable(text(40))),
    ai_auto_response: Type.Optional(AiAutoResponse),
  },
  {
    title: 'ContactPatch',
    additionalProperties: false,
    description: 'Members that are absent stay as they are; null empties.',
    examples: [{ stage: 'ACTIVE_CLIENT', notes: null }],
  },
)
export type ContactPatch = Static<typeof ContactPatch>

export const Contact = Type.Object(
  {
    id: Type.String({ pattern: idPattern }),
    first_name: nullable(text(80)),
    last_name: nullable(text(80)),
    email: nullable(Type.String({ description: 'Masked unless the credential has contacts:read:pii.' })),
    phone: nullable(phone),
    stage: Stage,
    source: nullable(text(80)),
    tags: Tags,
    notes: nullable(text(20_000)),
    owner_id: nullable(text(40)),
    ai_auto_response: AiAutoResponse,
    created_at: Timestamp,
    updated_at: Timestamp,
    erased_at: nullable(Timestamp),
  },
  {
    title: 'Contact',
    examples: [
      {
        id: 'cmi8h2k5p0001zq8r4t6w9x3y',
        first_name: 'Ada',
        last_name: 'Reyes',
        email: 'a***@reyes.example',
        phone: '+1******0123',
        stage: 'LEAD',
        source: 'Open house',
        tags: ['buyer'],
        notes: null,
        owner_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
        ai_auto_response: 'active',
        created_at: '2026-11-20T20:11:04.817Z',
        updated_at: '2026-11-20T20:11:04.817Z',
        erased_at: null,
      },
    ],
  },
)

export const ContactFilters = Type.Object({
  stage: Type.Optional(Stage),
  source: Type.Optional(Type.String({ maxLength: 80, description: 'Exactly this source.' })),
  tag: Type.Optional(Type.String({ maxLength: 40, description: 'Contacts with this tag.' })),
  q: Type.Optional(
    Type.String({
      maxLength: 120,
      description:
        'Words that all occur in the name; with contacts:read:pii also in e-mail and phone. One or two letters are looked for at the beginning of a word, more anywhere. Case and accents do not matter.',
    }),
  ),
  owner_id: Type.Optional(Type.String({ maxLength: 40, description: 'Contacts of this member.' })),
})
export type ContactFilters = Static<typeof ContactFilters>

export const Erasure = Type.Object(
  { id: Type.String(), erased: Type.Literal(true), erased_at: Timestamp },
  {
    title: 'Erasure',
    examples: [{ id: 'cmi8h2k5p0001zq8r4t6w9x3y', erased: true, erased_at: '2026-11-20T20:14:31.002Z' }],
  },
)

/** The record for the wire. Phone and e-mail are masked unless the scopes include contacts:read:pii. */
export function presentContact(
  contact: ContactRecord,
  { scopes }: { scopes: ReadonlySet<string> },
): ContactRecord {
  return scopes.has('contacts:read:pii') ? contact : maskContact(contact)
}

/** The record as webhooks and strangers see it. */
const maskContact = <C extends Pick<ContactRecord, 'email' | 'phone'>>(contact: C): C => ({
  ...contact,
  email: contact.email === null ? null : maskEmail(contact.email),
  phone: contact.phone === null ? null : maskPhone(contact.phone),
})

const maskedText = (value: string | null) => (value === null ? null : maskText(value))

/** As events tell of it: phone and e-mail masked, in free text as well, since events go to the outside. */
export const maskForEvents = <C extends ContactFields>(contact: C): C => ({
  ...maskContact(contact),
  first_name: maskedText(contact.first_name),
  last_name: maskedText(contact.last_name),
  source: maskedText(contact.source),
  notes: maskedText(contact.notes),
  tags: contact.tags.map(maskText),
})
