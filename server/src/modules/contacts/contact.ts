import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import {
  type PatchOf,
  type RowOf,
  defaulted,
  freeText,
  optional,
  patchOnly,
  readOnly,
  reference,
  text,
  zoneName,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Email, Timestamp, nullable } from '#kernel/schemas.ts'
import { timezoneIssues } from '#kernel/timezones.ts'
import { AddressDraft, ShownAddress, toAddress } from './address.ts'
import { ExternalIdDraft, ShownExternalId, distinctIds, maxExternalIds } from './external-id.ts'

/** Stages of a contact. Every transition is allowed. */
export const stages = [
  'LEAD',
  'HOT_LEAD',
  'NURTURE',
  'ACTIVE_CLIENT',
  'PAST_CLIENT',
  'SPHERE',
  'TRASH',
] as const
export type Stage = (typeof stages)[number]
export const StageSchema = Type.Enum(stages, { title: 'ContactStage' })

/** Rejects masked numbers: a client that writes one back would overwrite the real number. */
const WrittenPhone = Type.String({
  maxLength: 32,
  // Matches only the asterisks of a mask: by contract, any other text is accepted as a phone number.
  pattern: '^(?![\\s\\S]*\\*{6})',
})

const Tags = Type.Array(text(40), {
  maxItems: 30,
  description: 'Gable removes duplicates. `buyer` and `Buyer` are one tag.',
})

/** What makes two tags one. */
export const tagKey = (tag: string): string => tag.trim().toLowerCase()

/** The tags without blank ones and those that differ from an earlier one only in case. */
export const distinctTags = (tags: readonly string[]): string[] =>
  tags.filter((tag, at) => tag !== '' && tags.findIndex((one) => tagKey(one) === tagKey(tag)) === at)

/** Why the AI was paused for a contact. */
const pauseReasons = [
  'note',
  'message',
  'opt_out',
  'wrong_number',
  'review',
  'handoff',
  'automation',
  'manual',
] as const
export type PauseReason = (typeof pauseReasons)[number]

const externalIdsAbout =
  'The IDs that other systems have for the contact. An ID of a system belongs to one contact. Several may be of the same system.'

export const fields = {
  first_name: optional(freeText(80)),
  last_name: optional(freeText(80)),
  email: optional(masked('email', Email)),
  phone: optional(masked('phone', WrittenPhone)),
  phone_e164: readOnly(
    masked(
      'phone',
      nullable(
        Type.String({
          description: 'The number in `phone`, in E.164 format. Null if no one can have that number.',
        }),
      ),
    ),
    null,
  ),
  phone_extension: readOnly(
    masked('phone', nullable(Type.String({ description: 'The extension in `phone`, in digits.' }))),
    null,
  ),
  address: optional(AddressDraft, { shown: ShownAddress, normalize: toAddress }),
  address_source: readOnly(
    Type.Union([Type.Enum(['contact', 'lead']), Type.Null()], {
      description:
        '`lead`: a lead provided the address, which may be the address of a property. The hours of the phone number then also apply.',
    }),
    null,
  ),
  timezone: optional(
    zoneName(
      'IANA name, such as `America/Chicago`. If `null`, Gable derives the time zone from the address and the phone number.',
    ),
  ),
  stage: defaulted(StageSchema, 'LEAD'),
  source: optional(freeText(80)),
  tags: defaulted(masked('text', Tags), [], { normalize: distinctTags }),
  notes: optional(freeText(20_000)),
  owner_id: optional(reference('member', 'The member who owns the contact.')),
  external_ids: defaulted(
    Type.Array(ExternalIdDraft, { maxItems: maxExternalIds, description: externalIdsAbout }),
    [],
    { shown: Type.Array(ShownExternalId, { description: externalIdsAbout }), normalize: distinctIds },
  ),
  ai_auto_response: patchOnly(
    Type.Enum(['active', 'paused'], {
      description:
        'Whether the AI responds to this contact automatically. A note, a message from a person, or a handoff pauses it. `POST /contacts/{id}/ai` resumes it for everyone with the same number.',
    }),
    'active',
  ),
  ai_paused_reason: readOnly(
    Type.Union([Type.Enum(pauseReasons, { title: 'AiPauseReason' }), Type.Null()], {
      description: 'Why the AI is paused. More values may be added.',
    }),
    null,
  ),
  erased_at: readOnly(nullable(Timestamp), null),
}

export const contacts = defineRecord('Contact', {
  fields,
  example: {
    first_name: 'Ada',
    last_name: 'Reyes',
    email: 'ada@reyes.example',
    phone: '+13125550123',
    address: {
      street: '48 Alder Court',
      city: 'Chicago',
      state: 'IL',
      postal_code: '60614',
      country: 'US',
    },
    tags: ['buyer'],
  },
  patchExample: { stage: 'ACTIVE_CLIENT', notes: null },
  shownExample: {
    phone_e164: '+1******0123',
    source: 'Open house',
    owner_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
  },
  check: ({ timezone, external_ids }) => [
    ...timezoneIssues(timezone, 'timezone'),
    // An upsert adds to those that the contact has.
    ...(external_ids.length > maxExternalIds
      ? [{ path: 'external_ids', message: `must have at most ${maxExternalIds} in all` }]
      : []),
  ],
})

export type Contact = RowOf<typeof fields>
export type ContactDraft = Static<typeof contacts.Draft>
export type ContactPatch = PatchOf<typeof fields>

/** The fields after an erasure. Stage and owner remain for statistics; nothing that identifies a person does. */
export const erasedFields = {
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  phone_e164: null,
  phone_extension: null,
  address: null,
  address_source: null,
  timezone: null,
  source: null,
  tags: [],
  notes: null,
  external_ids: [],
} satisfies Partial<Contact>
