import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type Columns, tableOf } from '#kernel/cli/output.ts'
import { listNewestGenerations } from './generation-queries.ts'
import type { GenerationShown } from './generation-record.ts'

const mostRows = 1000

export function addGenerationCommands(program: Command, cli: Cli): void {
  declare(group(program, 'ai', 'the AI that responds to messages'), 'generations', {
    summary: 'list what the AI proposed, newest first, with the checks and what became of it',
    example: 'ai generations --workspace ID --contact CONTACT',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--contact <id>', 'only those for this contact')
    .option('--call <id>', 'only those for this call')
    .addOption(
      new Option('--limit <number>', `how many at most, 1 to ${mostRows}`).default(50).argParser(limitOf),
    )
    .action(cli.run(list))
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
  const found = await listNewestGenerations(db, { contactId: contact, callId: call, limit })
  return { ...tableOf(found, columns, 'The AI has proposed nothing yet.'), value: found }
}

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
