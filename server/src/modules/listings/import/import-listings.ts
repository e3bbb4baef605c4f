import { stat } from 'node:fs/promises'
import type { CommandOutput } from '#kernel/cli/output.ts'
import { progressDisplay } from '#kernel/cli/progress-display.ts'
import { chunksOf } from '#kernel/cli/read-file.ts'
import type { Ctx } from '#kernel/context.ts'
import { type CsvRecord, readCsv } from '#kernel/csv/read-csv.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { listMembers, listOffices } from '../../workspaces/public.ts'
import { createMatcher } from '../match-rows.ts'
import { listZeroed } from '../queries.ts'
import { type RowResult, maxRows, saveRows } from '../save-rows.ts'
import { aboutRow } from './about-row.ts'
import { type Column, countKnown, helpers, readHeader } from './headers.ts'
import { type KnownNames, type RowFault, readRow } from './read-row.ts'

interface ImportOptions {
  dryRun?: boolean
  ignoreUnknown?: boolean
  /** The character encoding of the file. Found from its contents if it is omitted. */
  encoding?: string
  /** The defaults for rows that name neither an agent nor an office. */
  listAgent?: string
  listOffice?: string
}

/** The maximum number of faults that are reported individually. */
const maxFaults = 1000

/** More lines than stand above the header of any export. */
const maxTitles = 20

/** A number as a spreadsheet writes it that takes it for one: without zeros before it. */
const withoutZeros = (number: string) => number.replace(/^0+(?=\d)/, '')

interface Fault {
  line: number
  column: number | null
  header: string | null
  message: string
}

interface Line {
  line: number
  row: Record<string, unknown>
  faults: RowFault[]
}

/**
 * Imports listings from a CSV file, or from standard input for `-`. Saves 100 rows per transaction, so that an
 * interrupted import can simply be repeated. Reports every fault with its line and column, and sets exit code 1 if
 * there are any. Warns of what it leaves out: lines above the header, notes, totals, and columns of the same field.
 */
export async function importListings(ctx: Ctx, file: string, options: ImportOptions): Promise<CommandOutput> {
  using progress = progressDisplay({ unit: 'kB' })
  const bytes =
    file === '-'
      ? undefined
      : await stat(file).then(
          ({ size }) => size,
          () => undefined,
        )
  const names = await namesOf(ctx, options)
  const matcher = createMatcher()
  const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }
  const faults: Fault[] = []
  const warnings: string[] = []
  const warn = (warning: string) => void (warnings.length < maxFaults && warnings.push(warning))
  const zeroed = new Map((await listZeroed(ctx.db)).map((number) => [withoutZeros(number), number]))
  /** Records above the header, until it is found. */
  const titles: CsvRecord[] = []
  let columns: Column[] | undefined
  let lines: Line[] = []

  function begin(record: CsvRecord): void {
    const header = readHeader(record.cells, record.line, options.ignoreUnknown === true)
    columns = header.columns
    for (const { line } of titles) warn(`Line ${line} is above the header and was skipped.`)
    for (const warning of header.warnings) warn(warning)
  }

  function take({ cells, line }: CsvRecord, of: Column[]): void {
    const reason = aboutRow(cells, of)
    if (reason !== undefined) {
      warn(`Line ${line} is no listing and was skipped: ${reason}.`)
      return
    }
    counts.rows++
    const { row, faults: found } = readRow(cells, of, names)
    if (cells.slice(of.length).some((cell) => cell !== ''))
      found.push({ column: null, message: `has ${cells.length} cells, and the header has ${of.length}` })
    const number = row['mls_number']
    const original = typeof number === 'string' ? zeroed.get(number) : undefined
    if (original !== undefined)
      found.push({
        column: of.find(({ field }) => field === 'mls_number' || field === 'listing_key') ?? null,
        message: `is ${original} without its zeros, which a spreadsheet has removed. Format the column as text and export it again`,
      })
    lines.push({ line, row, faults: found })
  }

  async function save(): Promise<void> {
    const sound = lines.filter((one) => one.faults.length === 0)
    const results = await saveRows(
      ctx,
      sound.map(({ row }) => row),
      { matcher, nameOf: (index) => `line ${sound[index]?.line}`, dryRun: options.dryRun === true },
    )
    const resultOf = new Map(sound.map((one, index) => [one, results[index]]))
    for (const one of lines) {
      const result = resultOf.get(one)
      counts[result?.result ?? 'failed']++
      const found = result === undefined ? one.faults : faultsOf(result, columns ?? [])
      for (const { column, message } of found)
        if (faults.length < maxFaults)
          faults.push({
            line: one.line,
            column: column?.number ?? null,
            header: column?.header ?? null,
            message,
          })
    }
    lines = []
  }

  for await (const { records, read } of readCsv(chunksOf(file), options)) {
    for (const record of records) {
      if (columns !== undefined) take(record, columns)
      else if (countKnown(record.cells) > (titles.length === 0 ? 0 : 1)) begin(record)
      else if (titles.push(record) > maxTitles) break
      if (lines.length === maxRows) await save()
    }
    if (columns === undefined && titles.length > maxTitles) break
    const total = bytes === undefined ? {} : { total: Math.ceil(bytes / 1000) }
    progress.show({ label: 'Import', done: Math.ceil(read / 1000), ...total })
  }
  const [first] = titles
  // No line names a column, and the first one is to say so.
  if (columns === undefined && first !== undefined) begin(first)
  if (columns === undefined) throw new OperatorError('The file is empty. Its first line names the columns.')
  await save()
  if (counts.failed > 0) process.exitCode = 1
  return outputOf(counts, { faults, warnings, isDry: options.dryRun === true })
}

