import { inject } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import type { Endpoint } from '#kernel/http/endpoint.ts'

/**
 * One item of each form, to test what a single mechanism does for all endpoints. `form` names everything that the
 * mechanism can see of an endpoint, so it treats those of one form alike, and one of them stands for the others. Which
 * one depends on the seed of the run. With `GABLE_WALK=all`, returns every item.
 */
export function ofEachForm<T>(items: readonly T[], form: (item: T) => object): T[] {
  if (process.env['GABLE_WALK'] === 'all') return [...items]
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
