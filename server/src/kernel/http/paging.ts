import { hash } from 'node:crypto'
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { type Selection, columnOf, selectedBy } from '../db/slice.ts'
import { type Sql, empty, join, raw, sql } from '../db/sql.ts'
import { isId } from '../ids.ts'

/** The order of a list: by id, or by a time that never changes and then by id. */
export interface KeysetOrder {
  /** A `timestamptz` column; undefined for the id alone. */
  readonly column?: string
  readonly direction: 'asc' | 'desc'
}

export const newestFirst: KeysetOrder = { direction: 'desc' }

/** The row after which a page begins. */
interface Position {
  id: string
  /** The row's value in the order's column. */
  time?: string
}

/** One page of a list. */
export interface Page {
  readonly selection: Selection
  /** The page begins after the row with this id. Null for the first page. */
  readonly before: string | null
  /** How many rows to read: one more than the page holds, to find out whether there are more. */
  readonly limit: number
  /**
   * `and id = any (…) and id < … order by id desc limit …`: the end of the query that reads the page. `alias` is the
   * table's alias, `updatedAt` what the record shows as `updated_at` if it is not the column of that name.
   */
  keyset(alias?: string, updatedAt?: Sql): Sql
  /** The `keyset` without the selection. */
  ending(alias?: string): Sql
  /** The rows of the page, and the other members of the list response. */
  cut<T extends { id: string }>(
    rows: readonly T[],
  ): { rows: readonly T[]; next_cursor: string | null; has_more: boolean }
  /** The list response for the rows that were read. */
  body<T extends { id: string }, U>(rows: readonly T[], present: (row: T) => U): ListBody<U>
}

export interface ListBody<T = object> {
  data: T[]
  next_cursor: string | null
  has_more: boolean
}

/** Schema of a list response. Its title is that of the records, and `List`. */
export const ListOf = <S extends TSchema>(item: S) =>
  Type.Object(
    {
      data: Type.Array(item),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Pass it as `cursor` to get the next page. `null` on the last page.',
      }),
      has_more: Type.Boolean(),
    },
    { title: `${(item as { title?: string }).title ?? 'Untitled'}List` },
  ) as unknown as TUnsafe<ListBody<Static<S>>>

export const defaultLimit = 50
export const maxLimit = 200
/** How far a count is exact. */
export const maxCounted = 10_000
/** How many IDs a list takes at once. */
export const maxIds = 100

/**
 * Identifies the list to which a cursor belongs: a workspace, a path, and its filters. In any other list, the cursor
 * is stale.
 */
export const listKey = (workspaceId: string | null, path: string, filters: object): string =>
  hash('sha256', JSON.stringify([workspaceId, path, Object.entries(filters).toSorted()]), 'base64url').slice(
    0,
    keyLength,
  )

const idLength = 25
const keyLength = 10
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const writeCursor = ({ id, time = '' }: Position, key: string) =>
  Buffer.from(id + key + time).toString('base64url')

/** The position in a cursor. Null if the cursor is unreadable or belongs to another list. */
export function readCursor(cursor: string, key: string, order: KeysetOrder): Position | null {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const id = text.slice(0, idLength)
  const time = text.slice(idLength + keyLength)
  if (text.slice(idLength, idLength + keyLength) !== key || !isId(id)) return null
  if (order.column === undefined) return time === '' ? { id } : null
  return isoTime.test(time) && !Number.isNaN(Date.parse(time)) ? { id, time } : null
}

export function createPage(
  position: Position | null,
  size: number,
  key: string,
  order: KeysetOrder,
  selection: Selection = {},
): Page {
  const limit = size + 1
  const cut: Page['cut'] = (rows) => {
    const has_more = rows.length > size
    const shown = has_more ? rows.slice(0, size) : rows
    const last = shown.at(-1)
    return {
      rows: shown,
      next_cursor: has_more && last !== undefined ? writeCursor(positionOf(last, order), key) : null,
      has_more,
    }
  }
  const ending: Page['ending'] = (alias) => endingAfter(position, limit, order, alias)
  return {
    selection,
    before: position?.id ?? null,
    limit,
    keyset: (alias, updatedAt) => sql`${selectedBy(selection, alias, updatedAt)} ${ending(alias)}`,
    ending,
    cut,
    body(all, present) {
      const { rows, ...rest } = cut(all)
      return { data: rows.map(present), ...rest }
    },
  }
}

const positionOf = (row: { id: string }, { column }: KeysetOrder): Position =>
  column === undefined
    ? { id: row.id }
    : { id: row.id, time: (row as unknown as Record<string, string>)[column] ?? '' }

function endingAfter(
  position: Position | null,
  limit: number,
  { column, direction }: KeysetOrder,
  alias = '',
): Sql {
  const id = columnOf(alias, 'id')
  const time = column === undefined ? undefined : columnOf(alias, column)
  const than = raw(direction === 'desc' ? '<' : '>')
  const by = (time === undefined ? [id] : [time, id]).map((one) => sql`${one} ${raw(direction)}`)
  let after = empty
  if (position !== null)
    after =
      time === undefined
        ? sql`and ${id} ${than} ${position.id}`
        : sql`and (${time}, ${id}) ${than} (${position.time}::timestamptz, ${position.id})`
  return sql`${after} order by ${join(by)} limit ${limit}`
}