async function namesOf(ctx: Ctx, { listAgent, listOffice }: ImportOptions): Promise<KnownNames> {
  const [members, offices] = await Promise.all([listMembers(ctx.db), listOffices(ctx.db)])
  const byEmail = new Map(members.map(({ id, email }) => [email.toLowerCase(), id]))
  const byName = new Map(offices.map(({ id, name }) => [name.toLowerCase(), id]))
  const isMember = listAgent === undefined || members.some(({ id }) => id === listAgent)
  if (!isMember) throw new OperatorError(`--list-agent: the workspace has no member ${listAgent}.`)
  const isOffice = listOffice === undefined || offices.some(({ id }) => id === listOffice)
  if (!isOffice) throw new OperatorError(`--list-office: the workspace has no office ${listOffice}.`)
  return {
    memberOf: (email) => byEmail.get(email.toLowerCase()),
    officeOf: (name) => byName.get(name.toLowerCase()),
    agentId: listAgent,
    officeId: listOffice,
  }
}

const pathHead = (path: string) => path.split('.', 1)[0]

/** The faults of a row that was not written, each with its column. */
function faultsOf({ error }: RowResult, columns: readonly Column[]): RowFault[] {
  if (error === null) return []
  const { details = [], message, more } = error.body
  const columnOf = (path: string) =>
    columns.find(({ field }) => field === pathHead(path)) ??
    columns.find(
      ({ field }) =>
        field !== null && field in helpers && helpers[field as keyof typeof helpers] === pathHead(path),
    ) ??
    null
  if (details.length > 0)
    return details.map(({ path, message: what }) => {
      const column = columnOf(path)
      return { column, message: column === null ? `${path} ${what}` : what }
    })
  const { flags } = (more ?? {}) as { flags?: { text: string; category: string }[] }
  if (flags === undefined) return [{ column: null, message }]
  const quoted = flags.map(({ text, category }) => `“${text}” (${category})`).join(', ')
  return [
    {
      column: columnOf('public_remarks'),
      message: `the fair housing rules flag ${quoted}; import the listing as incomplete and acknowledge the flags, or change the words`,
    },
  ]
}

function outputOf(
  counts: Record<'rows' | RowResult['result'], number>,
  { faults, warnings, isDry }: { faults: readonly Fault[]; warnings: readonly string[]; isDry: boolean },
): CommandOutput {
  const number = (count: number) => count.toLocaleString('en-US')
  const { rows, created, updated, unchanged, failed } = counts
  const would = isDry ? ' (dry run: nothing was written)' : ''
  const changed = created + updated === 0 && failed === 0 ? ' Nothing changes.' : ''
  const head = `${number(rows)} rows: ${number(created)} created, ${number(updated)} updated, ${number(unchanged)} unchanged, ${number(failed)} not imported${would}.${changed}`
  const lines = faults.map(({ line, column, header, message }) =>
    column === null ? `Line ${line}: ${message}` : `Line ${line}, column ${column} (${header}): ${message}`,
  )
  const more = faults.length === maxFaults ? ['… and more: correct these first.'] : []
  return {
    value: { ...counts, dry_run: isDry, faults, warnings },
    text: [head, ...warnings, ...lines, ...more].join('\n'),
  }
}
