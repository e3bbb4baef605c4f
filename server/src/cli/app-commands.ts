import { type Command, CommanderError } from 'commander'
import { allScopes } from '../modules/access/public.ts'
import {
  type AppRow,
  appsOwner,
  createApp,
  deleteApp,
  listApps,
  rotateAppSecret,
  setAppEnabled,
  updateApp,
} from '../modules/oauth/public.ts'
import { type Answer, type Columns, answering, listing, record } from './answer.ts'
import { type CommandText, declare, group } from './declare.ts'
import { type CommandHouse, openForCommand } from './open-house.ts'

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
  'where browsers go back to: https://…, http://127.0.0.1/… (any port), or a scheme such as com.example.app:'
const scopesHelp = `\nScopes:\n  ${allScopes.join('\n  ')}`
const scopesText = 'what it may ask for: names with spaces between them, or all'

export function addAppCommands(program: Command): void {
  const app = group(program, 'app', 'applications that may act for workspaces, by OAuth 2.0')

  declare(app, 'create', {
    summary: 'register an application',
    description: 'The client secret is shown this once; only a hash of it is kept.',
    example:
      'app create --workspace ID --name "Lead Mirror" --redirect-uri https://mirror.example/callback --scopes "contacts:read leads:read"',
  })
    .requiredOption('--workspace <id>', 'id of the workspace whose developers own it')
    .requiredOption('--name <name>', 'what people are asked to approve, 1 to 120 characters')
    .requiredOption('--redirect-uri <uri...>', redirectUriText)
    .requiredOption('--scopes <scopes>', scopesText)
    .option('--public', 'it cannot keep a secret, such as a program on a desk or in a browser')
    .addHelpText('after', scopesHelp)
    .action(answering(create))

  declare(app, 'list', {
    summary: 'list the applications that a workspace has registered, newest first',
    example: 'app list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      answering(async (options: { workspace: string }) => {
        await using command = await openForCommand()
        const { directory, workspaceId } = await command.workspace(options.workspace)
        const rows = await listApps(directory, workspaceId)
        const { text } = listing(rows, columns, 'The workspace has registered no applications yet.')
        return { value: rows.map(presented), text }
      }),
    )

  declare(app, 'update', {
    summary: 'change an application',
    description:
      'What it may no longer ask for, its tokens cannot do from their next request on. The redirect URIs named replace all that there were.',
    example: 'app update CLIENT_ID --name "Lead Mirror" --scopes "contacts:read"',
  })
    .argument('<client-id>', 'the client id')
    .option('--name <name>', 'what people are asked to approve, 1 to 120 characters')
    .option('--redirect-uri <uri...>', redirectUriText)
    .option('--scopes <scopes>', scopesText)
    .addHelpText('after', scopesHelp)
    .action(answering(update))

  onApp(
    app,
    'disable',
    {
      summary: 'stop an application everywhere, from its next request on',
      description: 'What workspaces have granted stays for when it is enabled again.',
      example: 'app disable CLIENT_ID',
    },
    async (command, id) => shown(await setAppEnabled(await ownerOf(command, id), id, false)),
  )
  onApp(
    app,
    'enable',
    { summary: 'let an application work again', example: 'app enable CLIENT_ID' },
    async (command, id) => shown(await setAppEnabled(await ownerOf(command, id), id, true)),
  )
  onApp(
    app,
    'rotate-secret',
    {
      summary: 'replace the client secret',
      description: 'The new one is shown this once. The one before it works for another 24 hours.',
      example: 'app rotate-secret CLIENT_ID',
    },
    async (command, id) => {
      const { secret, until } = await rotateAppSecret(await ownerOf(command, id), id)
      return record(
        { client_id: id, client_secret: secret, previous_secret_until: until.toISOString() },
        {
          'Client secret': `${secret}  (shown only now)`,
          'Client id': id,
          'Old secret until': until.toISOString(),
        },
      )
    },
  )
  onApp(
    app,
    'delete',
    {
      summary: 'remove an application, with all that workspaces have granted it',
      example: 'app delete CLIENT_ID',
    },
    async (command, id) => {
      const { name } = await deleteApp(await ownerOf(command, id), id)
      return record({ client_id: id, deleted: true }, { Deleted: id, Name: name })
    },
  )
}

/** Adds a command on one application, named by its client id. */
function onApp(
  parent: Command,
  name: string,
  text: CommandText,
  run: (command: CommandHouse, clientId: string) => Promise<Answer>,
): void {
  declare(parent, name, text)
    .argument('<client-id>', 'the client id')
    .action(
      answering(async (clientId: string) => {
        await using command = await openForCommand()
        return await run(command, clientId)
      }),
    )
}

const ownerOf = async (command: CommandHouse, clientId: string) =>
  command.workspace(await appsOwner(command.house.database.directory, clientId))

async function create(options: CreateOptions): Promise<Answer> {
  await using command = await openForCommand()
  const { app, secret } = await createApp(await command.workspace(options.workspace), {
    name: options.name,
    redirectUris: options.redirectUri,
    scopes: scopesIn(options.scopes),
    confidential: options.public !== true,
  })
  return shown(app, secret)
}

async function update(clientId: string, { name, redirectUri, scopes }: UpdateOptions): Promise<Answer> {
  const patch = {
    ...(name === undefined ? {} : { name }),
    ...(redirectUri === undefined ? {} : { redirectUris: redirectUri }),
    ...(scopes === undefined ? {} : { scopes: scopesIn(scopes) }),
  }
  if (Object.keys(patch).length === 0)
    throw new CommanderError(2, 'gable.nothing', 'Nothing to change was named.')
  await using command = await openForCommand()
  return shown(await updateApp(await ownerOf(command, clientId), clientId, patch))
}

const scopesIn = (text: string): readonly string[] =>
  text === 'all' ? allScopes : text.split(/[\s,]+/).filter((scope) => scope !== '')

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

const shown = (app: AppRow, secret?: string): Answer =>
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
