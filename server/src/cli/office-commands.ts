import type { Command } from 'commander'
import {
  type OfficeRow,
  type TeamRow,
  listOffices,
  listTeams,
  addToTeam,
  createOffice,
  createTeam,
} from '../modules/workspaces/public.ts'
import { type Columns, answering, listing, record } from './answer.ts'
import { declare, group } from './declare.ts'
import { openForCommand } from './open-house.ts'

const officeColumns: Columns<OfficeRow> = { id: (row) => row.id, name: (row) => row.name }

const teamColumns: Columns<TeamRow> = {
  id: (row) => row.id,
  name: (row) => row.name,
  office: (row) => row.office_id,
  members: (row) => String(row.member_ids.length),
}

export function addOfficeCommands(program: Command): void {
  const office = group(program, 'office', 'the offices of a workspace')

  declare(office, 'create', {
    summary: 'add an office',
    example: 'office create --workspace ID --name Evanston',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--name <name>', '1 to 120 characters')
    .action(
      answering(async (options: { workspace: string; name: string }) => {
        await using command = await openForCommand()
        const row = await createOffice(await command.workspace(options.workspace), options.name)
        return record(row, { Id: row.id, Name: row.name })
      }),
    )

  declare(office, 'list', { summary: 'list the offices', example: 'office list --workspace ID' })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      answering(async (options: { workspace: string }) => {
        await using command = await openForCommand()
        const ctx = await command.workspace(options.workspace)
        return listing(await listOffices(ctx.db), officeColumns, 'The workspace has no offices yet.')
      }),
    )
}

export function addTeamCommands(program: Command): void {
  const team = group(program, 'team', 'the teams of a workspace')

  declare(team, 'create', {
    summary: 'add a team',
    example: 'team create --workspace ID --name "Listing team" --office OFFICE',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--name <name>', '1 to 120 characters')
    .option('--office <id>', 'id of the office')
    .action(
      answering(async (options: { workspace: string; name: string; office?: string }) => {
        await using command = await openForCommand()
        const row = await createTeam(
          await command.workspace(options.workspace),
          options.name,
          options.office ?? null,
        )
        return record(row, { Id: row.id, Name: row.name, Office: row.office_id })
      }),
    )

  declare(team, 'list', { summary: 'list the teams', example: 'team list --workspace ID' })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      answering(async (options: { workspace: string }) => {
        await using command = await openForCommand()
        const ctx = await command.workspace(options.workspace)
        return listing(await listTeams(ctx.db), teamColumns, 'The workspace has no teams yet.')
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
      answering(async (options: { workspace: string; team: string; member: string }) => {
        await using command = await openForCommand()
        await addToTeam(await command.workspace(options.workspace), options.team, options.member)
        return record(
          { team_id: options.team, member_id: options.member },
          { Team: options.team, Member: options.member },
        )
      }),
    )
}
