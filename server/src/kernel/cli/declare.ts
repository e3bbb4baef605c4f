import type { Command } from 'commander'

export interface CommandText {
  summary: string
  /** What else there is to know. */
  description?: string
  /** Without `npm run -s gable --`. */
  example: string
  /** What --json does, where that is something else than everywhere. */
  json?: string
}

/** Adds a command with what every command has: `--json`, and an example under `--help`. */
export const declare = (
  parent: Command,
  name: string,
  { summary, description, example, json = 'print exactly one JSON value' }: CommandText,
): Command =>
  parent
    .command(name)
    .summary(summary)
    .description(description === undefined ? summary : `${summary}. ${description}`)
    .option('--json', json)
    .addHelpText('after', `\nExample:\n  npm run -s gable -- ${example}`)

/** The noun that commands stand under. Modules may share one. */
export const group = (parent: Command, name: string, summary: string): Command =>
  parent.commands.find((one) => one.name() === name) ??
  parent.command(name).helpCommand(false).summary(summary).description(summary)
