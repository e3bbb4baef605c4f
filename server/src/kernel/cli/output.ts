import type { Command } from 'commander'
import { recordText, tableText } from './presentation.ts'

/** What a command prints: a value for `--json`, text for people. */
export interface CommandOutput {
  value: unknown
  text: string
  /** A remark about the output. It goes to standard error. */
  notice?: string | undefined
}

/** Makes a command's action: it prints what `run` returns, as text or as JSON. */
export function printing<A extends unknown[]>(run: (...args: A) => Promise<CommandOutput>) {
  return async function (this: Command, ...args: A): Promise<void> {
    const { value, text, notice } = await run(...args)
    process.stdout.write(`${this.opts()['json'] === true ? JSON.stringify(value) : shownText(text)}\n`)
    if (notice !== undefined) process.stderr.write(`${notice}\n`)
  }
}

/** Text of others must not move the cursor or color the screen. */
export const shownText = (text: string): string => text.replaceAll(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '')

/** A record as a command's output. */
export const recordOutput = (value: object): CommandOutput => ({ value, text: recordText({ ...value }) })

/** A list as a command's output. `none` is its text if it is empty. */
export const listOutput = (rows: readonly object[], none: string): CommandOutput => ({
  value: rows,
  text: rows.length === 0 ? none : tableText(rows.map((row) => ({ ...row }))),
})
