import type { Command } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group, workspaceOption } from '#kernel/cli/declare.ts'
import type { CommandOutput } from '#kernel/cli/output.ts'
import { type RebuiltPrompt, rebuildPrompts } from './rebuild-prompt.ts'

export function addPromptCommand(program: Command, cli: Cli): void {
  declare(group(program, 'generations'), 'prompt', {
    summary: 'show everything the model was given for a proposal',
    description:
      'Rebuilds it from what Gable stored. The exit status is 1 if the rebuilt prompt differs from the original, byte for byte, for example because another version of Gable words prompts differently.',
    example: 'generations prompt ID',
  })
    .argument('<id>', 'id of the generation')
    .addOption(workspaceOption())
    .action(cli.run(show))
}

async function show(
  command: CommandRuntime,
  id: string,
  { workspace }: { workspace?: string },
): Promise<CommandOutput> {
  const { db } = await command.workspace(workspace)
  const value = await rebuildPrompts(db, id)
  const all = [value.prompt, value.second_look]
  if (all.some((one) => one?.is_same === false)) process.exitCode = 1
  const texts = all.flatMap((one, at) => (one === null ? [] : promptText(one, titles[at] ?? '')))
  const none = 'Gable no longer keeps what the model was given.'
  return { value, text: texts.length === 0 ? none : texts.join('\n\n') }
}

const titles = ['What the model was given', 'What the model was given for its second look']

const promptText = ({ system, turns, digest, is_same }: RebuiltPrompt, title: string): string[] => [
  `${title} (${is_same ? 'the same' : 'NOT the same'}, byte for byte; SHA-256 ${digest})`,
  `system:\n${system}`,
  ...turns.map(({ role, content }) => `${role}:\n${content}`),
]
