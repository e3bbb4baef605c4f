import { readFile } from 'node:fs/promises'
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group, workspaceOption } from '#kernel/cli/declare.ts'
import { type CommandOutput, recordOutput } from '#kernel/cli/output.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { emailSettings, rsaKeyOf } from '../accounts/email-account.ts'
import { presentConnection } from '../connection.ts'
import { updateConnection } from '../save-connection.ts'

interface Options {
  workspace?: string
  setting?: Record<string, string>
  dkimKey?: string
}

const description = [
  'Servers in a private network must be in EGRESS_ALLOW. --setting replaces all settings.',
  'WhatsApp: +13125550188=106540352242922, the phone number ID of a sender. Documenso: url=https://sign.example.com, a',
  'server of your own. DocuSign: environment=demo. Email:',
  `${Object.entries(emailSettings)
    .map(([name, what]) => `${name}=, ${what}`)
    .join('; ')}.`,
].join(' ')

export function addConfigureCommand(program: Command, cli: Cli): void {
  declare(group(program, 'connections'), 'configure', {
    summary: 'set where the provider of a connection is, and how it signs emails',
    description,
    example: 'connections configure ID --setting smtp=smtps://mail.lantern.example',
  })
    .argument('<id>', 'id of the connection')
    .addOption(workspaceOption())
    .addOption(
      new Option('--setting <name=value...>', 'a setting of the provider').argParser(
        (text: string, before: Record<string, string> = {}) => ({ ...before, ...settingOf(text) }),
      ),
    )
    .option('--dkim-key <file>', 'a file with the RSA key that signs emails, as PEM')
    .action(cli.run(configure))
}

function settingOf(text: string): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It must be a name, an equals sign and a value.')
  return { [text.slice(0, at)]: text.slice(at + 1) }
}

async function configure(
  command: CommandRuntime,
  id: string,
  { workspace, setting: settings, dkimKey }: Options,
): Promise<CommandOutput> {
  const ctx = await command.workspace(workspace)
  const dkim_key = dkimKey === undefined ? undefined : await readDkimKey(dkimKey)
  if (settings === undefined && dkim_key === undefined)
    throw new CommanderError(2, 'gable.nothing', 'Name --setting or --dkim-key.')
  const changes = { ...(settings && { settings }), ...(dkim_key && { dkim_key }) }
  return recordOutput(presentConnection(await updateConnection(ctx, id, changes)))
}

async function readDkimKey(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`Cannot read ${file} (${error.code}).`)
  })
  const key = rsaKeyOf(text)
  if (key !== undefined) return key
  throw new OperatorError(`${file} does not contain an RSA private key of at least 1024 bits as PEM.`)
}
