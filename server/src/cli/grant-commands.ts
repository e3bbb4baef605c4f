import type { Command } from 'commander'
import {
  type AuditEntry,
  type NamedGrantRow,
  listAudit,
  listGrants,
  revokeGrant,
} from '../modules/oauth/public.ts'
import { type Columns, answering, listing, record } from './answer.ts'
import { declare, group } from './declare.ts'
import { openForCommand } from './open-house.ts'

interface GrantOptions {
  workspace: string
  app?: string
}

export function addGrantCommands(program: Command): void {
  const grant = group(program, 'grant', 'which applications may act for a workspace')

  declare(grant, 'list', {
    summary: 'list what a workspace has granted, newest first',
    example: 'grant list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--app <client-id>', 'only of this application')
    .action(
      answering(async ({ workspace, app }: GrantOptions) => {
        await using command = await openForCommand()
        const { directory, workspaceId } = await command.workspace(workspace)
        const rows = await listGrants(directory, workspaceId)
        return listing(
          rows.filter((row) => app === undefined || row.app_id === app),
          columns,
          'The workspace has granted nothing yet.',
        )
      }),
    )

  declare(grant, 'revoke', {
    summary: 'take back what was granted to an application, from its next request on',
    description: 'Its tokens never work again, and its webhooks are removed.',
    example: 'grant revoke --workspace ID --app CLIENT_ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--app <client-id>', 'the application')
    .action(
      answering(async ({ workspace, app }: Required<GrantOptions>) => {
        await using command = await openForCommand()
        const row = await revokeGrant(await command.workspace(workspace), app)
        return record(row, { Id: row.id, App: row.app_id, Revoked: row.revoked_at })
      }),
    )

  declare(grant, 'log', {
    summary: 'list what happened to applications and grants of a workspace, newest first',
    example: 'grant log --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--app <client-id>', 'only of this application')
    .action(
      answering(async ({ workspace, app }: GrantOptions) => {
        await using command = await openForCommand()
        const ctx = await command.workspace(workspace)
        const entries = await listAudit(ctx.db)
        return listing(
          entries.filter((entry) => app === undefined || entry.app_id === app),
          auditColumns,
          'Nothing has happened yet.',
        )
      }),
    )
}

const columns: Columns<NamedGrantRow> = {
  id: (row) => row.id,
  app: (row) => row.app_id,
  name: (row) => row.app_name,
  scopes: (row) => row.scopes.join(' '),
  'approved by': (row) => row.member_id,
  'last used': (row) => row.last_used_at,
  revoked: (row) => row.revoked_at,
}

const auditColumns: Columns<AuditEntry> = {
  at: (entry) => entry.at,
  event: (entry) => entry.event,
  app: (entry) => entry.app_name,
  by: (entry) => `${entry.actor.type} ${entry.actor.name}`,
}
