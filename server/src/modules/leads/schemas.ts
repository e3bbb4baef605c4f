import { type Static, type TObject, type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox'
import { idPattern } from '#kernel/ids.ts'
import { masked } from '#kernel/masking/masked.ts'
import { freeText, reference, text } from '#kernel/records/fields.ts'
import { Timestamp, Uri, nullable } from '#kernel/schemas.ts'
import { stages } from '../contacts/public.ts'
import { RoutingDecision } from '../routing/public.ts'
import { blockers } from './consent.ts'
import { freeMap, leadFields, leadRecord, statuses } from './lead.ts'

const consentExample = {
  captured_at: '2026-11-20T20:11:02Z',
  source_url: 'https://www.lanternandoak.example/listings/48-alder-court',
  ip: '203.0.113.7',
  form_snapshot: { consent_text: 'I agree to receive texts and calls.', checked: true },
}

const ConsentDraft = Type.Object(
  {
    captured_at: Type.Optional(
      masked(
        'time',
        Type.Unknown({
          description:
            'When the person agreed: an ISO 8601 time with its zone, such as `2026-11-20T14:11:02-06:00`. Anything else is stored as received, too, but proves no consent: `ai_outbound_blockers` then has `captured_at_invalid`.',
        }),
      ),
    ),
    source_url: Type.Optional(
      masked('text', Uri({ maxLength: 2048, description: 'The page on which the person agreed.' })),
    ),
    ip: Type.Optional(text(64)),
    form_snapshot: Type.Optional(freeMap('The text of the form and what the person entered.')),
  },
  {
    additionalProperties: false,
    description:
      'What the person agreed to. Gable stores it completely and never changes it. Without it, the AI does not contact the person on its own.',
  },
)

/** The object schema with additional members. */
const extended = <T>(schema: TSchema, members: TProperties, options: TObjectOptions) =>
  Type.Unsafe<T>(Type.Object({ ...(schema as unknown as TObject).properties, ...members }, options))

const exampleOf = (schema: TSchema) => (schema as { examples?: object[] }).examples?.[0]

export type LeadDraft = Omit<Static<typeof leadRecord.Draft>, 'phone'> & {
  phone: string
  consent?: Static<typeof ConsentDraft>
  skip_routing?: boolean
}

export const LeadDraft = extended<LeadDraft>(
  leadRecord.Draft,
  {
    consent: Type.Optional(ConsentDraft),
    skip_routing: Type.Optional(Type.Boolean({ description: 'Leaves the lead unassigned.' })),
  },
  {
    title: 'LeadDraft',
    additionalProperties: false,
    examples: [{ ...exampleOf(leadRecord.Draft), consent: consentExample }],
  },
)

const id = Type.String({ pattern: idPattern })

const ShownConsent = Type.Object({
  captured_at: masked('time', Type.Unknown({ description: 'The consent as received.' })),
  source_url: nullable(freeText(2048)),
  ip: masked('hidden', nullable(Type.String())),
  form_snapshot: nullable(freeMap()),
  // Hidden because a reader of the masked snapshot could try phone numbers until the hash matches.
  form_sha256: masked(
    'hidden',
    nullable(
      Type.String({
        description:
          'SHA-256 of the snapshot, in hexadecimal. The snapshot is compact JSON with its members in the order of the response.',
      }),
    ),
  ),
  received_at: Timestamp,
  revoked_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the person revoked their consent, on this lead or on another one.',
    }),
  ),
  sufficient: Type.Boolean({
    description: 'Whether the consent says when it was given, and where or on which form.',
  }),
})

