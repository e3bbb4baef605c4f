import type { Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type Columns, tableOf, record } from '#kernel/cli/output.ts'
import type { AuditEntry } from '../audit/public.ts'
import { appOfEntry, listAppAudit } from './audit.ts'
import { GrantNotFound } from './errors.ts'
import type { NamedGrantRow } from './grants/grant.ts'
import { findLiveGrant, listGrants } from './grants/queries.ts'
import { revokeGrant } from './grants/revoke-grant.ts'

interface GrantOptions {
  workspace: string
  app?: string
}

export function addGrantCommands(program: Command, cli: Cli): void {
  const grant = group(program, 'grant', 'apps that are connected to a workspace')

  declare(grant, 'list', {
    summary: 'list the grants of a workspace, newest first',
    example: 'grant list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--app <client-id>', 'only for this app')
    .action(
      cli.run(async (command, { workspace, app }: GrantOptions) => {
        const { directory, workspaceId } = await command.workspace(workspace)
        const rows = await listGrants(directory, workspaceId)
        return tableOf(
          rows.filter((row) => app === undefined || row.app_id === app),
          columns,
          'No app has been connected yet.',
        )
      }),
    )

  declare(grant, 'revoke', {
    summary: 'disconnect an app, effective with its next request',
    description: 'Its tokens never work again, and its webhooks are removed.',
    example: 'grant revoke --workspace ID --app CLIENT_ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--app <client-id>', 'client id of the app')
    .action(
      cli.run(async (command, { workspace, app }: Required<GrantOptions>) => {
        const ctx = await command.workspace(workspace)
        const live = await findLiveGrant(ctx.directory, app, ctx.workspaceId)
        if (live === undefined) throw GrantNotFound()
        const row = await revokeGrant(ctx, live.id)
        return record(row, { Id: row.id, App: row.app_id, Revoked: row.revoked_at })
      }),
    )

  declare(grant, 'log', {
    summary: 'list the audit log of apps and grants of a workspace, newest first',
    example: 'grant log --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--app <client-id>', 'only for this app')
    .action(
      cli.run(async (command, { workspace, app }: GrantOptions) => {
        const entries = await listAppAudit(await command.workspace(workspace))
        return tableOf(
          entries.filter((entry) => app === undefined || appOfEntry(entry).id === app),
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
  at: (entry) => entry.occurred_at,
  event: (entry) => entry.type,
  app: (entry) => appOfEntry(entry).name,
  by: (entry) => `${entry.actor.type} ${entry.actor.name}`,
  what: (entry) => entry.summary,
}
