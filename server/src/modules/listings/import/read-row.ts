import { isDate } from '#kernel/schemas.ts'
import { type Column, fieldSchemas } from './headers.ts'

/** A fault in a row and its column; null if the fault concerns the whole row. */
export interface RowFault {
  column: Column | null
  message: string
}

/** Resolves cells that refer to members by email and to offices by name. */
export interface KnownNames {
  memberOf(email: string): string | undefined
  officeOf(name: string): string | undefined
  /** The defaults for rows that name neither an agent nor an office. */
  agentId?: string | undefined
  officeId?: string | undefined
}

type Row = Record<string, unknown>

/**
 * Reads the cells of a row as a listing. An empty cell leaves the field unchanged. A cell that cannot be parsed is
 * passed on as text, so that validation reports it under its field.
 */
export function readRow(
  cells: readonly string[],
  columns: readonly Column[],
  { memberOf, officeOf, agentId, officeId }: KnownNames,
): { row: Row; faults: RowFault[] } {
  const faults: RowFault[] = []
  const row: Row = {}
  const street: Partial<Record<string, string>> = {}
  for (const column of columns) {
    const text = (cells[column.number - 1] ?? '').trim()
    const { field } = column
    if (text === '' || field === null) continue
    if (field === 'list_agent_email' || field === 'list_office_name') {
      const isAgent = field === 'list_agent_email'
      const id = isAgent ? memberOf(text) : officeOf(text)
      if (id === undefined)
        faults.push({ column, message: `no ${isAgent ? 'member has this email' : 'office has this name'}` })
      else row[isAgent ? 'list_agent_id' : 'list_office_id'] = id
    } else if (field.startsWith('street_') && field !== 'street_number') street[field] = text
    else row[field] = valueOf(field, text)
  }
  const { street_direction, street_name, street_suffix } = street
  if (street_name !== undefined)
    row['street_name'] = [street_direction, street_name, street_suffix]
      .filter((part) => part !== undefined)
      .join(' ')
  if (row['list_agent_id'] === undefined && row['list_office_id'] === undefined) {
    if (agentId !== undefined) row['list_agent_id'] = agentId
    if (officeId !== undefined) row['list_office_id'] = officeId
  }
  return { row, faults }
}

function valueOf(field: string, text: string): unknown {
  const { type, enum: values, format } = fieldSchemas[field] ?? {}
  if (values !== undefined) return valueAmong(values, text)
  if ([type].flat().some((one) => one === 'number' || one === 'integer')) return numberOf(text)
  if (field === 'photos') return text.split(/[\s|]+/).map((url) => ({ url }))
  return format === 'date' ? dateOf(text) : text
}

/** Matches without regard to case and separators: `Active Under Contract` becomes `active_under_contract`. */
function valueAmong(values: readonly unknown[], text: string): unknown {
  const bare = (one: unknown) =>
    String(one)
      .toLowerCase()
      .replaceAll(/[\s_-]/g, '')
  return values.find((one) => one !== null && bare(one) === bare(text)) ?? text
}

/** `$1,250,000.00` becomes 1250000. */
function numberOf(text: string): unknown {
  const plain = /^\$?\s?-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
  const number = /^\$?\s?(-?\d+(?:\.\d+)?)$/.exec(plain)?.[1]
  return number === undefined ? text : Number(number)
}

/** Accepts `2026-11-20` and `11/20/2026`, and ignores a time after the date. */
function dateOf(text: string): string {
  const [day = ''] = text.split(/[T ]/)
  const [, month = '', date = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(day) ?? []
  const iso = year === '' ? day : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  return isDate(iso) ? iso : text
}
