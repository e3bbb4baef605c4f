import type { Command } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, type Columns, tableOf, record } from '#kernel/cli/output.ts'
import { roleOption } from '../people/public.ts'
import type { Role } from '../workspaces/public.ts'
import { inviteMember } from './invite-member.ts'
import { type InvitationRow, listInvitations } from './queries.ts'
import { revokeInvitation } from './revoke-invitation.ts'

interface InviteOptions {
  workspace: string
  email: string
  name: string
  role: Role
}

export function addInvitationCommands(program: Command, cli: Cli): void {
  const member = group(program, 'member', 'the people of a workspace')
  declare(member, 'invite', {
    summary: 'invite a person to sign in as a member',
    description:
      'A running worker emails the person a link that works once, for seven days. The command also prints the link. Anyone who has it can sign in. It begins with PUBLIC_URL.',
    example: 'member invite --workspace ID --email ada@lantern.example --name "Ada Reyes" --role agent',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--email <address>', 'the address to send the email to, and to sign in with')
    .requiredOption('--name <name>', '1 to 120 characters')
    .addOption(roleOption())
    .action(cli.run(invite))

  declare(member, 'invitations', {
    summary: 'list the pending invitations of a workspace, newest first',
    example: 'member invitations --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, { workspace }: { workspace: string }) => {
        const { directory, workspaceId, clock } = await command.workspace(workspace)
        return tableOf(
          await listInvitations(directory, workspaceId, clock.now()),
          columns,
          'There are no pending invitations.',
        )
      }),
    )

  declare(member, 'uninvite', {
    summary: 'revoke an invitation: its link stops working',
    example: 'member uninvite INVITATION --workspace ID',
  })
    .argument('<invitation>', 'id of the invitation')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, id: string, { workspace }: { workspace: string }) => {
        const row = await revokeInvitation(await command.workspace(workspace), id)
        return record(row, { Id: row.id, Email: row.email, 'Taken back': row.revoked_at })
      }),
    )
}

async function invite(
  command: CommandRuntime,
  { workspace, ...draft }: InviteOptions,
): Promise<CommandOutput> {
  const ctx = await command.workspace(workspace)
  const { invitation, link } = await inviteMember(ctx, draft)
  return record(
    { ...invitation, link },
    {
      Link: link,
      Id: invitation.id,
      Name: invitation.name,
      Email: invitation.email,
      Role: invitation.role,
      'Works until': invitation.expires_at,
    },
  )
}

const columns: Columns<InvitationRow> = {
  id: (row) => row.id,
  name: (row) => row.name,
  email: (row) => row.email,
  role: (row) => row.role,
  'works until': (row) => row.expires_at,
}
