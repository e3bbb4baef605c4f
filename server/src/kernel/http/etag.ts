import type { TObject } from 'typebox'
import { defineError } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'

export const PreconditionFailed = defineError('precondition_failed', 412, () => ({
  message: 'The record has changed since you read it. Read it again and repeat the change.',
}))

/** A record with versions. */
export interface Versioned {
  updated_at: string
}

/**
 * Whether the endpoint reads or changes one versioned record. If so, its responses have an `ETag`, and PATCH takes
 * `If-Match`.
 */
export const hasVersion = ({ method, list, fields, responses }: Endpoint): boolean =>
  (method === 'GET' || method === 'PATCH') &&
  fields === true &&
  list === undefined &&
  Object.values(responses).every((schema) => (schema as TObject).properties['updated_at'] !== undefined)

/** The version of a record. `updated_at` identifies it, because it increases with each change. */
export const etagOf = ({ updated_at }: Versioned): string => `"${updated_at}"`

/**
 * Returns the record if the request has no If-Match or if If-Match names the record's version. Throws
 * `PreconditionFailed` otherwise. Call it under the record's lock.
 */
export function requireMatch<T extends Versioned>(
  { ifMatch }: { ifMatch?: string | undefined },
  record: T,
): T {
  if (ifMatch === undefined || ifMatch.trim() === '*') return record
  const versions = ifMatch.split(',').map((one) => one.trim())
  if (!versions.includes(etagOf(record))) throw PreconditionFailed()
  return record
}
