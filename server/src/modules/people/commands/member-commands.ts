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
      'Without a password they cannot sign in before they accept an invitation. Who signs in elsewhere already keeps the password they have; it must be the same.',
    example: 'member create --workspace ID --email ada@lantern.example --name "Ada Reyes" --role agent',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--email <address>', 'one member each, whatever its case')
    .requiredOption('--name <name>', '1 to 120 characters')
    .addOption(roleOption())
    .option('--phone <number>', 'in E.164; it rings when they place a call, and when their contacts call')
    .option('--office <id>', 'id of the office')
    .option('--password-stdin', 'lets them sign in, with the password in the first line of standard input')
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
    summary: 'give a member another role, from their next request on',
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
    summary: 'set the number that rings when a member places a call, and when their contacts call',
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
    ['activate', { active: true }, 'let a member work again'],
    ['deactivate', { active: false }, 'end a member’s work; what they did stays'],
    ['promote', { team_lead: true }, 'make a member a team lead, who sees the records of their teams'],
    ['demote', { team_lead: false }, 'make a team lead a member who sees their own records only'],
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
