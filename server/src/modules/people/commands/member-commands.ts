import { type Command, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, type Columns, tableOf, record } from '#kernel/cli/output.ts'
import { readSecretLine } from '#kernel/cli/read-secret-line.ts'
import {
  type MemberRow,
  type Role,
  changeMember,
  createMember,
  listMembers,
  roles,
  setMemberRole,
} from '../../workspaces/public.ts'
import { allowSignIn } from '../enable-sign-in.ts'

const columns: Columns<MemberRow> = {
  id: (row) => row.id,
  name: (row) => row.name,
  email: (row) => row.email,
  role: (row) => row.role,
  'team lead': (row) => (row.team_lead ? 'yes' : 'no'),
  active: (row) => (row.active ? 'yes' : 'no'),
  phone: (row) => row.phone,
  office: (row) => row.office_id,
}

const shown = (row: MemberRow) =>
  record(row, {
    Id: row.id,
    Name: row.name,
    Email: row.email,
    Role: row.role,
    'Team lead': row.team_lead ? 'yes' : 'no',
    Active: row.active ? 'yes' : 'no',
    Phone: row.phone,
    Office: row.office_id,
  })

interface CreateOptions {
  workspace: string
  email: string
  name: string
  role: Role
  phone?: string
  office?: string
  passwordStdin?: true
}

async function create(
  command: CommandRuntime,
  { workspace, name, email, role, phone, office, passwordStdin }: CreateOptions,
): Promise<CommandOutput> {
  const password = passwordStdin === true ? await readSecretLine('password') : undefined
  const ctx = await command.workspace(workspace)
  const signIn = password === undefined ? undefined : await allowSignIn(ctx, email, password)
  const draft = { name, email, role, ...(phone && { phone }), ...(office && { office_id: office }) }
  return shown(await createMember(ctx, draft, signIn))
}

export const roleOption = () =>
  new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory()

export function addMemberCommands(program: Command, cli: Cli): void {
  const member = group(program, 'member', 'the people of a workspace')
  declare(member, 'create', {
    summary: 'add a person to a workspace',
    description:
      'Without a password, members cannot sign in until they accept an invitation. Members who already sign in elsewhere keep their password; use the same one here.',
    example: 'member create --workspace ID --email ada@lantern.example --name "Ada Reyes" --role agent',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--email <address>', "a member's address must be unique, ignoring case")
    .requiredOption('--name <name>', '1 to 120 characters')
    .addOption(roleOption())
    .option(
      '--phone <number>',
      'in E.164; Gable calls it when they place a call, and when their contacts call',
    )
    .option('--office <id>', 'id of the office')
    .option(
      '--password-stdin',
      'let the member sign in with the password in the first line of standard input',
    )
    .action(cli.run(create))

  declare(member, 'list', {
    summary: 'list the members of a workspace',
    example: 'member list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, options: { workspace: string }) => {
        const ctx = await command.workspace(options.workspace)
        return tableOf(await listMembers(ctx.db), columns, 'The workspace has no members yet.')
      }),
    )

  declare(member, 'role', {
    summary: 'give a member another role, starting with their next request',
    example: 'member role MEMBER --workspace ID --role admin',
  })
    .argument('<member>', 'id of the member')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .addOption(roleOption())
    .action(
      cli.run(async (command, id: string, { workspace, role }: { workspace: string; role: Role }) => {
        return shown(await setMemberRole(await command.workspace(workspace), id, role))
      }),
    )

  declare(member, 'phone', {
    summary: 'set the number to call when a member places a call, and when their contacts call',
    example: 'member phone MEMBER +13125550177 --workspace ID',
  })
    .argument('<member>', 'id of the member')
    .argument('<number>', 'in E.164, or `none`')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, id: string, number: string, options: { workspace: string }) => {
        const phone = number === 'none' ? null : number
        return shown(await changeMember(await command.workspace(options.workspace), id, { phone }))
      }),
    )

  for (const [name, patch, summary] of [
    ['activate', { active: true }, 'reactivate a member'],
    ['deactivate', { active: false }, 'deactivate a member; their records stay'],
    ['promote', { team_lead: true }, 'make a member a team lead, who sees the records of their teams'],
    ['demote', { team_lead: false }, 'make a team lead a member who sees only their own records'],
  ] as const) {
    declare(member, name, { summary, example: `member ${name} MEMBER --workspace ID` })
      .argument('<member>', 'id of the member')
      .requiredOption('--workspace <id>', 'id of the workspace')
      .action(
        cli.run(async (command, id: string, options: { workspace: string }) => {
          return shown(await changeMember(await command.workspace(options.workspace), id, patch))
        }),
      )
  }
}
