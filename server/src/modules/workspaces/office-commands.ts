import type { Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type Columns, tableOf, record } from '#kernel/cli/output.ts'
import type { OfficeRow } from './office.ts'
import { createOffice } from './offices.ts'
import { listOffices, listTeams } from './team-queries.ts'
import type { TeamRow } from './team.ts'
import { addToTeam, createTeam } from './teams.ts'

const officeColumns: Columns<OfficeRow> = { id: (row) => row.id, name: (row) => row.name }

const teamColumns: Columns<TeamRow> = {
  id: (row) => row.id,
  name: (row) => row.name,
  office: (row) => row.office_id,
  members: (row) => String(row.member_ids.length),
}

export function addOfficeCommands(program: Command, cli: Cli): void {
  const office = group(program, 'office', 'the offices of a workspace')

  declare(office, 'create', {
    summary: 'add an office',
    example: 'office create --workspace ID --name Evanston',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--name <name>', '1 to 120 characters')
    .action(
      cli.run(async (command, options: { workspace: string; name: string }) => {
        const row = await createOffice(await command.workspace(options.workspace), options)
        return record(row, { Id: row.id, Name: row.name })
      }),
    )

  declare(office, 'list', { summary: 'list the offices', example: 'office list --workspace ID' })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, options: { workspace: string }) => {
        const ctx = await command.workspace(options.workspace)
        return tableOf(await listOffices(ctx.db), officeColumns, 'The workspace has no offices yet.')
      }),
    )
}

export function addTeamCommands(program: Command, cli: Cli): void {
  const team = group(program, 'team', 'the teams of a workspace')

  declare(team, 'create', {
    summary: 'add a team',
    example: 'team create --workspace ID --name "Listing team" --office OFFICE',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--name <name>', '1 to 120 characters')
    .option('--office <id>', 'id of the office')
    .action(
      cli.run(async (command, options: { workspace: string; name: string; office?: string }) => {
        const row = await createTeam(await command.workspace(options.workspace), {
          name: options.name,
          ...(options.office === undefined ? {} : { office_id: options.office }),
        })
        return record(row, { Id: row.id, Name: row.name, Office: row.office_id })
      }),
    )

  declare(team, 'list', { summary: 'list the teams', example: 'team list --workspace ID' })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, options: { workspace: string }) => {
        const ctx = await command.workspace(options.workspace)
        return tableOf(await listTeams(ctx.db), teamColumns, 'The workspace has no teams yet.')
      }),
    )

  declare(team, 'add', {
    summary: 'put a member into a team',
    example: 'team add --workspace ID --team TEAM --member MEMBER',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--team <id>', 'id of the team')
    .requiredOption('--member <id>', 'id of the member')
    .action(
      cli.run(async (command, options: { workspace: string; team: string; member: string }) => {
        await addToTeam(await command.workspace(options.workspace), options.team, options.member)
        return record(
          { team_id: options.team, member_id: options.member },
          { Team: options.team, Member: options.member },
        )
      }),
    )
}
