import { type Static, Type } from 'typebox'
import type { Issue } from '#kernel/errors.ts'
import { maskText } from '#kernel/masking/mask-text.ts'
import { Currency, Money, smallestAmount, toCents } from '#kernel/money.ts'
import {
  type RowOf,
  createdBy,
  defaulted,
  deletedAt,
  freeText,
  optional,
  readOnly,
  reference,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { LocalDate, Timestamp } from '#kernel/schemas.ts'
import {
  type ContactAddress,
  AddressDraft,
  ShownAddress,
  searchText,
  searchVersion,
  toAddress,
} from '../contacts/public.ts'
import { Commission } from './commission/commission.ts'
import { dealTypes } from './pipeline.ts'

export const dealStatuses = ['open', 'won', 'lost', 'cancelled'] as const
export type DealStatus = (typeof dealStatuses)[number]

const maxContacts = 20
const maxParticipants = 50

const Participant = Type.Object(
  {
    contact_id: Type.Optional(reference('contact', 'A contact. Use either this or `member_id`.')),
    member_id: Type.Optional(reference('member', 'A member. Use either this or `contact_id`.')),
    role: freeText(80, 'The role, such as `attorney` or `lender`.'),
  },
  { additionalProperties: false },
)
export type Participant = Static<typeof Participant>

const distinct = (ids: string[]) => [...new Set(ids)]
const amount = (description: string) => optional(Money(description))
const day = (description: string) => optional({ ...LocalDate, description } as typeof LocalDate)

const amounts = {
  list_price: amount('The asking price.'),
  offer_price: amount('The price offered.'),
  price: amount('The expected amount, or the agreed price.'),
  close_price: amount('The price at closing.'),
  earnest_money_amount: amount('The deposit.'),
}

const dates = {
  listed_date: day('When the property was listed.'),
  offer_date: day('When the offer was made.'),
  mutual_acceptance_date: day('When both sides had accepted.'),
  contract_date: day('When the contract was signed.'),
  earnest_money_due_date: day('When the deposit is due.'),
  inspection_date: day('The date or the deadline of the inspection.'),
  due_diligence_date: day('When due diligence ends.'),
  appraisal_date: day('The date or the deadline of the appraisal.'),
  financing_contingency_date: day('The deadline for financing approval.'),
  final_walkthrough_date: day('When the buyers see the property for the last time before closing.'),
  expected_close_date: day('When the deal is expected to close.'),
  close_date: day('When the deal closed. If you do not set it, Gable fills it in when the deal is won.'),
  possession_date: day('When possession changes.'),
  expiration_date: day('When the agreement with the client expires.'),
}

export const dealFields = {
  name: optional(freeText(200)),
  type: defaulted(
    Type.Enum(dealTypes, {
      title: 'DealType',
      description: 'The type of the pipeline by default, or else `other`.',
    }),
    'other',
  ),
  status: defaulted(
    Type.Enum(dealStatuses, {
      title: 'DealStatus',
      description:
        'Follows the outcome of the stage. `cancelled` keeps the stage until the deal moves. If you send a status without a stage, the deal moves to the first stage with that outcome.',
    }),
    'open',
  ),
  pipeline_id: defaulted(
    reference(
      'pipeline',
      'The default pipeline by default. Without a stage, the deal starts in its first open stage.',
    ),
    '',
  ),
  stage_id: defaulted(reference('stage', 'A stage of the pipeline. The first open stage by default.'), ''),
  // A placeholder, like the other empty defaults here: set when the deal is created.
  stage_changed_at: readOnly(Timestamp, '1970-01-01T00:00:00.000Z'),
  order_key: readOnly(
    Type.String({
      description:
        'The sort key of the deal in its stage, compared as bytes. Set by the server; see `place`.',
    }),
    '',
  ),
  contact_ids: defaulted(
    Type.Array(reference('contact', ''), {
      maxItems: maxContacts,
      description: 'The buyers, sellers, or tenants, with the main contact first. Gable removes duplicates.',
    }),
    [],
    { normalize: distinct },
  ),
  participants: defaulted(
    Type.Array(Participant, { maxItems: maxParticipants, description: 'Other people who take part.' }),
    [],
  ),
  owner_id: optional(reference('member', 'The member who owns the deal.')),
  lead_id: optional(reference('lead', 'The lead that became the deal.')),
  listing_id: optional(reference('listing', 'The listing of the property.')),
  address: optional(
    {
      ...AddressDraft,
      description:
        'The address of the property. Sending it replaces the whole address; parts that you omit become null.',
    } as typeof AddressDraft,
    {
      shown: { ...ShownAddress, description: 'The address of the property.' } as typeof ShownAddress,
      normalize: toAddress as (address: ContactAddress | null) => ContactAddress | null,
    },
  ),
  ...amounts,
  currency: defaulted(Currency, 'USD'),
  commission: optional(Commission),
  probability: optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'The probability, in percent, that the deal will be won. The probability of the stage by default; send null to go back to it.',
    }),
  ),
  lost_reason: optional(freeText(500)),
  description: optional(freeText(20_000)),
  ...dates,
  created_by: createdBy(),
  deleted_at: deletedAt(),
}

