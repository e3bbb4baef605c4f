import { type Static, Type } from 'typebox'
import { bodyValidator } from '#kernel/http/validation.ts'
import { nullable } from '#kernel/schemas.ts'
import { Flags } from './listing-parts.ts'
import { listings } from './listing.ts'
import { ListingRow, type RowResult, maxRows } from './save-rows.ts'

const [example] = (listings.Draft as unknown as { examples: object[] }).examples

export const BatchDraft = Type.Object(
  { listings: Type.Array(ListingRow, { maxItems: maxRows }) },
  {
    title: 'ListingBatch',
    additionalProperties: false,
    examples: [{ listings: [{ ...example, mls_number: 'MRD-20417' }] }],
  },
)

/** Only requires rows to be objects, because other issues must fail only the row that has them. */
const Rows = Type.Object(
  { listings: Type.Array(Type.Object({}), { maxItems: maxRows }) },
  { additionalProperties: false },
)
export const validateBatch = bodyValidator(Rows)

const counts = ['created', 'updated', 'unchanged', 'failed'] as const

const RowError = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    details: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    flags: Type.Optional(Flags),
  },
  { description: 'The same body as the error of a single request.' },
)

const Count = Type.Integer({ minimum: 0, description: 'How many rows have this result.' })

export const BatchResult = Type.Object(
  {
    created: Count,
    updated: Count,
    unchanged: Count,
    failed: Count,
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'The position of the row in the request, counted from 0.' }),
        result: Type.Enum(counts, { title: 'ListingBatchOutcome' }),
        id: nullable(Type.String({ description: 'The listing. Null if the row was not written.' })),
        error: Type.Union([RowError, Type.Null()]),
      }),
    ),
  },
  {
    title: 'ListingBatchResult',
    examples: [
      {
        created: 1,
        updated: 0,
        unchanged: 0,
        failed: 0,
        results: [{ index: 0, result: 'created', id: 'cmi8g9t3k0001d7m5x2n8w4r6', error: null }],
      },
    ],
  },
)

/** The number of rows with each result. */
const countResults = (results: readonly RowResult[]) =>
  Object.fromEntries(
    counts.map((name) => [name, results.filter(({ result }) => result === name).length]),
  ) as Record<(typeof counts)[number], number>

export const presentResults = (results: readonly RowResult[]): Static<typeof BatchResult> => ({
  ...countResults(results),
  results: results.map(({ result, id, error }, index) => ({
    index,
    result,
    id,
    error: error && {
      code: error.code,
      message: error.body.message,
      details: error.body.details ?? [],
      ...error.body.more,
    },
  })),
})
