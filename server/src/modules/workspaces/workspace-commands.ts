import type { Command } from 'commander'
import { type Cli, operator } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { listOutput, recordOutput } from '#kernel/cli/output.ts'
import { createWorkspace } from './create-workspace.ts'
import { everyWorkspace } from './queries.ts'
import type { WorkspaceDraft, WorkspaceRow } from './workspace.ts'

/** `workspaces create` and `list`. A request to the API is always in one workspace. */
export function addWorkspaceCommands(program: Command, cli: Cli): void {
  const workspaces = group(program, 'workspaces', 'create and list workspaces: a tenant each')

  declare(workspaces, 'create', {
    summary: 'create an empty workspace',
    example: 'workspaces create --name "Lantern & Oak Realty"',
  })
    .requiredOption('--name <name>', '1 to 120 characters')
    .option('--timezone <name>', 'IANA name, such as America/Chicago; America/New_York by default')
    .option('--currency <code>', 'ISO 4217 code; USD by default')
    .option('--test', 'for tests: it never reaches anyone, and its clock can be moved forward')
    .action(
      cli.run(async ({ runtime }, { name, timezone, currency, test }: WorkspaceDraft & { test?: true }) => {
        const draft = {
          name,
          ...(timezone && { timezone }),
          ...(currency && { currency: currency.toUpperCase() }),
          ...(test && { test_mode: true }),
        }
        return recordOutput(shown(await createWorkspace(runtime, draft, operator)))
      }),
    )

  declare(workspaces, 'list', {
    summary: 'list all workspaces, oldest first',
    example: 'workspaces list --json',
  }).action(
    cli.run(async ({ runtime }) => {
      const all = await Array.fromAsync(everyWorkspace(runtime.database.directory))
      return listOutput(all.map(shown), 'There are no workspaces yet.')
    }),
  )
}

const shown = ({ id, name, timezone, currency, test_mode }: WorkspaceRow) => ({
  id,
  name,
  timezone,
  currency,
  test_mode,
})
