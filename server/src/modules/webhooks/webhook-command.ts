import type { Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { type CommandText, declare } from '#kernel/cli/declare.ts'
import type { CommandOutput } from '#kernel/cli/output.ts'
import type { Ctx } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import { findWebhook } from './queries.ts'
import type { WebhookRow } from './webhook.ts'

/** The input of a command on a webhook. */
export interface WebhookTarget<Options> {
  ctx: Ctx
  webhook: WebhookRow
  options: Options & { workspace: string }
}

/** Adds a command on one webhook, whose id is the first argument. Throws `NotFound` if the webhook does not exist. */
export function declareOnWebhook<Options = object>(
  cli: Cli,
  parent: Command,
  name: string,
  text: CommandText,
  run: (target: WebhookTarget<Options>, ...names: string[]) => Promise<CommandOutput>,
): Command {
  const command = declare(parent, name, text)
    .argument('<webhook-id>', 'id of the webhook')
    .requiredOption('--workspace <id>', 'id of the workspace')
  return command.action(
    cli.run(async (opened, id: string, ...rest: unknown[]) => {
      const options = command.opts<Options & { workspace: string }>()
      const ctx = await opened.workspace(options.workspace)
      const webhook = await findWebhook(ctx.db, ctx.actor, id)
      if (webhook === undefined) throw NotFound(`There is no webhook ${id} in this workspace.`)
      return await run({ ctx, webhook, options }, ...rest.filter((one) => typeof one === 'string'))
    }),
  )
}