const computed = {
  phone_e164: masked('phone', nullable(Type.String({ description: 'The same as `phone`, as in contacts.' }))),
  consent: Type.Union([ShownConsent, Type.Null()]),
  ai_outbound_allowed: Type.Boolean({
    description:
      'Whether consent, opt-outs, and suppressions let the AI contact the person on its own: the consent is sufficient, and nothing prohibits contacting the person. This includes every contact with the same phone number or email address, and the other numbers and addresses of that contact. Computed on each read. The gates check the rest when a message is sent: whether the AI is paused for the contact (`ai_auto_response`), whether the country is enabled, and the hours.',
  }),
  ai_outbound_blockers: Type.Array(Type.String({ title: 'AiOutboundBlocker', enum: blockers }), {
    description:
      'Why the AI may not contact the person. `captured_at_invalid`: `captured_at` is no ISO 8601 time with a zone; `opted_out`: the person opted out of texts or automated calls; `suppressed`: the person is on a list of people who may not be contacted; `suppressions_unreadable`: the lists cannot be read until an operator restores the application secret. More reasons may be added.',
  }),
}

export type Lead = Static<typeof leadRecord.Record> & Static<TObject<typeof computed>>

export const Lead = extended<Lead>(leadRecord.Record, computed, {
  title: 'Lead',
  examples: [
    {
      ...exampleOf(leadRecord.Record),
      consent: {
        ...consentExample,
        ip: null,
        form_sha256: '0b7c2c0d6f9d1e3a5b8c4f7e2a1d9c6b3e8f5a2c7d4b1e9f6a3c8d5b2e7f4a1c',
        received_at: '2026-11-20T20:11:04.817Z',
        revoked_at: null,
        sufficient: true,
      },
      phone_e164: '+1******0123',
      ai_outbound_allowed: true,
      ai_outbound_blockers: [],
    },
  ],
})

export const LeadPatch = Type.Object(
  {
    status: Type.Enum(['contacted', 'converted', 'disqualified'], {
      description: '`contacted` also reopens a closed lead.',
    }),
  },
  { title: 'LeadPatch', additionalProperties: false, examples: [{ status: 'contacted' }] },
)

export const Assignment = Type.Object(
  {
    assignee_id: Type.Optional(
      reference('member', 'An active member. If you omit it, the routing rules decide.'),
    ),
  },
  { title: 'LeadAssignment', additionalProperties: false, examples: [{}] },
)

export const AssignmentResult = Type.Object(
  {
    lead_id: id,
    changed: Type.Boolean({ description: 'Always true for a lead with withheld routing.' }),
    status: Type.Enum(statuses),
    assignee_id: nullable(Type.String()),
    waits_for: leadFields.waits_for.schema,
    offered_to: Type.Array(Type.String()),
    offered_until: nullable(Timestamp),
    reason: Type.String({ description: 'The reason, in one sentence.' }),
    decision: Type.Union([RoutingDecision, Type.Null()]),
  },
  { title: 'LeadAssignmentResult' },
)

export const Claim = Type.Object(
  { member_id: Type.String({ maxLength: 40, description: 'A member to whom the lead is offered.' }) },
  {
    title: 'LeadClaim',
    additionalProperties: false,
    examples: [{ member_id: 'cmi8h2k5p0000y7w2d5g8j1m4' }],
  },
)

export const PreviewDraft = Type.Object(
  {
    source: leadFields.source.schema as ReturnType<typeof text>,
    zip: Type.Optional(text(16)),
    city: Type.Optional(text(80)),
    price: Type.Optional(Type.Number({ minimum: 0 })),
    has_phone: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(text(40), { maxItems: 30 })),
    stage: Type.Optional(
      Type.String({
        maxLength: 32,
        description: `A contact's stage, such as ${stages.slice(0, 3).join(', ')}.`,
      }),
    ),
    office_id: Type.Optional(Type.String({ maxLength: 40 })),
    team_id: Type.Optional(Type.String({ maxLength: 40 })),
  },
  {
    title: 'RoutingPreviewDraft',
    additionalProperties: false,
    examples: [{ source: 'Website', zip: '60614', price: 450_000, has_phone: true, tags: ['buyer'] }],
  },
)
export type PreviewDraft = Static<typeof PreviewDraft>
