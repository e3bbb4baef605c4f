import type { Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { type CommandText, declare } from '#kernel/cli/declare.ts'
import type { CommandOutput } from '#kernel/cli/output.ts'
import type { Ctx } from '#kernel/context.ts'
import { type Names, loadNames } from './names.ts'

/** The input of a routing command. */
export interface RoutingTarget<Options> {
  ctx: Ctx
  names: Names
  options: Options
}

/** Adds a command on the routing of one workspace. The workspace must exist. */
export function declareRouting<Options = object>(
  cli: Cli,
  parent: Command,
  name: string,
  text: CommandText,
  run: (target: RoutingTarget<Options>, ...operands: string[]) => Promise<CommandOutput>,
): Command {
  const command = declare(parent, name, text).requiredOption('--workspace <id>', 'id of the workspace')
  return command.action(
    cli.run(async (opened, ...operands: unknown[]) => {
      const options = command.opts<Options & { workspace: string }>()
      const ctx = await opened.workspace(options.workspace)
      const names = await loadNames(ctx.db)
      return await run({ ctx, names, options }, ...operands.filter((one) => typeof one === 'string'))
    }),
  )
}
