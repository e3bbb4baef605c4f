import { type Static, type TSchema, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import {
  type RowOf,
  createOnly,
  freeText,
  internal,
  optional,
  readOnly,
  reference,
  required,
  text,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Email, Timestamp, nullable } from '#kernel/schemas.ts'
import type { E164 } from '../contacts/public.ts'
import type { Resumed } from '../routing/public.ts'
import type { Consent } from './consent.ts'

/** A lead's status. `converted` and `disqualified` are final; the others are open. */
export const statuses = ['new', 'assigned', 'claimed', 'contacted', 'converted', 'disqualified'] as const
export type Status = (typeof statuses)[number]

export const isOpen = ({ status }: { status: Status }) => status !== 'converted' && status !== 'disqualified'

/** What an unassigned lead waits for: an eligible agent, a rule's hours, a claim before the offer ends, or a claim at any time. */
const waits = ['agent', 'hours', 'claim', 'pond'] as const

/** Summary of the decision in effect. */
const RoutingNote = Type.Object({
  decision_id: Type.String(),
  rule_id: nullable(Type.String({ description: 'Null if a person assigned or claimed the lead.' })),
  rule_version: Type.Union([Type.Integer(), Type.Null()]),
  method: nullable(Type.String()),
  reason: Type.String(),
})
export interface RoutingNote extends Static<typeof RoutingNote> {
  /** After an unclaimed offer: where retries resume, so that the offer is not repeated. */
  resumes?: Resumed
}

const withheld =
  'Withheld from a credential that captured the lead without `contacts:read:pii`, because it would reveal whether the person was known.'

/** Any JSON members; phone numbers and email addresses in them are masked. */
export const freeMap = (description?: string) =>
  masked('text', Type.Record(Type.String(), Type.Unknown(), description === undefined ? {} : { description }))

/** Required in every draft; null after an erasure. */
const erasable = <T>(schema: TSchema) => ({
  ...createOnly(required(Type.Unsafe<T | null>(schema))),
  nullable: true,
})

export const leadFields = {
  contact_id: readOnly(
    masked(
      'hidden',
      nullable(
        reference('contact', 'Null once the contact has been erased, and if you cannot see the contact.'),
      ),
    ),
    null,
  ),
  status: readOnly(
    Type.Enum(statuses, {
      title: 'LeadStatus',
      description: `Open leads appear as \`new\` if the status is withheld. ${withheld}`,
    }),
    'new',
  ),
  source: erasable<string>({
    ...freeText(80, 'Where the lead came from. Routing rules can match it. Cleared by an erasure.'),
    minLength: 1,
  }),
  source_ref: createOnly(
    optional(
      freeText(120, 'The ID of the lead at its source. With it, a lead that is sent twice is captured once.'),
    ),
  ),
  first_name: createOnly(optional(freeText(80))),
  last_name: createOnly(optional(freeText(80))),
  phone: erasable<E164>({
    ...masked(
      'phone',
      text(
        32,
        'A number without a country code is read as a US number. Stored in E.164 format. Cleared by an erasure.',
      ),
    ),
    minLength: 5,
  }),
  phone_extension: readOnly(
    masked(
      'phone',
      nullable(Type.String({ description: 'The extension that came with `phone`, in digits.' })),
    ),
    null,
  ),
  email: createOnly(optional(masked('email', Email))),
  context: createOnly(
    optional(
      freeMap(
        'Any other data about the lead. Rules can test all of it; in rules, `zip`, `city`, `state`, `price`, `tags`, `office_id`, and `team_id` are separate fields. A contact without an address gets the address from here.',
      ),
    ),
  ),
  assignee_id: readOnly(
    nullable(reference('member', `The member to whom the lead is assigned. ${withheld}`)),
    null,
  ),
  waits_for: readOnly(
    Type.Union([Type.Enum(waits, { title: 'LeadWait' }), Type.Null()], {
      description:
        'Why the lead is not assigned yet. `agent`: no agent is eligible now; `hours`: the rule waits for its hours; `claim`: the lead is offered for a limited time; `pond`: any member of the pond can claim it.',
    }),
    null,
  ),
  offered_to: readOnly(Type.Array(Type.String(), { description: 'Members who can claim the lead.' }), []),
  offered_until: readOnly(nullable(Timestamp), null),
  /** When routing is retried; null unless the lead waits for an agent or for hours. */
  try_at: internal(nullable(Timestamp), null),
  routing: readOnly(
    Type.Unsafe<RoutingNote | null>(
      Type.Union([RoutingNote, Type.Null()], { description: 'A summary of the current decision.' }),
    ),
    null,
  ),
  /** The key or app that captured the lead without contacts:read:pii. */
  captured_by: internal(nullable(Type.String()), null),
  /** The credential or member that captured the lead. */
  created_by: internal(nullable(Type.String()), null),
  erased_at: readOnly(nullable(Timestamp), null),
}

export const leadRecord = defineRecord('Lead', {
  fields: leadFields,
  example: {
    phone: '+13125550123' as E164,
    source: 'Website',
    first_name: 'Ada',
    last_name: 'Reyes',
    email: 'ada@reyes.example',
    context: { zip: '60614', price: 450_000, listing: '48 Alder Court' },
  },
  patchExample: {},
  shownExample: {
    source_ref: 'form-8841',
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    status: 'assigned',
    assignee_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
    routing: {
      decision_id: 'cmi8h3b8a0003u6c2m9p4v7e1',
      rule_id: 'cmi8h0x2d0001r3t7y5h8b6n2',
      rule_version: 3,
      method: 'round_robin',
      reason: '“North Shore” matched, and it is the turn of member cmi8h2k5p0000y7w2d5g8j1m4.',
    },
  },
})

export type LeadRecord = RowOf<typeof leadFields>

/** A lead with its sender's consent. */
export interface ConsentedLead extends LeadRecord {
  consent: Consent | null
}

/** The fields that an erasure clears. The lead keeps its assignee and, if it was closed, its status. */
export const erasedLead = {
  contact_id: null,
  source: null,
  source_ref: null,
  first_name: null,
  last_name: null,
  phone: null,
  phone_extension: null,
  email: null,
  context: null,
  waits_for: null,
  offered_to: [],
  offered_until: null,
  try_at: null,
} satisfies Partial<LeadRecord>
