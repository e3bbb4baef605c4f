import { type Static, Type } from 'typebox'
import { type Issue, ValidationFailed } from '#kernel/errors.ts'
import { masked } from '#kernel/masking/masked.ts'
import { reference } from '#kernel/records/fields.ts'
import { Email, Timestamp, nullable } from '#kernel/schemas.ts'
import type { SuppressionRow } from './suppression-queries.ts'
import {
  Phone,
  type Subject,
  optOutChannels,
  subjectOf,
  subjectTypes,
  suppressionKinds,
} from './suppression.ts'

const whoAndWhen = {
  id: 'cmi8h2k5p0000y7w2d5g8j1m4',
  type: 'member',
  name: 'Ada Reyes',
}

const Who = {
  type: Type.String(),
  id: nullable(Type.String()),
  name: Type.String(),
}

/** A suppression as responses show it, without the hash of the number or the address. */
export const Suppression = Type.Object(
  {
    id: Type.String(),
    subject_type: Type.Enum(subjectTypes, {
      description:
        'A number, an address, or a contact whatever its number. For a number or an address, Gable keeps only a hash.',
    }),
    contact_id: nullable(
      Type.String({ description: 'Null if the suppression is about a number or an address.' }),
    ),
    kind: Type.Enum(suppressionKinds, { title: 'SuppressionKind', description: 'Why.' }),
    channels: Type.Array(Type.Enum(optOutChannels, { title: 'SuppressionChannel' }), {
      description: 'What the suppression stops. `voice_auto`: calls by a machine or the AI.',
    }),
    source: masked(
      'hidden',
      nullable(
        Type.String({
          description:
            'How the suppression was recorded: `api`, `operator`, or `import`; `unverified_email`: by an email whose sender is not verified, which anyone may have written; `former`: carried over to a number or an address that its contact no longer has; `erasure`: carried over from an erased contact. More values may be added.',
        }),
      ),
    ),
    actor: Type.Object(Who, { description: 'Who recorded it.' }),
    created_at: Timestamp,
    lifted_at: nullable({ ...Timestamp, description: 'Null while the suppression is in effect.' }),
    lifted_by: Type.Union([Type.Object(Who), Type.Null()]),
  },
  {
    title: 'Suppression',
    examples: [
      {
        id: 'cmi8hb7w40008m2n6c8v0b3x5',
        subject_type: 'phone',
        contact_id: null,
        kind: 'opted_out',
        channels: ['sms', 'voice_auto', 'whatsapp'],
        source: 'api',
        actor: whoAndWhen,
        created_at: '2026-11-20T20:11:04.817Z',
        lifted_at: null,
        lifted_by: null,
      },
    ],
  },
)

export const presentSuppression = ({ subject, ...row }: SuppressionRow) =>
  ({ ...row, contact_id: row.subject_type === 'contact' ? subject : null }) as Static<typeof Suppression>

export const SuppressionBody = Type.Object(
  {
    phone: Type.Optional(masked('phone', Phone)),
    email: Type.Optional(masked('email', Email)),
    contact_id: Type.Optional(reference('contact', 'A contact, whatever its number.')),
    kind: Type.Enum(suppressionKinds, {
      description:
        '`opted_out` stops `channels`; `internal_dnc`: the person asked not to be contacted at all; `litigator`: known to sue over calls; `reassigned_number`: the number now belongs to another person; `hard_bounce`: the address does not exist; `complaint`: a message was reported as spam; `manual`: a person decided. `internal_dnc`, `litigator`, and `reassigned_number` stop texts and calls, `hard_bounce` and `complaint` stop email, and `manual` stops everything. A kind that would stop nothing for the number or the address is a 400.',
    }),
    channels: Type.Optional(
      Type.Array(Type.Enum(optOutChannels), {
        minItems: 1,
        maxItems: optOutChannels.length,
        description:
          'For an opt-out: the channels to stop. By default, all channels that the number, the address, or the contact has.',
      }),
    ),
  },
  {
    title: 'SuppressionDraft',
    additionalProperties: false,
    description: 'Requires exactly one of `phone`, `email`, and `contact_id`.',
    examples: [{ phone: '+13125550123', kind: 'opted_out' }],
  },
)

/** Returns the subject that a body names. Throws 400 unless it names exactly one. */
export function subjectIn({ phone, email, contact_id }: Static<typeof SuppressionBody>): Subject {
  const named = Object.entries({ phone, email, contact_id }).filter(([, value]) => value !== undefined)
  if (named.length !== 1) throw ValidationFailed(named.length === 0 ? [noSubject] : named.map(tooMany))
  if (phone !== undefined) return subjectOf('phone', phone)
  if (email !== undefined) return subjectOf('email', email)
  return { type: 'contact', value: contact_id ?? '' }
}

const noSubject: Issue = { path: 'phone', message: 'is required unless email or contact_id is set' }
const tooMany = ([path]: [string, unknown]): Issue => ({
  path,
  message: 'cannot be combined: send only one of phone, email, and contact_id',
})
