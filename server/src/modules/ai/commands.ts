import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, type Columns, record, tableOf } from '#kernel/cli/output.ts'
import { orNotFound } from '#kernel/errors.ts'
import { findGeneration, listNewestGenerations } from './generation-queries.ts'
import type { GenerationShown } from './generation-record.ts'
import { type RebuiltPrompt, rebuildPrompts } from './rebuild-prompt.ts'

const mostRows = 1000

export function addGenerationCommands(program: Command, cli: Cli): void {
  declare(group(program, 'ai', 'the AI that responds to messages'), 'generations', {
    summary: 'list the proposals of the AI, newest first, with their checks and outcomes',
    example: 'ai generations --workspace ID --contact CONTACT',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--contact <id>', 'only proposals for this contact')
    .option('--call <id>', 'only proposals for this call')
    .addOption(
      new Option('--limit <number>', `how many to list, 1 to ${mostRows}`).default(50).argParser(limitOf),
    )
    .action(cli.run(list))

  declare(group(program, 'ai', 'the AI that responds to messages'), 'generation', {
    summary: 'show a proposal of the AI',
    description:
      'With --prompt, also prints everything the model was given, rebuilt from what Gable stored. The exit status is 1 if the rebuilt prompt differs from the original, byte for byte, for example because another version of Gable words prompts differently.',
    example: 'ai generation GENERATION --workspace ID --prompt',
  })
    .argument('<generation-id>', 'id of the generation')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--prompt', 'also print what the model was given')
    .action(cli.run(show))
}

function limitOf(text: string): number {
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1 && limit <= mostRows) return limit
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostRows}.`)
}

async function list(
  command: CommandRuntime,
  { workspace, contact, call, limit }: { workspace: string; contact?: string; call?: string; limit: number },
) {
  const { db } = await command.workspace(workspace)
  const newest = await listNewestGenerations(db, { contactId: contact, callId: call, limit })
  return { ...tableOf(newest, columns, 'The AI has not proposed anything yet.'), value: newest }
}

async function show(
  command: CommandRuntime,
  id: string,
  { workspace, prompt: withPrompt }: { workspace: string; prompt?: true },
): Promise<CommandOutput> {
  const { db } = await command.workspace(workspace)
  const generation = orNotFound(await findGeneration(db, id))
  const shown = record(generation, {
    ...Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column(generation)])),
    persona: `${generation.persona_id}, version ${generation.persona_version}`,
    model: generation.model,
    disposition: generation.proposal?.disposition ?? null,
    extracted: extractedOf(generation),
    'decided by': generation.decided_by && [generation.decided_by.type, generation.decided_by.id].join(' '),
    message: generation.message_id,
  })
  if (withPrompt === undefined) return shown
  const rebuilt = await rebuildPrompts(db, id)
  const all = [rebuilt.prompt, rebuilt.second_look]
  if (all.some((one) => one?.is_same === false)) process.exitCode = 1
  const texts = all.flatMap((one, at) => (one === null ? [] : promptText(one, titles[at] ?? '')))
  const none = 'Gable no longer keeps what the model was given.'
  return {
    value: { ...generation, ...rebuilt },
    text: [shown.text, ...(texts.length === 0 ? [none] : texts)].join('\n\n'),
  }
}

const titles = ['What the model was given', 'What the model was given for its second look']

const promptText = ({ system, turns, digest, is_same }: RebuiltPrompt, title: string): string[] => [
  `${title} (${is_same ? 'the same' : 'NOT the same'}, byte for byte; SHA-256 ${digest})`,
  `system:\n${system}`,
  ...turns.map(({ role, content }) => `${role}:\n${content}`),
]

const extractedOf = ({ proposal }: GenerationShown): string | null =>
  Object.entries(proposal?.extracted ?? {})
    .flatMap(([name, said]) => (said === null ? [] : [`${name}: ${said}`]))
    .join('; ') || null

const columns: Columns<GenerationShown> = {
  id: ({ id }) => id,
  at: ({ created_at }) => created_at,
  contact: ({ contact_id }) => contact_id,
  call: ({ call_id }) => call_id,
  decision: ({ decision, reason }) => (reason === null ? decision : `${decision}: ${reason}`),
  checks: ({ checks }) => (checks.length === 0 ? null : checks.join(', ')),
  price: ({ price }) => (price === null ? null : `$${price.toFixed(4)}`),
  text: ({ proposal }) => proposal?.text ?? null,
}
