import { type Command, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group, workspaceOption } from '#kernel/cli/declare.ts'
import { type CommandOutput, recordOutput } from '#kernel/cli/output.ts'
import { readSecretLine } from '#kernel/cli/read-secret-line.ts'
import { type Role, createMember, roles } from '../../workspaces/public.ts'
import { allowSignIn } from '../enable-sign-in.ts'

interface Options {
  workspace?: string
  email: string
  name: string
  role: Role
  phone?: string
  officeId?: string
  passwordStdin?: true
}

/** `members create`. Through the API, members are invited instead. */
export function addMemberCommand(program: Command, cli: Cli): void {
  declare(group(program, 'members'), 'create', {
    summary: 'add a person to a workspace',
    description:
      'Without a password, members cannot sign in until they accept an invitation. Members who already sign in elsewhere keep their password; use the same one here.',
    example: 'members create --email ada@lantern.example --name "Ada Reyes" --role agent',
  })
    .addOption(workspaceOption())
    .requiredOption('--email <address>', "a member's address must be unique, ignoring case")
    .requiredOption('--name <name>', '1 to 120 characters')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory())
    .option(
      '--phone <number>',
      'in E.164; Gable calls it when they place a call, and when their contacts call',
    )
    .option('--office-id <id>', 'id of the office')
    .option(
      '--password-stdin',
      'let the member sign in with the password in the first line of standard input',
    )
    .action(cli.run(create))
}

async function create(
  command: CommandRuntime,
  { workspace, name, email, role, phone, officeId, passwordStdin }: Options,
): Promise<CommandOutput> {
  const password = passwordStdin === true ? await readSecretLine('password') : undefined
  const ctx = await command.workspace(workspace)
  const signIn = password === undefined ? undefined : await allowSignIn(ctx, email, password)
  const draft = { name, email, role, ...(phone && { phone }), ...(officeId && { office_id: officeId }) }
  return recordOutput(await createMember(ctx, draft, signIn))
}
