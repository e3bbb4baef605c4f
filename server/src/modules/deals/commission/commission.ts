import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { Money } from '#kernel/money.ts'
import { reference, text } from '#kernel/records/fields.ts'
import { nullable } from '#kernel/schemas.ts'

const payeeTypes = ['agent', 'team', 'office', 'external'] as const
const phases = ['pre_split', 'split', 'post_split'] as const

/** A percentage with at most four decimals. Checked on its decimal text, like amounts. */
const Percent = (description: string) =>
  Type.Refine(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description: `${description} In percent, with at most four decimals.`,
    }),
    (percent: unknown) => typeof percent !== 'number' || /^\d+(\.\d{1,4})?$/.test(String(Math.abs(percent))),
    () => 'must have at most four decimals',
  )

const Label = masked('text', text(120, 'What the split is for, or the name of an external payee.'))

const SplitDraft = Type.Object(
  {
    phase: Type.Optional(
      Type.Enum(phases, {
        description:
          '`pre_split` is deducted first, `split` (default) divides the rest, and `post_split` moves money from one payee to another.',
      }),
    ),
    payee_type: Type.Optional(
      Type.Enum(payeeTypes, { title: 'PayeeType', description: '`agent` by default.' }),
    ),
    payee_id: Type.Optional(
      nullable(reference('payee', 'The member, team, or office to pay. Omit it for an external payee.')),
    ),
    from_payee: Type.Optional(
      nullable(
        masked(
          'text',
          text(
            120,
            'For a `post_split`: the payee who gives. The `payee_id` of an earlier split, or else its `label`, or else its `payee_type`.',
          ),
        ),
      ),
    ),
    percent: Type.Optional(
      nullable(
        Percent(
          "Percent of the gross commission (`pre_split`), of the rest (`split`, 100 in total), or of the giving payee's share (`post_split`).",
        ),
      ),
    ),
    amount: Type.Optional(nullable(Money('An amount instead of `percent`. Not allowed in a `split`.'))),
    label: Type.Optional(nullable(Label)),
  },
  { additionalProperties: false },
)
export type SplitDraft = Static<typeof SplitDraft>

export const CommissionDraft = Type.Object(
  {
    rate_percent: Type.Optional(
      nullable(Percent('Percent of `close_price`, or else of `price`. Use it instead of `gci`.')),
    ),
    gci: Type.Optional(nullable(Money('The gross commission income. Use it instead of `rate_percent`.'))),
    splits: Type.Optional(
      Type.Array(SplitDraft, {
        maxItems: 50,
        description: 'The splits. Together they pay out exactly the gross commission.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Gable recomputes the commission with each change of the deal until the deal is won. After that, it changes only when you send it again. Sending it replaces the whole commission.',
  },
)
export type CommissionDraft = Static<typeof CommissionDraft>

const Sum = (whose: string) =>
  nullable(Type.Number({ description: `What ${whose} get. Null while \`gci\` is.` }))

const Split = Type.Object({
  phase: Type.Enum(phases),
  payee_type: Type.Enum(payeeTypes),
  payee_id: nullable(Type.String()),
  from_payee: nullable(masked('text', Type.String())),
  percent: nullable(Type.Number()),
  amount: nullable(Type.Number()),
  label: nullable(Label),
  payout: nullable(
    Type.Number({
      description:
        'What the payee keeps of this split after each `post_split`. All payouts add up to `gci`. Null while `gci` is null.',
    }),
  ),
})
export type Split = Static<typeof Split>

/** A commission as it is stored and returned. */
export const Commission = Type.Object(
  {
    rate_percent: nullable(Type.Number()),
    gci: nullable(
      Type.Number({
        description:
          'The amount that you sent, or `rate_percent` of `close_price` or else of `price`, rounded half up. Null while there is neither.',
      }),
    ),
    agent_amount: Sum('agents'),
    team_amount: Sum('teams'),
    office_amount: Sum('offices'),
    splits: Type.Array(Split),
  },
  { description: 'The commission. Fixed once the deal is won, until you send it again.' },
)
export type Commission = Static<typeof Commission>
