import type { Command } from 'commander'
import { type WorkspaceRow, createWorkspace, listWorkspaces } from '../modules/workspaces/public.ts'
import { answering, listing, record } from './answer.ts'
import { declare, group } from './declare.ts'
import { openForCommand } from './open-house.ts'

export function addWorkspaceCommands(program: Command): void {
  const workspace = group(program, 'workspace', 'workspaces: a tenant each')

  declare(workspace, 'create', {
    summary: 'create an empty workspace',
    example: 'workspace create --name "Lantern & Oak Realty"',
  })
    .requiredOption('--name <name>', '1 to 120 characters')
    .action(
      answering(async (options: { name: string }) => {
        await using command = await openForCommand()
        const { id, name } = await createWorkspace(
          command.house.database.directory,
          options.name,
          command.house.clock.now(),
        )
        return record({ id, name }, { Id: id, Name: name })
      }),
    )

  declare(workspace, 'list', {
    summary: 'list all workspaces, oldest first',
    example: 'workspace list --json',
  }).action(
    answering(async () => {
      await using command = await openForCommand()
      const all: WorkspaceRow[] = []
      for (let page = await listWorkspaces(command.house.database.directory); page.length > 0;) {
        all.push(...page)
        page = await listWorkspaces(command.house.database.directory, page.at(-1)?.id)
      }
      const columns = {
        id: (row: WorkspaceRow) => row.id,
        name: (row: WorkspaceRow) => row.name,
        created: (row: WorkspaceRow) => row.created_at,
      }
      return listing(all, columns, 'There is no workspace yet.')
    }),
  )
}
