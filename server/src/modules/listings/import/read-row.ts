import { dateIn, damageIn, numberIn, saysNone } from '#kernel/csv/cells.ts'
import { stateCodeOf } from '../../contacts/public.ts'
import { acresOfLot, areaIn } from './area.ts'
import { type Column, fieldSchemas, helpers } from './headers.ts'
import { type AddressParts, splitAddress } from './split-address.ts'
import { valuesInWords } from './words.ts'

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
  names: KnownNames,
): { row: Row; faults: RowFault[] } {
  const faults: RowFault[] = []
  const row: Row = {}
  const parts = new Map<string, string>()
  const columnOf = (field: string) => columns.find((one) => one.field === field) ?? null
  for (const column of columns) {
    const text = cells[column.number - 1] ?? ''
    const { field, header } = column
    if (text !== '' && header === '')
      faults.push({ column: null, message: `column ${column.number} has no header` })
    if (text === '' || field === null) continue
    const damage = damageIn(text, keys.has(field))
    if (damage !== undefined) {
      faults.push({ column, message: damage })
      continue
    }
    if (field in helpers || field === 'street_name') parts.set(field, text)
    else if (fieldSchemas[field] !== undefined) {
      const value = valueOf(field, text, header)
      if (value !== undefined) row[field] = value
    }
  }
  const numberOf = (field: string): number | undefined => {
    const text = parts.get(field)
    if (text === undefined || saysNone(text)) return undefined
    const number = numberIn(text)
    if (number === undefined || number < 0)
      faults.push({ column: columnOf(field), message: 'must be a number' })
    return number
  }
  Object.assign(
    row,
    peopleOf(row, parts, names, (field, message) => faults.push({ column: columnOf(field), message })),
  )
  row['mls_number'] ??= parts.get('listing_key')
  Object.assign(row, addressOf(row, parts))
  const zip = zipOf(row, parts.get('postal_code_plus_4'))
  if (zip === null)
    faults.push({ column: columnOf('postal_code'), message: `is not a ZIP code of ${String(row['state'])}` })
  else row['postal_code'] = zip
  row['bathrooms_total'] ??= bathroomsOf(numberOf)
  for (const field of ['lot_size_square_feet', 'lot_size']) {
    const text = parts.get(field)
    if (row['lot_size_acres'] !== undefined || text === undefined || saysNone(text)) continue
    const column = columnOf(field)
    const hints = field === 'lot_size' ? [parts.get('lot_size_units') ?? '', column?.header ?? ''] : ['sq ft']
    const { number, squareFeet } = areaIn(text, hints)
    const acres = number === undefined || number < 0 ? undefined : acresOfLot(number, squareFeet)
    if (acres !== undefined) row['lot_size_acres'] = acres
    else
      faults.push({
        column,
        message:
          number === undefined || number < 0
            ? 'must be a number'
            : 'does not say whether it is acres or square feet: name the unit in the header, such as Lot Size (sq ft)',
      })
  }
  return { row: Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)), faults }
}

type Report = (field: string, message: string) => void

function peopleOf(
  row: Row,
  parts: Map<string, string>,
  { memberOf, officeOf, agentId, officeId }: KnownNames,
  report: Report,
): Row {
  const [email, office] = [parts.get('list_agent_email'), parts.get('list_office_name')]
  const agent = email === undefined ? row['list_agent_id'] : memberOf(email)
  const named = office === undefined ? row['list_office_id'] : officeOf(office)
  if (email !== undefined && agent === undefined) report('list_agent_email', 'no member has this email')
  if (office !== undefined && named === undefined) report('list_office_name', 'no office has this name')
  return agent === undefined && named === undefined
    ? { list_agent_id: agentId, list_office_id: officeId }
    : { list_agent_id: agent, list_office_id: named }
}

/** The address in its own columns; what these leave out, from the column that holds it on one line. */
function addressOf(row: Row, parts: Map<string, string>): Row {
  const name = parts.get('street_name')
  const street = ['street_direction', 'street_name', 'street_suffix', 'street_direction_after']
    .flatMap((part) => parts.get(part) ?? [])
    .join(' ')
  const whole: AddressParts = name === undefined ? splitAddress(parts.get('address') ?? '', row) : {}
  const found = { ...whole, ...(name === undefined ? {} : { street_name: street }) }
  return Object.fromEntries(
    Object.entries(found).filter(([field, value]) => value !== '' && row[field] === undefined),
  )
}

/** States whose ZIP codes begin with a zero, which spreadsheets drop; those of two zeros last. */
const zeroStates = new Set(['CT', 'MA', 'ME', 'NH', 'NJ', 'RI', 'VT', 'NY', 'PR', 'VI'])

