import type { Command } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group, workspaceOption } from '#kernel/cli/declare.ts'
import { type CommandOutput, listOutput } from '#kernel/cli/output.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { carrierAbove, readConfig } from '../config.ts'
import { type VoiceTest, testVoice } from '../modules/calls/public.ts'
import { type Refreshed, refreshConnection } from '../modules/messages/public.ts'
import {
  listConnectionIds,
  listConnections,
  messageProviders,
  openAccount,
} from '../modules/senders/public.ts'

/**
 * `gable senders refresh` and `gable connections test`. They are here because they need the adapters, which only the
 * composition root has.
 */
export function addProviderCommands(program: Command, cli: Cli): void {
  declare(group(program, 'senders'), 'refresh', {
    summary: 'check registrations and WhatsApp templates with the providers now',
    description:
      'Workers do this every hour, except for simulated connections. Prints what changed, and which providers did not respond; their states do not change.',
    example: 'senders refresh',
  })
    .option('--workspace <id>', 'id of the workspace (default: all workspaces)')
    .action(cli.run(refresh))

  declare(group(program, 'connections'), 'test', {
    summary: 'test whether a voice provider accepts the credentials',
    description: 'For connections with Retell and Twilio. The exit status is 1 if the test fails.',
    example: 'connections test ID',
  })
    .argument('<id>', 'id of the connection')
    .addOption(workspaceOption())
    .action(cli.run(test))
}

const testTexts: Readonly<Record<Exclude<VoiceTest, 'accepted'>, string>> = {
  rejected: 'The provider rejects the credentials.',
  unknown_account: 'The provider accepts the credentials, but does not have the account.',
  unreachable: 'Gable cannot reach the provider, or the provider does not carry calls. Nothing was recorded.',
  disconnected: 'The connection is disconnected. Replace its credentials to connect it again.',
}

async function test(
  command: CommandRuntime,
  id: string,
  { workspace }: { workspace?: string },
): Promise<CommandOutput> {
  const ctx = await command.workspace(workspace)
  await using opened = await openProviders(command)
  const result = await testVoice(ctx, opened.voice, id)
  if (result !== 'accepted') throw new OperatorError(testTexts[result])
  return { value: { id, result }, text: 'The provider accepts the credentials.' }
}

async function refresh(
  command: CommandRuntime,
  { workspace }: { workspace?: string },
): Promise<CommandOutput> {
  const { runtime } = command
  await using opened = await openProviders(command)
  const { simulatedCarrierUrl } = opened
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
  const { text } = listOutput(all.changes, 'Nothing changed.')
  const failed = all.failures.map(({ connection_id, message }) => `Connection ${connection_id}: ${message}`)
  return { value: all, text: [text, ...failed].join('\n') }
}

/** Opens the providers of connections. Also returns the URL of the simulated carrier. */
async function openProviders({ runtime }: CommandRuntime) {
  const { openCarriers } = await import('../app.ts')
  const config = readConfig()
  const simulatedCarrierUrl = urlOfSimulated(config)
  const carriers = openCarriers({
    egress: config.egress,
    clock: runtime.clock,
    origin: runtime.origin,
    ...(simulatedCarrierUrl !== undefined && { simulatedCarrierUrl }),
  })
  return { ...carriers, simulatedCarrierUrl }
}

/** The URL of the simulated carrier. */
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
