import { type Command, CommanderError, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, record } from '#kernel/cli/output.ts'
import { setAi } from './pause-ai.ts'

interface Options {
  workspace: string
  pause?: true
  resume?: true
}

export function addContactCommands(program: Command, cli: Cli): void {
  declare(group(program, 'contact', 'the contacts of a workspace'), 'ai', {
    summary: 'pause or resume the AI for a contact',
    description: 'Applies to every contact with the same number or address',
    example: 'contact ai CONTACT --workspace ID --resume',
  })
    .argument('<contact-id>', 'id of the contact')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--pause', 'stop the AI from writing to the contact')
    .addOption(new Option('--resume', 'let it respond to the contact again').conflicts('pause'))
    .action(cli.run(changeAi))
}

async function changeAi(
  command: CommandRuntime,
  id: string,
  { workspace, pause, resume }: Options,
): Promise<CommandOutput> {
  const ctx = await command.workspace(workspace)
  if (pause === undefined && resume === undefined)
    throw new CommanderError(2, 'gable.nothing', 'Name --pause or --resume.')
  const contact = await setAi(ctx, id, pause === true ? 'paused' : 'active')
  return record(
    { id, ai_auto_response: contact.ai_auto_response, ai_paused_reason: contact.ai_paused_reason },
    { Id: id, AI: contact.ai_auto_response, Reason: contact.ai_paused_reason },
  )
}
