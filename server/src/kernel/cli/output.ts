import type { Command } from 'commander'

/** What a command prints: a value for `--json`, text for people. */
export interface CommandOutput {
  value: unknown
  text: string
  /** A remark about the output. It goes to standard error. */
  notice?: string | undefined
}

/** Column headings, and how to read each column's value from a row. */
export type Columns<Row> = Record<string, (row: Row) => string | null>

/** Makes a command's action: it prints what `run` returns, as text or as JSON. */
export function printing<A extends unknown[]>(run: (...args: A) => Promise<CommandOutput>) {
  return async function (this: Command, ...args: A): Promise<void> {
    const { value, text, notice } = await run(...args)
    process.stdout.write(`${this.opts()['json'] === true ? JSON.stringify(value) : text}\n`)
    if (notice !== undefined) process.stderr.write(`${notice}\n`)
  }
}

/**
 * Formats a list as a table with headings, one row per line. Returns `none` as the text if the list is empty. Leaves out
 * the rows beyond `limit`, and says so.
 */
export function tableOf<Row>(
  all: readonly Row[],
  columns: Columns<Row>,
  none: string,
  limit = all.length,
): CommandOutput {
  const rows = all.slice(0, limit)
  const headings = Object.keys(columns).map((heading) => heading.toUpperCase())
  const cells = rows.map((row) => Object.values(columns).map((column) => column(row) ?? '-'))
  return {
    value: rows,
    text: rows.length === 0 ? none : aligned([headings, ...cells]),
    notice: all.length > limit ? `These are the newest ${limit}. To list more, use --limit.` : undefined,
  }
}

/** Formats one record, one member per line. */
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
