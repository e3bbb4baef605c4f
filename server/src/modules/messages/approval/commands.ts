import type { Command } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, record } from '#kernel/cli/output.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { cancelMessage } from '../cancel-message.ts'
import { type Message, presentMessage } from '../message.ts'
import { Approval, approveMessage, planApproval } from './approve-message.ts'

interface Target {
  workspace: string
}

export function addMessageCommands(program: Command, cli: Cli): void {
  const message = group(program, 'message', 'messages to contacts')

  declare(message, 'approve', {
    summary: 'approve and send a message of the AI',
    description:
      'If only the hours forbid the message, it is sent when they begin. While the AI is paused, the message keeps waiting',
    example: 'message approve MESSAGE --workspace ID',
  })
    .argument('<message-id>', 'id of the message')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--body <text>', 'a text to send instead, which then counts as written by a person')
    .action(cli.run(approve))

  declare(message, 'drop', {
    summary: 'cancel a message that is waiting for approval or to be sent',
    example: 'message drop MESSAGE --workspace ID',
  })
    .argument('<message-id>', 'id of the message')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, id: string, { workspace }: Target) =>
        shown(await cancelMessage(await command.workspace(workspace), id)),
      ),
    )
}

const validate = bodyValidator(Approval)

async function approve(command: CommandRuntime, id: string, { workspace, body }: Target & { body?: string }) {
  const ctx = await command.workspace(workspace)
  const approval = body === undefined ? {} : { body }
  validate(approval)
  return shown(await approveMessage(ctx, await planApproval(ctx, id, approval)))
}

const shown = (message: Message): CommandOutput =>
  record(presentMessage(message), {
    Id: message.id,
    Status: message.status,
    'Leaves at': message.scheduled_at,
    Text: message.body,
  })
