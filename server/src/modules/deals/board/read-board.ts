import { type Static, Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { orNotFound } from '#kernel/errors.ts'
import { isId } from '#kernel/ids.ts'
import { fromCents, smallestAmount } from '#kernel/money.ts'
import { reference } from '#kernel/records/fields.ts'
import { nullable } from '#kernel/schemas.ts'
import { dealRecord } from '../deal.ts'
import { findPipeline } from '../pipeline-queries.ts'
import { PipelineStage } from '../stage.ts'
import type { BoardQuery } from './filter-queries.ts'
import { type Position, type TotalsRow, cardNames, listCards, listTotals } from './queries.ts'

/** The maximum number of deals that the board returns per stage. */
const pageSize = 100

const { data: card, example } = dealRecord.part(cardNames)

const Totals = Type.Object({
  currency: Type.String(),
  amount: Type.Number({ description: 'The sum of `close_price`, or else of `price`.' }),
  weighted: Type.Number({
    description: 'The sum of the same amounts, each multiplied by its probability and rounded half up.',
  }),
})

export const Board = Type.Object(
  {
    pipeline_id: Type.String(),
    stages: Type.Array(
      Type.Object({
        ...PipelineStage.properties,
        count: Type.Integer({
          description:
            'All deals of the stage that you can access and that match the filters, except cancelled deals.',
        }),
        totals: Type.Array(Totals, { description: 'Totals of the same deals, by currency.' }),
        deals: Type.Array(
          Type.Object({
            ...card.properties,
            contact_id: nullable(reference('contact', 'The first of `contact_ids`.')),
            probability: Type.Integer({
              description: 'The probability set on the deal, or else the probability of the stage.',
            }),
          }),
          { description: `The deals in order, at most ${pageSize}.` },
        ),
        after: nullable(
          Type.String({
            description: 'Pass it as `after` to get the next deals of the stage. Null after the last.',
          }),
        ),
      }),
      { description: 'The stages in order. With `after`, only the stage that continues.' },
    ),
  },
  {
    title: 'Board',
    examples: [
      {
        pipeline_id: 'cmi8g0a1b0001c2d3e4f5g6h7',
        stages: [
          {
            id: 'cmi8g0a1b0002h8j9k1l2m3n4',
            name: 'Offer',
            color: null,
            probability: 60,
            outcome: 'open',
            count: 1,
            totals: [{ currency: 'USD', amount: 450_000, weighted: 270_000 }],
            deals: [{ ...example, contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y', probability: 60 }],
            after: null,
          },
        ],
      },
    ],
  },
)

/** The board of a pipeline, or the next page of one of its stages. An invalid `after` starts from the beginning. */
export async function readBoard(
  db: Db,
  id: string,
  { after, ...query }: BoardQuery & { after?: string | undefined },
): Promise<Static<typeof Board>> {
  const pipeline = orNotFound(await findPipeline(db, id))
  const position = positionIn(pipeline.stages, after)
  const stages = pipeline.stages.filter((stage) => position === undefined || stage.id === position.stage_id)
  const stageIds = stages.map((stage) => stage.id)
  const [cards, totals] = await Promise.all([
    listCards(db, stageIds, { query, limit: pageSize + 1, after: position }),
    listTotals(db, stageIds, query),
  ])
  const cardsOf = Map.groupBy(cards, ({ stage_id }) => stage_id)
  const totalsOf = Map.groupBy(totals, ({ stage_id }) => stage_id)
  return {
    pipeline_id: pipeline.id,
    stages: stages.map((stage) => {
      const rows = cardsOf.get(stage.id) ?? []
      const sums = totalsOf.get(stage.id) ?? []
      const shown = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? shown.at(-1) : undefined
      return {
        ...stage,
        count: sums.reduce((all, { count }) => all + count, 0),
        totals: sums.map((sum) => presentTotals(sum, stage)),
        deals: shown.map((deal) => ({
          ...deal,
          contact_id: deal.contact_ids[0] ?? null,
          probability: deal.probability ?? stage.probability,
        })),
        after: last === undefined ? null : write(last),
      }
    }),
  }
}

/**
 * Rounds to the currency's smallest unit. `weight` is the sum of cents times probability over the deals that have one.
 */
function presentTotals({ currency, cents, weight, unweighted }: TotalsRow, stage: PipelineStage) {
  const percents = BigInt(weight) + BigInt(unweighted) * BigInt(stage.probability)
  const unit = smallestAmount(currency)
  const weighted = ((percents + 50n * unit) / (100n * unit)) * unit
  return { currency, amount: fromCents(BigInt(cents)), weighted: fromCents(weighted) }
}

const idLength = 25

const write = ({ stage_id, id, order_key }: Position) =>
  Buffer.from(stage_id + id + order_key).toString('base64url')

function positionIn(stages: readonly { id: string }[], after: string | undefined): Position | undefined {
  const text = Buffer.from(after ?? '', 'base64url').toString('latin1')
  const stage_id = text.slice(0, idLength)
  const id = text.slice(idLength, 2 * idLength)
  const order_key = text.slice(2 * idLength)
  const isKey = /^[0-9A-Za-z]+$/.test(order_key)
  return isKey && isId(id) && stages.some((stage) => stage.id === stage_id)
    ? { stage_id, id, order_key }
    : undefined
}
