import { inject } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import type { Endpoint } from '#kernel/http/endpoint.ts'

/** Whether tests over the endpoint table try everything at every endpoint, as every night. */
const isWhole = process.env['GABLE_WALK'] === 'all'

/**
 * One item of each form, to test what a single mechanism does for all endpoints. `form` names everything that the
 * mechanism can see of an endpoint, so it treats those of one form alike, and one of them stands for the others. Which
 * one depends on the seed of the run. With `GABLE_WALK=all`, returns every item.
 */
export function ofEachForm<T>(items: readonly T[], form: (item: T) => object): T[] {
  if (isWhole) return [...items]
  const forms = Map.groupBy(items, (item) => JSON.stringify(form(item)))
  return [...forms.values()].map((alike) => orNotFound(alike[inject('seed') % alike.length]))
}

/** How many ids a path has. */
export const idsIn = (path: string) => path.split('{').length - 1

/** The parts of an endpoint's form that every mechanism between the router and the handler can see. */
export const commonForm = ({ path, body, fields, responses }: Endpoint) => ({
  ids: idsIn(path),
  body: body !== undefined,
  fields: fields === true,
  statuses: Object.keys(responses),
})

/** The same for lists: what a cursor and a page depend on. */
export const listForm = (endpoint: Endpoint) => ({
  ...commonForm(endpoint),
  order: endpoint.list,
  filters: endpoint.query !== undefined,
})

/**
 * The items whose turn it is at this place of a table: one of `parts`, so that as many rows of the table try all. With
 * `GABLE_WALK=all`, all of them.
 */
export const share = <T>(items: readonly T[], place: number, parts = 4): T[] =>
  items.filter((_, at) => isWhole || at % parts === place % parts)
