import { type Command, CommanderError } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { type CommandText, declare, group } from '#kernel/cli/declare.ts'
import { withOptionNames } from '#kernel/cli/option-issues.ts'
import { type CommandOutput, type Columns, tableOf, record } from '#kernel/cli/output.ts'
import { scopesHelp, scopesIn } from '../access/public.ts'
import type { AppRow } from './apps/app.ts'
import { createApp } from './apps/create-app.ts'
import { listApps } from './apps/queries.ts'
import { ownerOfApp, deleteApp, rotateAppSecret, setAppEnabled, updateApp } from './manage-app.ts'

interface CreateOptions {
  workspace: string
  name: string
  redirectUri: string[]
  scopes: string
  public?: true
}

interface UpdateOptions {
  name?: string
  redirectUri?: string[]
  scopes?: string
}

const redirectUriText =
  'redirect URI: https://…, http://127.0.0.1/… (any port), or a scheme such as com.example.app:'
const scopesText = 'scopes that it may request, separated by spaces, or all'

export function addAppCommands(program: Command, cli: Cli): void {
  const app = group(program, 'app', 'OAuth 2.0 apps')

  declare(app, 'create', {
    summary: 'register an app',
    description: 'The client secret is shown only once; Gable stores a hash of it.',
    example:
      'app create --workspace ID --name "Lead Mirror" --redirect-uri https://mirror.example/callback --scopes "contacts:read leads:read"',
  })
    .requiredOption('--workspace <id>', 'id of the workspace that owns the app')
    .requiredOption('--name <name>', 'name on the consent page, 1 to 120 characters')
    .requiredOption('--redirect-uri <uri...>', redirectUriText)
    .requiredOption('--scopes <scopes>', scopesText)
    .option('--public', 'a public client without a secret, such as a desktop or browser app')
    .addHelpText('after', scopesHelp)
    .action(cli.run(create))

  declare(app, 'list', {
    summary: 'list the apps that a workspace has registered, newest first',
    example: 'app list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, options: { workspace: string }) => {
        const { directory, workspaceId } = await command.workspace(options.workspace)
        const rows = await listApps(directory, workspaceId)
        const { text } = tableOf(rows, columns, 'The workspace has not registered any apps yet.')
        return { value: rows.map(presented), text }
      }),
    )

  declare(app, 'update', {
    summary: 'update an app',
    description:
      'Tokens lose removed scopes with their next request. --redirect-uri replaces all redirect URIs.',
    example: 'app update CLIENT_ID --name "Lead Mirror" --scopes "contacts:read"',
  })
    .argument('<client-id>', 'the client id')
    .option('--name <name>', 'name on the consent page, 1 to 120 characters')
    .option('--redirect-uri <uri...>', redirectUriText)
    .option('--scopes <scopes>', scopesText)
    .addHelpText('after', scopesHelp)
    .action(cli.run(update))

  onApp(
    cli,
    app,
    'disable',
    {
      summary: 'disable an app in all workspaces, effective with its next request',
      description: 'Gable keeps its grants, so the app works again once you enable it.',
      example: 'app disable CLIENT_ID',
    },
    async (command, id) => shown(await setAppEnabled(await ownerOf(command, id), id, false)),
  )
  onApp(
    cli,
    app,
    'enable',
    { summary: 'enable an app', example: 'app enable CLIENT_ID' },
    async (command, id) => shown(await setAppEnabled(await ownerOf(command, id), id, true)),
  )
  onApp(
    cli,
    app,
    'rotate-secret',
    {
      summary: 'replace the client secret',
      description: 'The new secret is shown only once. The previous one works for another 24 hours.',
      example: 'app rotate-secret CLIENT_ID',
    },
    async (command, id) => {
      const { app: rotated, secret } = await rotateAppSecret(await ownerOf(command, id), id)
      const { previous_secret_until } = rotated
      return record(
        { client_id: id, client_secret: secret, previous_secret_until },
        {
          'Client secret': `${secret}  (shown only now)`,
          'Client id': id,
          'Old secret until': previous_secret_until,
        },
      )
    },
  )
  onApp(
    cli,
    app,
    'delete',
    {
      summary: 'delete an app and all of its grants',
      example: 'app delete CLIENT_ID',
    },
    async (command, id) => {
      const { name } = await deleteApp(await ownerOf(command, id), id)
      return record({ client_id: id, deleted: true }, { Deleted: id, Name: name })
    },
  )
}

/** Adds a command for one app, identified by client id. */
function onApp(
  cli: Cli,
  parent: Command,
  name: string,
  text: CommandText,
  run: (command: CommandRuntime, clientId: string) => Promise<CommandOutput>,
): void {
  declare(parent, name, text).argument('<client-id>', 'the client id').action(cli.run(run))
}

const ownerOf = async (command: CommandRuntime, clientId: string) =>
  command.workspace(await ownerOfApp(command.runtime.database.directory, clientId))

const optionNames = { name: '--name', redirect_uris: '--redirect-uri', scopes: '--scopes' }

async function create(command: CommandRuntime, options: CreateOptions): Promise<CommandOutput> {
  const ctx = await command.workspace(options.workspace)
  const draft = {
    name: options.name,
    redirect_uris: options.redirectUri,
    scopes: [...scopesIn(options.scopes)],
    confidential: options.public !== true,
  }
  const { app, secret } = await withOptionNames(optionNames, () => createApp(ctx, draft))
  return shown(app, secret)
}

async function update(
  command: CommandRuntime,
  clientId: string,
  { name, redirectUri, scopes }: UpdateOptions,
): Promise<CommandOutput> {
  const patch = {
    ...(name === undefined ? {} : { name }),
    ...(redirectUri === undefined ? {} : { redirect_uris: redirectUri }),
    ...(scopes === undefined ? {} : { scopes: [...scopesIn(scopes)] }),
  }
  if (Object.keys(patch).length === 0)
    throw new CommanderError(2, 'gable.nothing', 'Name at least one option to change.')
  const ctx = await ownerOf(command, clientId)
  return shown(await withOptionNames(optionNames, () => updateApp(ctx, clientId, patch)))
}

const typeOf = ({ confidential }: AppRow) => (confidential ? 'confidential' : 'public')
const stateOf = ({ disabled_at }: AppRow) => (disabled_at === null ? 'enabled' : 'disabled')

const presented = (app: AppRow) => ({
  client_id: app.id,
  name: app.name,
  type: typeOf(app),
  redirect_uris: app.redirect_uris,
  scopes: app.scopes,
  disabled_at: app.disabled_at,
  created_at: app.created_at,
})

const columns: Columns<AppRow> = {
  'client id': (app) => app.id,
  name: (app) => app.name,
  type: typeOf,
  state: stateOf,
  'redirect uris': (app) => app.redirect_uris.join(' '),
}

const shown = (app: AppRow, secret?: string): CommandOutput =>
  record(
    { ...presented(app), ...(secret === undefined ? {} : { client_secret: secret }) },
    {
      ...(secret === undefined ? {} : { 'Client secret': `${secret}  (shown only now)` }),
      'Client id': app.id,
      Name: app.name,
      Type: typeOf(app),
      State: stateOf(app),
      'Redirect URIs': app.redirect_uris.join(' '),
      Scopes: app.scopes.join(' '),
    },
  )
