import { type Static, type TUnsafe, Type } from 'typebox'
import { extendBody, extendRecord } from '#kernel/records/extend.ts'
import { reference } from '#kernel/records/fields.ts'
import { nullable } from '#kernel/schemas.ts'
import { CommissionDraft } from './commission/commission.ts'
import { type DealRow, dealRecord } from './deal.ts'

const contact_id = reference(
  'contact',
  'Short for `contact_ids` with one contact. If you send both, it must be the first one.',
)

const Place = Type.Object(
  {
    after: nullable(
      reference('deal', 'The deal of the stage that comes directly before. Null for the top of the stage.'),
    ),
  },
  {
    additionalProperties: false,
    description: 'The position among the deals of its stage. By default, a deal that moves goes to the top.',
  },
)

type Given<T> = Omit<T, 'commission'>

export type DealDraft = Given<Static<typeof dealRecord.Draft>> & {
  contact_id?: string
  commission?: CommissionDraft
}
export const DealDraft = extendBody(dealRecord.Draft, {
  contact_id,
  commission: CommissionDraft,
}) as unknown as TUnsafe<DealDraft>

export type DealPatch = Given<Static<typeof dealRecord.Patch>> & {
  contact_id?: string | null
  commission?: CommissionDraft | null
  place?: Static<typeof Place>
}
export const DealPatch = extendBody(dealRecord.Patch, {
  contact_id: nullable(contact_id),
  commission: nullable(CommissionDraft),
  place: Place,
}) as unknown as TUnsafe<DealPatch>

export const Deal = extendRecord(
  'Deal',
  dealRecord,
  {
    contact_id: nullable(reference('contact', 'The first of `contact_ids`.')),
    probability: Type.Integer({
      description:
        'The probability, in percent, that the deal will be won: as set on the deal, or else as set on the stage.',
    }),
  },
  { contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y', probability: 60 },
) as unknown as TUnsafe<ShownDeal>

/** A deal with the probability of its stage. */
export type StagedDeal = DealRow & { stage_probability: number }

export type ShownDeal = Omit<DealRow, 'deleted_at' | 'probability'> & {
  contact_id: string | null
  probability: number
}

export const presentDeal = ({ deleted_at: _, stage_probability, ...deal }: StagedDeal): ShownDeal => ({
  ...deal,
  contact_id: deal.contact_ids[0] ?? null,
  probability: deal.probability ?? stage_probability,
})
