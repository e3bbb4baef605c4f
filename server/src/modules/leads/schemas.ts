import { type Static, Type } from 'typebox'
import { idPattern } from '#kernel/ids.ts'
import { Email, Timestamp, Uri, nullable } from '#kernel/schemas.ts'
import { stages } from '../contacts/public.ts'
import { RoutingDecision } from '../routing/public.ts'
import { blockers } from './consent.ts'
import { statuses, waits } from './lead.ts'

const text = (maxLength: number, minLength = 0) =>
  Type.String({ maxLength, ...(minLength === 0 ? {} : { minLength }) })
const Source = Type.String({
  minLength: 1,
  maxLength: 80,
  description: 'Where it came from; rules can ask for it.',
})
const Tags = Type.Array(text(40), { maxItems: 30 })
const Map = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

const consentExample = {
  captured_at: '2026-11-20T20:11:02Z',
  source_url: 'https://www.lanternandoak.example/listings/48-alder-court',
  ip: '203.0.113.7',
  form_snapshot: { consent_text: 'I agree to receive texts and calls.', checked: true },
}

const ConsentDraft = Type.Object(
  {
    captured_at: Type.Optional(
      Type.Unknown({
        description:
          'When the person agreed: ISO 8601, or epoch seconds or milliseconds. Kept as it is sent.',
      }),
    ),
    source_url: Type.Optional(Uri({ maxLength: 2048, description: 'The page on which they did.' })),
    ip: Type.Optional(text(64)),
    form_snapshot: Type.Optional(Map('What the form said and what was entered.')),
  },
  {
    additionalProperties: false,
    description:
      'What the person agreed to. Kept whole and never changed. Without it the AI contacts nobody by itself.',
  },
)

export const LeadDraft = Type.Object(
  {
    phone: Type.String({
      minLength: 5,
      maxLength: 32,
      description: 'Taken for a number of the United States where no country code is given; kept in E.164.',
    }),
    source: Source,
    first_name: Type.Optional(text(80)),
    last_name: Type.Optional(text(80)),
    email: Type.Optional(Email),
    source_ref: Type.Optional(
      Type.String({ maxLength: 120, description: 'How the source itself calls the lead.' }),
    ),
    context: Type.Optional(
      Map(
        'Whatever else is known. Rules can ask for any of it; `zip`, `city`, `state`, `price`, `tags`, `office_id` and `team_id` are fields of their own there.',
      ),
    ),
    consent: Type.Optional(ConsentDraft),
    skip_routing: Type.Optional(
      Type.Boolean({ description: 'Leaves the lead to nobody until it is assigned.' }),
    ),
  },
  {
    title: 'LeadDraft',
    additionalProperties: false,
    examples: [
      {
        phone: '+13125550123',
        source: 'Website',
        first_name: 'Ada',
        last_name: 'Reyes',
        email: 'ada@reyes.example',
        source_ref: 'form-8841',
        context: { zip: '60614', price: 450_000, listing: '48 Alder Court' },
        consent: consentExample,
      },
    ],
  },
)
export type LeadDraft = Static<typeof LeadDraft>

const personal = 'Null after an erasure.'
const id = Type.String({ pattern: idPattern })

const ConsentAnswer = Type.Object({
  captured_at: Type.Unknown({ description: 'As it was sent.' }),
  source_url: nullable(text(2048)),
  ip: nullable(Type.String({ description: 'Hidden unless the credential has contacts:read:pii.' })),
  form_snapshot: Type.Union([
    Map('Numbers and addresses in it are masked unless the credential has contacts:read:pii.'),
    Type.Null(),
  ]),
  form_sha256: nullable(
    Type.String({
      description:
        'SHA-256 of the snapshot as compact JSON, its members in the order of the answer, in hexadecimal. Hidden unless the credential has contacts:read:pii.',
    }),
  ),
  received_at: Timestamp,
  revoked_at: nullable(Timestamp),
  sufficient: Type.Boolean({ description: 'Whether it says when it was given, and where or on which form.' }),
})

const RoutingAnswer = Type.Object({
  decision_id: id,
  rule_id: nullable(Type.String({ description: 'Null where somebody decided by name or by claiming.' })),
  rule_version: Type.Union([Type.Integer(), Type.Null()]),
  method: nullable(Type.String()),
  reason: Type.String(),
})

