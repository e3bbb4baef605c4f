import type { TObject } from 'typebox'
import type { Endpoint, Method } from '../http/endpoint.ts'

const verbs: Readonly<Record<Method, string>> = {
  GET: 'retrieve',
  POST: 'create',
  PATCH: 'update',
  PUT: 'update',
  DELETE: 'delete',
}

/**
 * Names every endpoint: the nouns of its path and a verb, in camelCase and joined with periods, such as
 * `webhooks.deliveries.redeliver`. The verb is `list`, `retrieve`, `create`, `update`, or `delete`; any other action is
 * the last word of its path. Each name has at least two parts.
 */
export function operationIds<E extends Endpoint>(endpoints: readonly E[]): ReadonlyMap<E, string> {
  const collections = new Set(endpoints.flatMap(collectionOf))
  return new Map(endpoints.map((endpoint) => [endpoint, operationId(endpoint, collections)]))
}

/** The collection that an endpoint shows to exist: the one it lists, or the one whose record it is about. */
const collectionOf = (endpoint: Endpoint): string[] => {
  const { path } = endpoint
  if (isList(endpoint)) return [path]
  return isRecord(path) ? [path.slice(0, path.lastIndexOf('/'))] : []
}

/** Whether the endpoint returns a list, with or without pages. */
export const isList = ({ method, responses }: Endpoint): boolean =>
  method === 'GET' &&
  ((responses[200] as TObject | undefined)?.properties?.['data'] as { type?: string } | undefined)?.type ===
    'array'

const isRecord = (path: string) => path.endsWith('}')

function operationId(endpoint: Endpoint, collections: ReadonlySet<string>): string {
  const { method, path } = endpoint
  const words = path
    .split('/')
    .filter((part) => part !== '' && !isRecord(part))
    .map((part) =>
      part.replace(/\.\w+$/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    )
  if (isList(endpoint)) return [...words, 'list'].join('.')
  const isAction = words.length > 1 && !isRecord(path) && !collections.has(path)
  return isAction && (method === 'GET' || method === 'POST')
    ? words.join('.')
    : [...words, verbs[method]].join('.')
}
