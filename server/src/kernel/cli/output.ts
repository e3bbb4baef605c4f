import type { Command } from 'commander'

/** What a command prints: a value for programs, text for people. */
export interface CommandOutput {
  value: unknown
  text: string
}

/** A column's heading and its values. */
export type Columns<Row> = Record<string, (row: Row) => string | null>

/** The action of a command: prints what `run` returns, as text or as JSON. */
export function printing<A extends unknown[]>(run: (...args: A) => Promise<CommandOutput>) {
  return async function (this: Command, ...args: A): Promise<void> {
    const { value, text } = await run(...args)
    process.stdout.write(`${this.opts()['json'] === true ? JSON.stringify(value) : text}\n`)
  }
}

/** A list, one line each, under headings; `none` where it is empty. */
export function tableOf<Row>(rows: readonly Row[], columns: Columns<Row>, none: string): CommandOutput {
  const headings = Object.keys(columns).map((heading) => heading.toUpperCase())
  const cells = rows.map((row) => Object.values(columns).map((column) => column(row) ?? '-'))
  return { value: rows, text: rows.length === 0 ? none : aligned([headings, ...cells]) }
}

/** One record, a line each member. */
export const record = (value: unknown, members: Record<string, string | null>): CommandOutput => ({
  value,
  text: aligned(Object.entries(members).map(([name, member]) => [name, member ?? '-'])),
})

export function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => width(line[i] ?? ''))))
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - width(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const width = (text: string) => [...text].length
