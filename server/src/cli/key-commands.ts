import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  type ApiKeyRow,
  allScopes,
  apiKeysOwner,
  createApiKey,
  defaultLifetimeDays,
  listApiKeys,
  maxLifetimeDays,
  revokeApiKey,
} from '../modules/access/public.ts'
import { type Answer, type Columns, answering, listing, record } from './answer.ts'
import { declare, group } from './declare.ts'
import { openForCommand } from './open-house.ts'

interface KeyOptions {
  workspace: string
  name: string
  scopes: string
  expiresDays: number
  neverExpires?: true
}

export function addKeyCommands(program: Command): void {
  const key = group(program, 'key', 'API keys')

  declare(key, 'create', {
    summary: 'create an API key',
    description: 'The key is shown this once; only a hash of it is kept.',
    example:
      'key create --workspace ID --name "Website form" --scopes "contacts:read contacts:write" --expires-days 30',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--name <name>', 'who or what uses it, 1 to 120 characters')
    .requiredOption('--scopes <scopes>', 'names of scopes with spaces between them, or all')
    .addOption(
      new Option('--expires-days <days>', `1 to ${maxLifetimeDays}`)
        .default(defaultLifetimeDays)
        .argParser(lifetime),
    )
    .addOption(new Option('--never-expires', 'a key without an end; think twice').conflicts('expiresDays'))
    .addHelpText('after', `\nScopes:\n  ${allScopes.join('\n  ')}`)
    .action(answering(createKey))

  declare(key, 'list', {
    summary: 'list the API keys of a workspace, newest first',
    example: 'key list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      answering(async (options: { workspace: string }) => {
        await using command = await openForCommand()
        const { directory, workspaceId } = await command.workspace(options.workspace)
        const now = command.house.clock.now().toISOString()
        return listing(
          await listApiKeys(directory, workspaceId),
          columnsAt(now),
          'The workspace has no API keys yet.',
        )
      }),
    )

  declare(key, 'revoke', {
    summary: 'revoke an API key, from its next request on',
    example: 'key revoke KEY_ID',
  })
    .argument('<key-id>', 'the id, not the key itself')
    .action(
      answering(async (id: string) => {
        await using command = await openForCommand()
        const { database, clock } = command.house
        const owner = await apiKeysOwner(database.directory, id)
        const row = await revokeApiKey(database.directory, owner, id, clock.now())
        return record(row, { Id: row.id, Name: row.name, Revoked: row.revoked_at })
      }),
    )
}

async function createKey({
  workspace,
  name,
  scopes,
  expiresDays,
  neverExpires,
}: KeyOptions): Promise<Answer> {
  await using command = await openForCommand()
  const { directory, workspaceId, clock } = await command.workspace(workspace)
  const draft = {
    workspaceId,
    name,
    scopes: scopes === 'all' ? allScopes : scopes.split(/[\s,]+/).filter((scope) => scope !== ''),
    lifetimeDays: neverExpires === true ? null : expiresDays,
  }
  const { key, row } = await createApiKey(directory, draft, clock.now())
  return record(
    { id: row.id, key, name: row.name, scopes: row.scopes, expires_at: row.expires_at },
    {
      Key: `${key}  (shown only now)`,
      Id: row.id,
      Name: row.name,
      Scopes: row.scopes.join(' '),
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
