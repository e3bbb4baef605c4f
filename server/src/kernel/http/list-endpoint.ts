import type { Static, TSchema } from 'typebox'
import type { Ctx } from '../context.ts'
import { type Endpoint, type EndpointSpec, type Input, type Method, ok, pagedEndpoint } from './endpoint.ts'
import { type KeysetOrder, ListOf } from './paging.ts'
import { inSlices } from './time-slices.ts'

interface ListSpec<
  R extends string,
  Q extends TSchema,
  I extends TSchema,
  Row extends { id: string },
> extends Omit<
  EndpointSpec<R, Q, TSchema, { 200: I }>,
  'responses' | 'handle' | 'prepare' | 'body' | 'query'
> {
  /** The schema of one record. */
  item: I
  /** Query parameters; see `filters`. */
  filters?: { query: Q }
  /** Newest first, by id, by default. Order by a column only if its values never change. */
  order?: KeysetOrder
  /** Reads the page. Its query must end with `${page.keyset()}`. */
  rows(ctx: Ctx, input: Input<R, Q, TSchema>): Promise<readonly Row[]>
  /** Converts a row to the record in the response. By default, the row is the record. */
  present?(row: Row, ctx: Ctx): Static<I> | Promise<Static<I>>
}

/** Declares a list endpoint. It adds `cursor`, `limit`, `fields`, and the list response. */
export const listEndpoint = <
  R extends `${Method & 'GET'} /${string}`,
  Q extends TSchema,
  I extends TSchema,
  Row extends { id: string },
>(
  route: R,
  { item, filters, rows, present = (row) => row as Static<I>, ...spec }: ListSpec<R, Q, I, Row>,
): Endpoint<unknown> =>
  pagedEndpoint(route, {
    fields: true,
    ...spec,
    ...(filters === undefined ? {} : { query: filters.query }),
    responses: { 200: ListOf(item) },
    async handle(ctx: Ctx, input: Input<R, Q, TSchema>) {
      const { rows: page, ...rest } = input.page.cut(await rows(ctx, input))
      const data: Static<I>[] = []
      for await (const slice of inSlices(page)) {
        for (const row of slice) {
          const shown = present(row, ctx)
          data.push(shown instanceof Promise ? await shown : shown)
        }
      }
      return ok({ data, ...rest })
    },
  })
