import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, type Columns, tableOf, record } from '#kernel/cli/output.ts'
import { type ApiKeyRow, defaultLifetimeDays, maxLifetimeDays } from './api-key.ts'
import { ownerOfApiKey, createApiKey, revokeApiKey } from './api-keys.ts'
import { listApiKeys } from './queries.ts'
import { scopesHelp, scopesIn } from './scope-option.ts'

interface KeyOptions {
  workspace: string
  name: string
  scopes: string
  expiresDays: number
  neverExpires?: true
  member?: string
}

export function addKeyCommands(program: Command, cli: Cli): void {
  const key = group(program, 'key', 'API keys')

  declare(key, 'create', {
    summary: 'create an API key',
    description: 'The key is shown only once; Gable stores a hash of it.',
    example:
      'key create --workspace ID --name "Website form" --scopes "contacts:read contacts:write" --expires-days 30',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--name <name>', 'what the key is used for, 1 to 120 characters')
    .requiredOption('--scopes <scopes>', 'scopes separated by spaces, or all')
    .addOption(
      new Option('--expires-days <days>', `1 to ${maxLifetimeDays}`)
        .default(defaultLifetimeDays)
        .argParser(lifetime),
    )
    .addOption(
      new Option('--never-expires', 'create a key that never expires; avoid this if possible').conflicts(
        'expiresDays',
      ),
    )
    .option('--member <id>', 'a member that the key acts for, limited to their role and access')
    .addHelpText('after', scopesHelp)
    .action(cli.run(createKey))

  declare(key, 'list', {
    summary: 'list the API keys of a workspace, newest first',
    example: 'key list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, options: { workspace: string }) => {
        const { directory, workspaceId } = await command.workspace(options.workspace)
        const now = command.runtime.clock.now().toISOString()
        return tableOf(
          await listApiKeys(directory, workspaceId),
          columnsAt(now),
          'The workspace has no API keys yet.',
        )
      }),
    )

  declare(key, 'revoke', {
    summary: 'revoke an API key, starting with its next request',
    example: 'key revoke KEY_ID',
  })
    .argument('<key-id>', 'the id, not the key itself')
    .action(
      cli.run(async (command, id: string) => {
        const owner = await ownerOfApiKey(command.runtime.database.directory, id)
        const row = await revokeApiKey(await command.workspace(owner), id)
        return record(row, { Id: row.id, Name: row.name, Revoked: row.revoked_at })
      }),
    )
}

async function createKey(
  command: CommandRuntime,
  { workspace, name, scopes, expiresDays, neverExpires, member }: KeyOptions,
): Promise<CommandOutput> {
  const draft = {
    name,
    scopes: scopesIn(scopes),
    expires_in_days: neverExpires === true ? null : expiresDays,
    member_id: member ?? null,
  }
  const { key, row } = await createApiKey(await command.workspace(workspace), draft)
  return record(
    {
      id: row.id,
      key,
      name: row.name,
      scopes: row.scopes,
      member_id: row.member_id,
      expires_at: row.expires_at,
    },
    {
      Key: `${key}  (shown only now)`,
      Id: row.id,
      Name: row.name,
      Scopes: row.scopes.join(' '),
      ...(row.member_id === null ? {} : { 'Acts for': row.member_id }),
      Expires: row.expires_at ?? 'never',
    },
  )
}

const columnsAt = (now: string): Columns<ApiKeyRow> => ({
  id: (row) => row.id,
  key: (row) => `${row.prefix}…`,
  name: (row) => row.name,
  state: (row) => stateOf(row, now),
  expires: (row) => row.expires_at ?? 'never',
  'last used': (row) => row.last_used_at,
})

function stateOf({ revoked_at, expires_at }: ApiKeyRow, now: string): string {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'valid'
}

function lifetime(text: string): number {
  const days = Number(text)
  if (/^\d+$/.test(text) && days >= 1 && days <= maxLifetimeDays) return days
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxLifetimeDays}.`)
}
