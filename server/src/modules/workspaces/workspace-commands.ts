import type { Command } from 'commander'
import { type Cli, operator } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { tableOf, record } from '#kernel/cli/output.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { createWorkspace } from './create-workspace.ts'
import { listWorkspaces } from './queries.ts'
import { updateWorkspace } from './update-workspace.ts'
import { type WorkspaceDraft, type WorkspaceRow, workspaceRecord } from './workspace.ts'

interface Zoned {
  timezone?: string
  currency?: string
}

interface Changes extends Zoned {
  workspace: string
  name?: string
}

const zoned = ({ timezone, currency }: Zoned) => ({
  ...(timezone !== undefined && { timezone }),
  ...(currency !== undefined && { currency: currency.toUpperCase() }),
})

const validatePatch = bodyValidator(workspaceRecord.Patch)

const shown = ({ id, name, timezone, currency }: WorkspaceRow) =>
  record({ id, name, timezone, currency }, { Id: id, Name: name, 'Time zone': timezone, Currency: currency })

export function addWorkspaceCommands(program: Command, cli: Cli): void {
  const workspace = group(program, 'workspace', 'workspaces: a tenant each')

  declare(workspace, 'create', {
    summary: 'create an empty workspace',
    example: 'workspace create --name "Lantern & Oak Realty"',
  })
    .requiredOption('--name <name>', '1 to 120 characters')
    .option('--timezone <name>', 'IANA name, such as America/Chicago; America/New_York by default')
    .option('--currency <code>', 'ISO 4217 code; USD by default')
    .action(
      cli.run(async (command, { name, ...options }: Pick<WorkspaceDraft, 'name'> & Zoned) =>
        shown(await createWorkspace(command.runtime, { name, ...zoned(options) }, operator)),
      ),
    )

  declare(workspace, 'set', {
    summary: 'change the name, the time zone, or the currency',
    description:
      'Settings that you omit keep their values. Existing records keep their currency and their times.',
    example: 'workspace set --workspace ID --timezone America/Chicago --currency USD',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--name <name>', '1 to 120 characters')
    .option('--timezone <name>', 'IANA name, such as America/Chicago')
    .option('--currency <code>', 'ISO 4217 code')
    .action(
      cli.run(async (command, { workspace: id, name, ...options }: Changes) => {
        const patch = { ...(name !== undefined && { name }), ...zoned(options) }
        validatePatch(patch)
        return shown(await updateWorkspace(await command.workspace(id), patch))
      }),
    )

  declare(workspace, 'list', {
    summary: 'list all workspaces, oldest first',
    example: 'workspace list --json',
  }).action(
    cli.run(async (command) => {
      const all: WorkspaceRow[] = []
      for (let page = await listWorkspaces(command.runtime.database.directory); page.length > 0;) {
        all.push(...page)
        page = await listWorkspaces(command.runtime.database.directory, page.at(-1)?.id)
      }
      const columns = {
        id: (row: WorkspaceRow) => row.id,
        name: (row: WorkspaceRow) => row.name,
        timezone: (row: WorkspaceRow) => row.timezone,
        currency: (row: WorkspaceRow) => row.currency,
        created: (row: WorkspaceRow) => row.created_at,
      }
      return tableOf(all, columns, 'There are no workspaces yet.')
    }),
  )
}
