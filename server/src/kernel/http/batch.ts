import { type TObject, type TSchema, Type } from 'typebox'
import { AppError } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'
import { errorResponseOf, publicError } from './error-responses.ts'
import { IdempotencyInProgress, assertKey, beginBatch, endBatch } from './idempotency.ts'
import { bodyReader, noPage } from './input.ts'
import { type Caller, type Serving, attemptOf, performer } from './perform.ts'
import { validator } from './validation.ts'

export const maxItems = 200
/** How many items count as one request. */
export const itemsPerRequest = 10
export const maxBatchBytes = 2 * 1024 * 1024

/** The body of a batch, before its items are validated. */
export interface BatchBody {
  items: Record<string, unknown>[]
}

const ItemKey = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The `Idempotency-Key` of this item alone.',
})

const ItemError = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  },
  { additionalProperties: true, description: 'The error of a single request, without its `request_id`.' },
)

/** Only requires items to be objects, because other issues concern only the item that has them. */
const Items = Type.Object(
  { items: Type.Array(Type.Object({}), { minItems: 1, maxItems }) },
  { additionalProperties: false },
)

/**
 * Declares an endpoint that takes many requests to another, `one`, at once: `POST /leads/batch`. Each item is a request of
 * its own: it has its transaction, its idempotency, and its result.
 */
export function batchEndpoint<D>(one: Endpoint<D>, summary: string, title: string): Endpoint<D> {
  const { properties, examples } = one.body as TObject & { examples?: object[] }
  const required = (one.body as { required?: string[] }).required ?? []
  const item = Type.Object(
    { ...properties, idempotency_key: Type.Optional(ItemKey) },
    { additionalProperties: false, required },
  )
  const record = Object.values(one.responses)[0] as TSchema
  return {
    method: 'POST',
    path: `${one.path}/batch`,
    scope: one.scope,
    summary,
    description: `Takes up to ${maxItems} bodies of \`POST ${one.path}\`, 2 MB in all, and handles them in order, each in a transaction of its own. \`results\` has one entry for each item, in order: the status, and the record or the error, of a single request. The status of the whole is 200 even if no item succeeds. Each ${itemsPerRequest} items count as one request; if too few are left, the response is a 429 and nothing is written. An \`idempotency_key\` is that of its item; an \`Idempotency-Key\` covers the whole.`,
    ...(one.tag === undefined ? {} : { tag: one.tag }),
    ...(one.query === undefined ? {} : { query: one.query }),
    body: Type.Object(
      { items: Type.Array(item, { minItems: 1, maxItems }) },
      {
        title: `${title}Draft`,
        additionalProperties: false,
        examples: [{ items: [examples?.[0] ?? {}] }],
      },
    ),
    bodyLevels: 34,
    maxBodyBytes: maxBatchBytes,
    validateBody: validator(Items, ['results']),
    responses: {
      200: Type.Object(
        {
          results: Type.Array(
            Type.Object({
              status: Type.Integer({ description: 'The HTTP status of a single request.' }),
              data: Type.Optional(record),
              error: Type.Optional(ItemError),
            }),
          ),
        },
        { title },
      ),
    },
    batches: one,
    handle: () => Promise.reject(new Error('A batch is handled item by item.')),
  }
}

/** Handles a batch. Returns its response, as its caller may see it. */
export function batchPerformer<D>(server: Serving<D>, batch: Endpoint<D>, one: Endpoint<D>) {
  const perform = performer(server, one)
  const readBody = bodyReader(one)
  const { runtime } = server

  /** The result of an item, as JSON. */
  async function resultOf(
    who: Caller,
    query: Record<string, unknown>,
    { idempotency_key, ...sent }: Record<string, unknown>,
    wholeKey?: string,
  ) {
    try {
      if (idempotency_key !== undefined) assertKey(String(idempotency_key))
      const input = { params: {}, query, body: readBody(sent), page: noPage }
      const key = idempotency_key === undefined ? wholeKey : String(idempotency_key)
      const { status, text } = await perform(who, input, key)
      return status < 400
        ? `{"status":${status},"data":${text}}`
        : failed(status, JSON.parse(text) as ErrorBody)
    } catch (error) {
      if (error instanceof AppError && error.code === IdempotencyInProgress.code) throw error
      const { status, body } = errorResponseOf(
        publicError(runtime, error, who.requestId),
        who.requestId,
        runtime.origin(),
      )
      return failed(status, body as ErrorBody)
    }
  }

  return async (who: Caller, input: Parameters<typeof perform>[1], key?: string) => {
    const attempt = key === undefined ? undefined : attemptOf(`POST ${batch.path}`, who, input, key)
    const earlier = attempt && (await beginBatch(runtime, who.ctx, attempt))
    if (earlier !== undefined) return earlier
    const results: string[] = []
    for (const [index, item] of (input.body as BatchBody).items.entries())
      // No key of a client has a blank.
      results.push(
        await resultOf(who, input.query, item, key === undefined ? undefined : `${index} of ${key}`),
      )
    const response = { status: 200, text: `{"results":[${results.join(',')}]}`, replayed: false }
    if (attempt !== undefined) await endBatch(runtime, who.ctx, attempt, response)
    return response
  }
}

interface ErrorBody {
  error: { request_id?: string }
}

/** The result of an item that failed. The request has its ID in the header. */
const failed = (status: number, { error: { request_id: _, ...error } }: ErrorBody): string =>
  JSON.stringify({ status, error })
