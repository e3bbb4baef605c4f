import type { Command } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type Columns, type CommandOutput, tableOf } from '#kernel/cli/output.ts'
import { carrierAbove, readConfig } from '../config.ts'
import { type Refreshed, refreshConnection } from '../modules/messages/public.ts'
import {
  listConnectionIds,
  listConnections,
  messageProviders,
  openAccount,
} from '../modules/senders/public.ts'

/** `gable sender refresh`. It is here because it needs the adapters, which only the composition root has. */
export function addRefreshCommand(program: Command, cli: Cli): void {
  declare(group(program, 'sender', 'the numbers and addresses that messages come from'), 'refresh', {
    summary: 'ask the providers about registrations and WhatsApp templates now',
    description:
      'Workers do this each hour, without simulated connections. Prints what changed, and which provider did not say; nothing changes there.',
    example: 'sender refresh --workspace ID',
  })
    .option('--workspace <id>', 'id of the workspace; all of them by default')
    .action(cli.run(refresh))
}

async function refresh(
  command: CommandRuntime,
  { workspace }: { workspace?: string },
): Promise<CommandOutput> {
  const { runtime } = command
  const { openCarriers } = await import('../app.ts')
  const config = readConfig()
  const simulatedCarrierUrl = urlOfSimulated(config)
  await using opened = openCarriers({
    egress: config.egress,
    clock: runtime.clock,
    origin: runtime.origin,
    ...(simulatedCarrierUrl !== undefined && { simulatedCarrierUrl }),
  })
  const all: Refreshed = { changes: [], failures: [] }
  for await (const id of connectionsOf(command, workspace)) {
    const account = await openAccount(
      { directory: runtime.database.directory, keys: runtime.keys, clock: runtime.clock },
      id,
    )
    if (account === undefined || (account.simulated && simulatedCarrierUrl === undefined)) continue
    const ctx = await command.workspace(account.workspaceId)
    const { changes, failures } = await refreshConnection(ctx, opened.carriers, account)
    all.changes.push(...changes)
    all.failures.push(...failures)
  }
  const { text } = tableOf(all.changes, columns, 'Nothing changed.')
  const failed = all.failures.map(({ connection_id, message }) => `Connection ${connection_id}: ${message}`)
  return { value: all, text: [text, ...failed].join('\n') }
}

/** Where the simulated carrier is. */
const urlOfSimulated = ({ simulatedCarrier, port }: ReturnType<typeof readConfig>): string | undefined =>
  simulatedCarrier === 'own' ? `http://127.0.0.1:${port + carrierAbove}` : simulatedCarrier

async function* connectionsOf(
  command: CommandRuntime,
  workspace: string | undefined,
): AsyncGenerator<string> {
  const { directory } = command.runtime.database
  if (workspace !== undefined) {
    await command.workspace(workspace)
    for (const { id } of await listConnections(directory, workspace)) yield id
    return
  }
  for (let ids = await listConnectionIds(directory, messageProviders); ids.length > 0;) {
    yield* ids
    ids = await listConnectionIds(directory, messageProviders, ids.at(-1))
  }
}

const columns: Columns<Refreshed['changes'][number]> = {
  type: ({ type }) => type,
  id: ({ id }) => id,
  name: ({ name }) => name,
  changed: ({ changed }) => changed.join(' '),
}
