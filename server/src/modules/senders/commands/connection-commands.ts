import { readFile } from 'node:fs/promises'
import { type Command, CommanderError, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { withOptionNames } from '#kernel/cli/option-issues.ts'
import { type CommandOutput, type Columns, record, tableOf } from '#kernel/cli/output.ts'
import { readSecretLine } from '#kernel/cli/read-secret-line.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { rsaKeyOf, emailSettings } from '../accounts/email-account.ts'
import { listConnections } from '../connection-queries.ts'
import { ConnectionDraft, ConnectionPatch, type ConnectionRow, presentConnection } from '../connection.ts'
import { disconnectConnection } from '../disconnect.ts'
import { type Provider, providers } from '../ports.ts'
import { createConnection, updateConnection } from '../save-connection.ts'
import { pairsOption } from './options.ts'

const secretText = 'read the credentials from the first line of standard input'
const settingText =
  'a setting of the provider: +13125550188=106540352242922, the phone number ID of a WhatsApp sender, or smtp=smtps://mail.example.com, or url=https://sign.example.com, a Documenso of your own'
const dkimKeyText = 'a file with the RSA key that signs emails, as PEM'
const emailText = `Settings of email: ${Object.entries(emailSettings)
  .map(([name, what]) => `${name}=, ${what}`)
  .join('; ')}.`

interface Changes {
  workspace: string
  name?: string
  setting?: Record<string, string>
  secretStdin?: true
  dkimKey?: string
}

interface Creation extends Changes {
  provider: Provider
  name: string
  account: string
}

export function addConnectionCommands(program: Command, cli: Cli): void {
  const connection = group(
    program,
    'connection',
    'accounts with the providers that carry messages and calls, and that documents are signed with',
  )

  declare(connection, 'list', {
    summary: 'list the connections of a workspace, newest first',
    example: 'connection list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, options: { workspace: string }) => {
        const { directory, workspaceId } = await command.workspace(options.workspace)
        const rows = await listConnections(directory, workspaceId)
        const { text } = tableOf(rows, columns, 'The workspace has no connections yet.')
        return { value: rows.map(presentConnection), text }
      }),
    )

  declare(connection, 'create', {
    summary: 'connect an account with a provider',
    description:
      'Gable encrypts the credentials: the auth token (Twilio), the password (email), the API key (Retell), or several values separated by spaces: access token and app secret (WhatsApp), API token and webhook secret (Documenso), Connect key, integration key, user ID, and private key as Base64 (DocuSign). A simulated connection needs no credentials. Senders and documents without a connection get a simulated one. ' +
      emailText,
    example:
      'connection create --workspace ID --provider twilio --name Twilio --account AC5f2d… --secret-stdin < token.txt',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .addOption(new Option('--provider <provider>', 'the provider').choices(providers).makeOptionMandatory())
    .requiredOption('--name <name>', 'a name for people, 1 to 120 characters')
    .requiredOption(
      '--account <account>',
      'the account at the provider: account SID, business account, user name, team, API account ID, agent ID',
    )
    .requiredOption('--secret-stdin', secretText)
    .addOption(pairsOption('--setting', settingText))
    .option('--dkim-key <file>', dkimKeyText)
    .action(cli.run(create))

  declare(connection, 'update', {
    summary: 'change a connection, or replace its credentials',
    description:
      'After you replace credentials, Gable accepts callbacks signed with the previous ones for 24 hours. --setting replaces all settings. ' +
      emailText,
    example: 'connection update CONNECTION --workspace ID --secret-stdin < token.txt',
  })
    .argument('<connection-id>', 'id of the connection')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--name <name>', 'a name for people, 1 to 120 characters')
    .option('--secret-stdin', secretText)
    .addOption(pairsOption('--setting', settingText))
    .option('--dkim-key <file>', dkimKeyText)
    .action(cli.run(update))

  addDisconnect(connection, cli)
}

function addDisconnect(connection: Command, cli: Cli): void {
  declare(connection, 'disconnect', {
    summary: 'disconnect a connection, and delete its credentials',
    description:
      'You cannot disconnect a connection that has senders or calls in progress. To connect it again, set new credentials with connection update.',
    example: 'connection disconnect CONNECTION --workspace ID',
  })
    .argument('<connection-id>', 'id of the connection')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, id: string, { workspace }: { workspace: string }) =>
        shown(await disconnectConnection(await command.workspace(workspace), id)),
      ),
    )
}

