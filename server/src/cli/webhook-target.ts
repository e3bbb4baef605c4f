import type { Command } from 'commander'
import type { Ctx } from '#kernel/context.ts'
import { AppError, NotFound } from '#kernel/errors.ts'
import { WebhookNotActive } from '../modules/deliveries/public.ts'
import { type WebhookRow, findWebhook, statusOf } from '../modules/webhooks/public.ts'
import { type Answer, answering } from './answer.ts'
import { type CommandText, declare } from './declare.ts'
import { openForCommand } from './open-house.ts'

/** What a command on a webhook works with. */
export interface Target<Options> {
  ctx: Ctx
  webhook: WebhookRow
  options: Options & { workspace: string }
}

/** Adds a command on one webhook, named by its id as the first argument; the webhook must exist. */
export function declareOnWebhook<Options = object>(
  parent: Command,
  name: string,
  text: CommandText,
  run: (target: Target<Options>, ...names: string[]) => Promise<Answer>,
): Command {
  const command = declare(parent, name, text)
    .argument('<webhook-id>', 'id of the webhook')
    .requiredOption('--workspace <id>', 'id of the workspace')
  return command.action(
    answering(async (id: string, ...rest: unknown[]) => {
      const options = command.opts<Options & { workspace: string }>()
      await using opened = await openForCommand()
      const ctx = await opened.workspace(options.workspace)
      const webhook = await findWebhook(ctx.db, id)
      if (webhook === undefined) throw NotFound(`There is no webhook ${id} in this workspace.`)
      return await run({ ctx, webhook, options }, ...rest.filter((one) => typeof one === 'string'))
    }),
  )
}

/** Throws, and says how it is taken into use, unless the webhook's status is one of these. */
export function requireStatus(
  { ctx, webhook }: Pick<Target<object>, 'ctx' | 'webhook'>,
  ...statuses: ReturnType<typeof statusOf>[]
): void {
  const status = statusOf(webhook)
  if (statuses.includes(status)) return
  const resume = `npm run -s gable -- webhook update ${webhook.id} --workspace ${ctx.workspaceId} --resume`
  const message = `Webhook ${webhook.id} is ${status}. Take it into use with: ${resume}`
  throw new AppError(WebhookNotActive.code, WebhookNotActive.status, { message })
}
