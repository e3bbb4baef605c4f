import { type Command, InvalidArgumentError } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { type CommandText, declare } from '#kernel/cli/declare.ts'
import type { CommandOutput } from '#kernel/cli/output.ts'
import type { Ctx } from '#kernel/context.ts'

type Operands = readonly (readonly [name: string, meaning: string])[]

/** Returns a function that adds commands to a noun. Each takes `--workspace` and operands; `run` returns the output. */
export const commandsIn =
  (noun: Command, cli: Cli) =>
  <O extends object>(
    name: string,
    text: CommandText,
    operands: Operands,
    run: (ctx: Ctx, operands: readonly string[], options: O) => Promise<CommandOutput>,
  ): Command => {
    const command = declare(noun, name, text).requiredOption('--workspace <id>', 'id of the workspace')
    for (const [operand, meaning] of operands) command.argument(operand, meaning)
    return command.action(
      cli.run(async (opened, ...given: unknown[]) => {
        const options = command.opts<O & { workspace: string }>()
        const values = given.filter((one) => typeof one === 'string')
        return run(await opened.workspace(options.workspace), values, options)
      }),
    )
  }

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}
