import { type Static, type TSchema, Type } from 'typebox'
import type { Ctx } from '../context.ts'
import type { Queries } from '../db/handles.ts'
import { sql } from '../db/sql.ts'
import { type Endpoint, type EndpointSpec, type Input, type Method, ok, pagedEndpoint } from './endpoint.ts'
import { type KeysetOrder, ListOf, maxCounted } from './paging.ts'
import { inSlices } from './time-slices.ts'

interface ListSpec<
  R extends string,
  Q extends TSchema,
  I extends TSchema,
  Found extends { id: string },
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
  rows(ctx: Ctx, input: Input<R, Q, TSchema>): Promise<readonly Found[]>
  /** Adds to the rows of a page what is read for all of them at once. */
  complete?(rows: readonly Found[], ctx: Ctx): Promise<readonly Row[]>
  /** Converts a row to the record in the response. By default, the row is the record. */
  present?(row: Row, ctx: Ctx): Static<I> | Promise<Static<I>>
}

/** A list endpoint, which `countEndpoint` can count. */
type ListEndpoint = Endpoint<unknown> & {
  find(ctx: Ctx, input: Input<string, TSchema, TSchema>): Promise<readonly { id: string }[]>
}

/** Declares a list endpoint. It adds `cursor`, `limit`, `ids`, `updated_after`, `fields`, and the list response. */
export const listEndpoint = <
  R extends `${Method & 'GET'} /${string}`,
  Q extends TSchema,
  I extends TSchema,
  Found extends { id: string },
  Row extends { id: string } = Found,
>(
  route: R,
  {
    item,
    filters,
    rows,
    complete = async (found) => found as unknown as readonly Row[],
    present = (row) => row as Static<I>,
    ...spec
  }: ListSpec<R, Q, I, Found, Row>,
): ListEndpoint => ({
  ...pagedEndpoint(route, {
    fields: true,
    ...spec,
    ...(filters === undefined ? {} : { query: filters.query }),
    responses: { 200: ListOf(item) },
    async handle(ctx: Ctx, input: Input<R, Q, TSchema>) {
      const { rows: page, ...rest } = input.page.cut(await rows(ctx, input))
      const data: Static<I>[] = []
      for await (const slice of inSlices(await complete(page, ctx))) {
        for (const row of slice) {
          const shown = present(row, ctx)
          data.push(shown instanceof Promise ? await shown : shown)
        }
      }
      return ok({ data, ...rest })
    },
  }),
  find: rows as ListEndpoint['find'],
})

const Count = Type.Object(
  {
    count: Type.Integer({ description: `At most ${maxCounted}.` }),
    exact: Type.Boolean({ description: 'False if there are more.' }),
  },
  { title: 'Count', examples: [{ count: 42, exact: true }] },
)

/** Declares the endpoint that counts a list's records, with the same scope and filters. */
export const countEndpoint = (list: ListEndpoint): Endpoint<unknown> => {
  const { path, scope, tag, summary, query, errors } = list
  return {
    method: 'GET',
    path: `${path}/count`,
    scope,
    summary: summary
      .replace(/^List /, 'Count ')
      .split(' by ', 1)
      .join(''),
    description: `Takes the filters of \`GET ${path}\`, and counts up to ${maxCounted} records.`,
    ...(tag === undefined ? {} : { tag }),
    ...(query === undefined ? {} : { query }),
    ...(errors === undefined ? {} : { errors }),
    responses: { 200: Count },
    counts: list,
    async handle(ctx, input) {
      const found = (await list.find(finding(ctx), input)).length
      return ok({ count: Math.min(found, maxCounted), exact: found <= maxCounted })
    },
  }
}

const Found = Type.Object({ id: Type.String() })

/** The context in which a list's query finds the IDs of its rows, and reads nothing else of them. */
function finding(ctx: Ctx): Ctx {
  const idsOnly = <Q extends Queries>(db: Q): Q => ({
    ...db,
    many:
      () =>
      (text: TemplateStringsArray, ...values: unknown[]) =>
        db.many(Found)`select id from (${sql(text, ...values)}) as found`,
  })
  return {
    ...ctx,
    db: idsOnly(ctx.db),
    directory: idsOnly(ctx.directory),
    searches: () => idsOnly(ctx.searches()),
  }
}
