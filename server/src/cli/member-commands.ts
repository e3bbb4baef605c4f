import { type Command, Option } from 'commander'
import { allowSignIn } from '../modules/signin/public.ts'
import {
  type MemberRow,
  type Role,
  createMember,
  listMembers,
  roles,
  setMemberActive,
  setMemberRole,
} from '../modules/workspaces/public.ts'
import { type Answer, type Columns, answering, listing, record } from './answer.ts'
import { declare } from './declare.ts'
import { openForCommand } from './open-house.ts'
import { readPassword } from './read-password.ts'

const columns: Columns<MemberRow> = {
  id: (row) => row.id,
  name: (row) => row.name,
  email: (row) => row.email,
  role: (row) => row.role,
  active: (row) => (row.active ? 'yes' : 'no'),
  office: (row) => row.office_id,
}

const shown = (row: MemberRow) =>
  record(row, {
    Id: row.id,
    Name: row.name,
    Email: row.email,
    Role: row.role,
    Active: row.active ? 'yes' : 'no',
    Office: row.office_id,
  })

interface CreateOptions {
  workspace: string
  email: string
  name: string
  role: Role
  office?: string
  passwordStdin?: true
}

async function create({
  workspace,
  name,
  email,
  role,
  office,
  passwordStdin,
}: CreateOptions): Promise<Answer> {
  const password = passwordStdin === true ? await readPassword() : undefined
  await using command = await openForCommand()
  const ctx = await command.workspace(workspace)
  const signIn = password === undefined ? undefined : await allowSignIn(ctx, email, password)
  return shown(await createMember(ctx, { name, email, role, officeId: office ?? null }, signIn))
}

export const roleOption = () =>
  new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory()

export function addMemberCommands(member: Command): void {
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
    .option('--office <id>', 'id of the office')
    .option('--password-stdin', 'lets them sign in, with the password in the first line of standard input')
    .action(answering(create))

  declare(member, 'list', {
    summary: 'list the members of a workspace',
    example: 'member list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      answering(async (options: { workspace: string }) => {
        await using command = await openForCommand()
        const ctx = await command.workspace(options.workspace)
        return listing(await listMembers(ctx.db), columns, 'The workspace has no members yet.')
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
      answering(async (id: string, { workspace, role }: { workspace: string; role: Role }) => {
        await using command = await openForCommand()
        return shown(await setMemberRole(await command.workspace(workspace), id, role))
      }),
    )

  for (const [name, active, summary] of [
    ['activate', true, 'let a member work again'],
    ['deactivate', false, 'end a member’s work; what they did stays'],
  ] as const) {
    declare(member, name, { summary, example: `member ${name} MEMBER --workspace ID` })
      .argument('<member>', 'id of the member')
      .requiredOption('--workspace <id>', 'id of the workspace')
      .action(
        answering(async (id: string, options: { workspace: string }) => {
          await using command = await openForCommand()
          return shown(await setMemberActive(await command.workspace(options.workspace), id, active))
        }),
      )
  }
}
