import type { Command } from 'commander'
import { type Cli, operator } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { tableOf, record } from '#kernel/cli/output.ts'
import { createWorkspace } from './create-workspace.ts'
import { type WorkspaceRow, listWorkspaces } from './queries.ts'

export function addWorkspaceCommands(program: Command, cli: Cli): void {
  const workspace = group(program, 'workspace', 'workspaces: a tenant each')

  declare(workspace, 'create', {
    summary: 'create an empty workspace',
    example: 'workspace create --name "Lantern & Oak Realty"',
  })
    .requiredOption('--name <name>', '1 to 120 characters')
    .action(
      cli.run(async (command, options: { name: string }) => {
        const { id, name } = await createWorkspace(command.runtime, options.name, operator)
        return record({ id, name }, { Id: id, Name: name })
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
        created: (row: WorkspaceRow) => row.created_at,
      }
      return tableOf(all, columns, 'There is no workspace yet.')
    }),
  )
}