/** The ZIP code with the zeros that a spreadsheet dropped. Null if it has too few digits for its state. */
function zipOf(row: Row, plus4: string | undefined): string | undefined | null {
  const { postal_code: written, state } = row as { postal_code?: string; state?: string }
  if (written === undefined) return undefined
  const text = written.replace(/\.0+$/, '')
  const code = state === undefined ? undefined : stateCodeOf(state)
  const [, first = '', second] = /^(\d{3,5})(?:[- ]?(\d{4}))?$/.exec(text) ?? []
  if (first === '') return /^\d{1,2}$/.test(text) && code !== undefined ? null : text
  if (first.length < 5 && code !== undefined && !zeroStates.has(code)) return null
  const extra =
    second ?? (plus4 !== undefined && /^\d{1,4}$/.test(plus4) ? plus4.padStart(4, '0') : undefined)
  return [first.padStart(5, '0'), ...(extra === undefined ? [] : [extra])].join('-')
}

type NumberOf = (field: string) => number | undefined

/** RESO's integer counts a half bath as a whole one, so it is used only if nothing says how many are half. */
function bathroomsOf(numberOf: NumberOf): number | undefined {
  const weights = [
    ['bathrooms_full', 1],
    ['bathrooms_three_quarter', 0.75],
    ['bathrooms_half', 0.5],
    ['bathrooms_one_quarter', 0.25],
  ] as const
  const counts = weights.map(([field, weight]) => [numberOf(field), weight] as const)
  const counted = numberOf('bathrooms_counted')
  return counts.every(([count]) => count === undefined)
    ? counted
    : counts.reduce((sum, [count = 0, weight]) => sum + count * weight, 0)
}

/** Fields that identify something, in which a changed character is another thing. */
const keys = new Set([
  'mls_number',
  'listing_key',
  'street_number',
  'unit_number',
  'postal_code',
  'list_agent_id',
  'list_office_id',
])

/** Numbers of which no one writes thousandths. */
const wholeNumbers = new Set(['list_price', 'original_list_price', 'close_price', 'living_area'])

function valueOf(field: string, text: string, header: string): unknown {
  const { type, enum: values, format } = fieldSchemas[field] ?? {}
  const isNumber = [type].flat().some((one) => one === 'number' || one === 'integer')
  if (field !== 'public_remarks' && saysNone(text)) return undefined
  if (values !== undefined) return valuesInWords[field]?.(text) ?? valueAmong(values, text)
  if (field === 'bathrooms_total') return bathroomsIn(text) ?? text
  // One point before three digits may group them or be the decimal point: a person decides.
  if (isNumber && wholeNumbers.has(field) && /^\D{0,3}\d{1,3}\.\d{3}$/.test(text.trim())) return text
  if (field === 'lot_size_acres' || field === 'living_area') return sizeIn(field, text, header) ?? text
  if (isNumber) return numberIn(text) ?? text
  // A number that a program has read as a decimal one.
  if (keys.has(field) && /^\d+\.0+$/.test(text)) return text.replace(/\.0+$/, '')
  if (field === 'photos') {
    const urls = text.split(/[\s|]+|[,;]+(?=\s|https?:|$)/).filter((url) => url !== '')
    return urls.map((url) => ({ url }))
  }
  return format === 'date' ? (dateIn(text) ?? text) : text
}

/** A size whose cell or header may name another unit than that of the field. */
function sizeIn(field: 'lot_size_acres' | 'living_area', text: string, header: string): number | undefined {
  const { number, squareFeet } = areaIn(text, [header])
  if (number === undefined || squareFeet === undefined) return number
  return field === 'living_area' ? Math.round(number * squareFeet) : acresOfLot(number, squareFeet)
}

/** Also `2/1`, `2.1`, `2 full, 1 half`, and `2F 1H`: full and half bathrooms. */
function bathroomsIn(text: string): number | undefined {
  const [, full, half] =
    /^(\d{1,3}) ?[/+] ?(\d{1,3})$/.exec(text) ??
    /^(\d{1,3})\.([1-4])$/.exec(text) ??
    /^(\d{1,3}) ?f(?:ull)?(?: baths?)?(?: ?[/,+&] ?| and | )?(\d{1,3}) ?h(?:alf)?(?: baths?)?$/i.exec(text) ??
    []
  return full === undefined ? numberIn(text) : Number(full) + Number(half) / 2
}

/** Matches without regard to case and separators: `usd` is `USD`. */
function valueAmong(values: readonly unknown[], text: string): unknown {
  const bare = (one: unknown) =>
    String(one)
      .toLowerCase()
      .replaceAll(/[\s_-]/g, '')
  return values.find((one) => one !== null && bare(one) === bare(text)) ?? text
}
