import type { Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, group, workspaceOption } from '#kernel/cli/declare.ts'
import { importListings } from './import-listings.ts'

const importText = [
  'The first line names the columns: the fields of a listing (mls_number, list_price, …), names of RESO (ListingId, ListPrice, …), or',
  'those of spreadsheets (MLS #, Price, …), in any order. A row is the listing with its MLS number, else the one at its street, unit and ZIP, else a new one. An empty cell',
  'leaves a field as it is. Each listing needs an agent or an office: list_agent_email (ListAgentEmail), list_office_name',
  '(ListOfficeName), list_agent_id, list_office_id, or the options below. Valid rows are imported; faults are reported with line and',
  'column, and the exit code is then 1. The same file again changes nothing.',
].join(' ')

interface Options {
  workspace?: string
  dryRun?: boolean
  ignoreUnknown?: boolean
  encoding?: string
  listAgent?: string
  listOffice?: string
}

export function addImportCommand(program: Command, cli: Cli): void {
  declare(group(program, 'listings'), 'import', {
    summary: 'import listings from a CSV file',
    description: importText,
    example: 'listings import listings.csv --dry-run',
  })
    .argument('<file>', 'a CSV file; - for standard input')
    .addOption(workspaceOption())
    .option('--dry-run', 'report what would happen without writing anything')
    .option('--list-agent <id>', 'the member who lists listings without an agent or an office')
    .option('--list-office <id>', 'the office that lists listings without an agent or an office')
    .option('--encoding <name>', 'the character encoding, such as windows-1250, if Gable does not find it')
    .option('--ignore-unknown', 'skip columns with unknown headers')
    .action(
      cli.run(async (command, file: string, { workspace, ...options }: Options) =>
        importListings(await command.workspace(workspace), file, options),
      ),
    )
}
