import { type Command, Option } from 'commander'

export interface CommandText {
  summary: string
  /** Details that do not fit in the summary. */
  description?: string
  /** Omits the `npm run -s gable --` prefix. */
  example: string
  /** What `--json` does, if it differs from other commands. */
  json?: string
}

/** Adds a command with the parts that all commands share: `--json`, and an example under `--help`. */
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

/**
 * The noun under which related commands are grouped. Several modules may share one. Without a summary, its help lists
 * the commands.
 */
export const group = (parent: Command, name: string, summary = ''): Command =>
  parent.commands.find((one) => one.name() === name) ??
  parent.command(name).helpCommand(false).summary(summary).description(summary)

/** The option that names the workspace of a command. See `CommandRuntime.workspace`. */
export const workspaceOption = () =>
  new Option('--workspace <id>', 'id of the workspace (default: the only one)')