export const Lead = Type.Object(
  {
    id,
    contact_id: nullable(
      Type.String({
        description: 'Null once the contact has been erased.',
      }),
    ),
    status: Type.Enum(statuses),
    source: nullable(Type.String({ description: personal })),
    source_ref: nullable(text(120)),
    first_name: nullable(text(80)),
    last_name: nullable(text(80)),
    phone: nullable(
      Type.String({ description: 'E.164; masked unless the credential has contacts:read:pii.' }),
    ),
    email: nullable(Type.String({ description: 'Masked unless the credential has contacts:read:pii.' })),
    context: Type.Union([
      Map('Numbers and addresses in it are masked unless the credential has contacts:read:pii.'),
      Type.Null(),
    ]),
    consent: Type.Union([ConsentAnswer, Type.Null()]),
    ai_outbound_allowed: Type.Boolean({
      description:
        'Whether the AI may contact the person by itself, whatever the hour: the consent is sufficient, and neither the phone number nor the contact is opted out or suppressed. Computed on reading.',
    }),
    ai_outbound_blockers: Type.Array(Type.String({ enum: blockers }), {
      description:
        'Why it may not. `opted_out`: from texts or automated calls; `suppressed`: on a list of those who are not to be contacted; `suppressions_unreadable`: nobody can say whether either is so until an operator has put the application secret right. Further reasons may be added.',
    }),
    assignee_id: nullable(Type.String({ description: 'The member whose lead it is.' })),
    waits_for: Type.Union([Type.Enum(waits), Type.Null()], {
      description:
        'Why nobody has it yet: `agent` nobody is eligible now, `hours` the rule waits for its hours, `claim` it is offered for a time, `pond` until somebody claims it.',
    }),
    offered_to: Type.Array(Type.String(), { description: 'Members who may claim it.' }),
    offered_until: nullable(Timestamp),
    routing: Type.Union([RoutingAnswer, Type.Null()], {
      description: 'The decision that holds, in short.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
    erased_at: nullable(Timestamp),
  },
  {
    title: 'Lead',
    examples: [
      {
        id: 'cmi8h3b7q0002x5n9d1f6k8s4',
        contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
        status: 'assigned',
        source: 'Website',
        source_ref: 'form-8841',
        first_name: 'Ada',
        last_name: 'Reyes',
        phone: '+1******0123',
        email: 'a***@reyes.example',
        context: { zip: '60614', price: 450_000, listing: '48 Alder Court' },
        consent: {
          ...consentExample,
          ip: null,
          form_sha256: '0b7c2c0d6f9d1e3a5b8c4f7e2a1d9c6b3e8f5a2c7d4b1e9f6a3c8d5b2e7f4a1c',
          received_at: '2026-11-20T20:11:04.817Z',
          revoked_at: null,
          sufficient: true,
        },
        ai_outbound_allowed: true,
        ai_outbound_blockers: [],
        assignee_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
        waits_for: null,
        offered_to: [],
        offered_until: null,
        routing: {
          decision_id: 'cmi8h3b8a0003u6c2m9p4v7e1',
          rule_id: 'cmi8h0x2d0001r3t7y5h8b6n2',
          rule_version: 3,
          method: 'round_robin',
          reason: '“North Shore” matched, and it is the turn of member cmi8h2k5p0000y7w2d5g8j1m4.',
        },
        created_at: '2026-11-20T20:11:04.817Z',
        updated_at: '2026-11-20T20:11:04.817Z',
        erased_at: null,
      },
    ],
  },
)

export const LeadFilters = Type.Object({
  contact_id: Type.Optional(Type.String({ maxLength: 40, description: 'Leads of this contact.' })),
  unlinked_only: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Only leads without a contact.' }),
  ),
})

export const LeadPatch = Type.Object(
  {
    status: Type.Enum(['contacted', 'converted', 'disqualified'], {
      description: '`contacted` also opens a closed lead again.',
    }),
  },
  { title: 'LeadPatch', additionalProperties: false, examples: [{ status: 'contacted' }] },
)

export const Assignment = Type.Object(
  {
    assignee_id: Type.Optional(
      Type.String({ maxLength: 40, description: 'An active member; without one the rules decide.' }),
    ),
  },
  { title: 'LeadAssignment', additionalProperties: false, examples: [{}] },
)

export const AssignmentResult = Type.Object(
  {
    lead_id: id,
    changed: Type.Boolean(),
    status: Type.Enum(statuses),
    assignee_id: nullable(Type.String()),
    waits_for: Type.Union([Type.Enum(waits), Type.Null()]),
    offered_to: Type.Array(Type.String()),
    offered_until: nullable(Timestamp),
    reason: Type.String({ description: 'In a sentence, why it is so.' }),
    decision: Type.Union([RoutingDecision, Type.Null()]),
  },
  { title: 'LeadAssignmentResult' },
)

export const Claim = Type.Object(
  { member_id: Type.String({ maxLength: 40, description: 'One of those to whom the lead is offered.' }) },
  {
    title: 'LeadClaim',
    additionalProperties: false,
    examples: [{ member_id: 'cmi8h2k5p0000y7w2d5g8j1m4' }],
  },
)

export const PreviewDraft = Type.Object(
  {
    source: Source,
    zip: Type.Optional(text(16)),
    city: Type.Optional(text(80)),
    price: Type.Optional(Type.Number({ minimum: 0 })),
    has_phone: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Tags),
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