/** Amounts must be multiples of the currency's smallest unit: a currency without decimals takes whole amounts. */
function wholeIssues(deal: Record<keyof typeof amounts, number | null> & { currency: string }): Issue[] {
  const smallest = smallestAmount(deal.currency)
  return (Object.keys(amounts) as (keyof typeof amounts)[])
    .filter((name) => toCents(deal[name] ?? 0) % smallest !== 0n)
    .map((path) => ({ path, message: `must be a whole amount in ${deal.currency}` }))
}

const participantIssues = (participants: readonly Participant[]): Issue[] =>
  participants.flatMap(({ contact_id, member_id }, i) =>
    (contact_id === undefined) === (member_id === undefined)
      ? [{ path: `participants.${i}`, message: 'must have either a contact_id or a member_id' }]
      : [],
  )

export const dealRecord = defineRecord('Deal', {
  fields: dealFields,
  example: {
    name: 'Reyes, 12 Elm Street',
    type: 'buyer',
    price: 450_000,
    expected_close_date: '2026-12-18',
    address: { street: '12 Elm Street', city: 'Chicago', state: 'IL', postal_code: '60614', country: 'US' },
  },
  patchExample: { price: 455_000, description: 'Inspection passed.' },
  shownExample: {
    owner_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
    contact_ids: ['cmi8h2k5p0001zq8r4t6w9x3y'],
    pipeline_id: 'cmi8g0a1b0001c2d3e4f5g6h7',
    stage_id: 'cmi8g0a1b0002h8j9k1l2m3n4',
    stage_changed_at: '2026-11-20T20:11:04.817Z',
    order_key: 'a0',
  },
  check: (deal) => [...wholeIssues(deal), ...participantIssues(deal.participants)],
})

export type DealRow = RowOf<typeof dealFields>

/** All contacts of a deal: its parties and the contacts among its participants. */
export const contactsOf = ({ contact_ids, participants }: Pick<DealRow, 'contact_ids' | 'participants'>) =>
  distinct([...contact_ids, ...participants.flatMap(({ contact_id }) => contact_id ?? [])])

type DealDate = keyof typeof dates
export const dateFields = Object.keys(dates) as DealDate[]

/** The dates of a deal by field. Once the deal has a close date, the expected close date is left out. */
export const datesOf = (deal: Pick<DealRow, DealDate>): [field: DealDate, day: string][] =>
  dateFields.flatMap((field) => {
    const date = deal[field]
    const isPast = field === 'expected_close_date' && deal.close_date !== null
    return date === null || isPast ? [] : [[field, date]]
  })

/** What follows from the name: the text that `q` searches, masked, because every credential can search it. */
export const searchedOf = ({ name }: Pick<DealRow, 'name'>) => ({
  search_name: searchText([maskText(name ?? '')]),
  search_by: searchVersion,
})

/** A deal after one of its contacts is erased. Amounts, dates, stages, and IDs remain. */
export const erasedDeal = ({ address }: DealRow) =>
  ({
    name: null,
    description: null,
    lost_reason: null,
    address: toAddress({ ...address, street: null }),
  }) satisfies Partial<DealRow>
