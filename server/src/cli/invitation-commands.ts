import type { Command } from 'commander'
import {
  type InvitationRow,
  inviteMember,
  listInvitations,
  revokeInvitation,
} from '../modules/signin/public.ts'
import type { Role } from '../modules/workspaces/public.ts'
import { type Answer, type Columns, answering, listing, record } from './answer.ts'
import { declare } from './declare.ts'
import { roleOption } from './member-commands.ts'
import { openForCommand } from './open-house.ts'

interface InviteOptions {
  workspace: string
  email: string
  name: string
  role: Role
}

export function addInvitationCommands(member: Command): void {
  declare(member, 'invite', {
    summary: 'invite somebody to sign in as a member',
    description:
      'A running worker mails them a link that works once, and for seven days. It is shown here as well: whoever has it gets in. It begins with PUBLIC_URL.',
    example: 'member invite --workspace ID --email ada@lantern.example --name "Ada Reyes" --role agent',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--email <address>', 'where the mail goes, and what they sign in with')
    .requiredOption('--name <name>', '1 to 120 characters')
    .addOption(roleOption())
    .action(answering(invite))

  declare(member, 'invitations', {
    summary: 'list the invitations of a workspace that nobody has accepted yet, newest first',
    example: 'member invitations --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      answering(async ({ workspace }: { workspace: string }) => {
        await using command = await openForCommand()
        const { directory, workspaceId, clock } = await command.workspace(workspace)
        return listing(
          await listInvitations(directory, workspaceId, clock.now()),
          columns,
          'Nobody is invited at the moment.',
        )
      }),
    )

  declare(member, 'uninvite', {
    summary: 'take an invitation back: its link works no more',
    example: 'member uninvite INVITATION --workspace ID',
  })
    .argument('<invitation>', 'id of the invitation')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      answering(async (id: string, { workspace }: { workspace: string }) => {
        await using command = await openForCommand()
        const row = await revokeInvitation(await command.workspace(workspace), id)
        return record(row, { Id: row.id, Email: row.email, 'Taken back': row.revoked_at })
      }),
    )
}

async function invite({ workspace, ...draft }: InviteOptions): Promise<Answer> {
  await using command = await openForCommand()
  const ctx = await command.workspace(workspace)
  const { invitation, link } = await inviteMember(ctx, draft, command.origin)
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