const validateDraft = bodyValidator(ConnectionDraft)
const validatePatch = bodyValidator(ConnectionPatch)
const optionNames = {
  name: '--name',
  account: '--account',
  secret: '--secret-stdin',
  settings: '--setting',
  dkim_key: '--dkim-key',
}

async function create(
  command: CommandRuntime,
  { workspace, provider, name, account, setting, dkimKey }: Creation,
): Promise<CommandOutput> {
  const ctx = await command.workspace(workspace)
  const draft = { provider, name, account, secret: await readSecretLine('credentials') }
  // An email connection needs a server. With `{}`, validation reports the missing setting.
  const settings = setting ?? (provider === 'email' ? {} : undefined)
  const dkim_key = await readDkimKey(dkimKey)
  return withOptionNames(optionNames, async () => {
    validateDraft(draft)
    return shown(
      await createConnection(ctx, { ...draft, ...(settings && { settings }), ...(dkim_key && { dkim_key }) }),
    )
  })
}

async function update(
  command: CommandRuntime,
  id: string,
  { workspace, name, setting, secretStdin, dkimKey }: Changes,
): Promise<CommandOutput> {
  const ctx = await command.workspace(workspace)
  const patch = {
    ...(name === undefined ? {} : { name }),
    ...(secretStdin === undefined ? {} : { secret: await readSecretLine('credentials') }),
  }
  const dkim_key = await readDkimKey(dkimKey)
  if (setting === undefined && dkim_key === undefined && Object.keys(patch).length === 0)
    throw new CommanderError(2, 'gable.nothing', 'Name at least one change.')
  return withOptionNames(optionNames, async () => {
    validatePatch(patch)
    return shown(
      await updateConnection(ctx, id, {
        ...patch,
        ...(setting && { settings: setting }),
        ...(dkim_key && { dkim_key }),
      }),
    )
  })
}

async function readDkimKey(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`Cannot read ${file} (${error.code}).`)
  })
  const key = rsaKeyOf(text)
  if (key === undefined)
    throw new OperatorError(`${file} does not contain an RSA private key of at least 1024 bits as PEM.`)
  return key
}

const columns: Columns<ConnectionRow> = {
  id: ({ id }) => id,
  provider: ({ provider, simulated }) => (simulated ? `${provider} (simulated)` : provider),
  name: ({ name }) => name,
  account: ({ account }) => account,
  note: ({
    credentials_rejected_at: at,
    callback_rejected_at: rejected,
    mailbox_error: error,
    disconnected_at: gone,
  }) =>
    [
      gone && `disconnected since ${gone}`,
      at && `credentials rejected since ${at}`,
      rejected && `callback rejected at ${rejected}`,
      error && `mailbox not read: ${error}`,
    ]
      .filter(Boolean)
      .join('; ') || null,
}

const shown = (row: ConnectionRow): CommandOutput =>
  record(presentConnection(row), {
    Id: row.id,
    Provider: row.provider,
    Name: row.name,
    Account: row.account,
    Settings: Object.entries(row.settings)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(' '),
    'Old credentials until': row.previous_secret_until,
    'Tested at': row.tested_at,
    'Disconnected since': row.disconnected_at,
    'Credentials rejected since': row.credentials_rejected_at,
    'Callback rejected at': row.callback_rejected_at,
    'Mailbox not read': row.mailbox_error,
  })
