import { hash } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import { isId } from '../ids.ts'

/** One page of a keyset walk, newest first. */
export interface Page {
  /** Rows with ids below this one; null from the start. */
  readonly before: string | null
  /** How many rows to read: one more than wanted, which tells whether there are more. */
  readonly limit: number
  /** Makes the list response of the rows read. */
  answer<T extends { id: string }>(rows: readonly T[], present: (row: T) => object): ListBody
}

export interface ListBody {
  data: object[]
  next_cursor: string | null
  has_more: boolean
}

/** Schema of a list response. */
export const ListOf = (item: TSchema) =>
  Type.Object({
    data: Type.Array(item),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Opaque; null when there is no more.',
    }),
    has_more: Type.Boolean(),
  })

export const defaultLimit = 50
export const maxLimit = 200

/** What a cursor belongs to. In another workspace, on another route or under other filters it is stale. */
export const walkOf = (workspaceId: string, route: string, filters: object): string =>
  hash('sha256', JSON.stringify([workspaceId, route, Object.entries(filters).toSorted()]), 'base64url').slice(
    0,
    10,
  )

const writeCursor = (id: string, walk: string) => Buffer.from(`${id}${walk}`).toString('base64url')

/** The id after which to go on, or null for a cursor that is unreadable or of another walk. */
export function readCursor(cursor: string, walk: string): string | null {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const id = text.slice(0, 25)
  return text.slice(25) === walk && isId(id) ? id : null
}

export function createPage(before: string | null, wanted: number, walk: string): Page {
  return {
    before,
    limit: wanted + 1,
    answer(rows, present) {
      const has_more = rows.length > wanted
      const shown = has_more ? rows.slice(0, wanted) : rows
      const last = shown.at(-1)
      return {
        data: shown.map(present),
        next_cursor: has_more && last !== undefined ? writeCursor(last.id, walk) : null,
        has_more,
      }
    },
  }
}
