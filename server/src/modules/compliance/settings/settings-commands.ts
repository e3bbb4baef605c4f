import { type Command, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { record } from '#kernel/cli/output.ts'
import { changeComplianceSettings } from './change-settings.ts'
import { type ComplianceSettings, validateSettings } from './compliance-settings.ts'
import { findComplianceSettings } from './settings-queries.ts'

interface Changes {
  workspace: string
  countries?: string
  postalAddress?: string
  supportContact?: string
  coldSources?: string
  emergencyStates?: string
  retentionDays?: string
  recordCalls?: 'on' | 'off'
  recordingDays?: string
}

export function addSettingsCommands(program: Command, cli: Cli): void {
  const compliance = group(program, 'compliance', 'compliance settings of a workspace')

  declare(compliance, 'show', {
    summary: 'show the compliance settings',
    example: 'compliance show --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, { workspace }: { workspace: string }) =>
        shown(await findComplianceSettings((await command.workspace(workspace)).db)),
      ),
    )

  declare(compliance, 'set', {
    summary: 'change the compliance settings',
    description: 'Settings that you omit keep their values. An empty text clears a setting.',
    example: 'compliance set --workspace ID --countries US,CA --retention-days 1825',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--countries <codes>', 'US, CA, or both')
    .option('--postal-address <text>', 'the postal address in marketing emails')
    .option('--support-contact <text>', 'the phone number, email address, or website in the response to HELP')
    .option('--cold-sources <names>', 'sources whose leads made no inquiry, separated by commas')
    .option(
      '--emergency-states <codes>',
      'states with a declared emergency, such as NY,LA, where marketing is blocked',
    )
    .option('--retention-days <days>', 'days after which the content of messages is erased, 30 to 3650')
    .addOption(
      new Option(
        '--record-calls <setting>',
        'whether calls are recorded; people on the call hear that first',
      ).choices(['on', 'off']),
    )
    .option('--recording-days <days>', 'days after which the recording of a call is erased, 1 to 3650')
    .action(
      cli.run(async (command, { workspace, ...changes }: Changes) => {
        const patch = validateSettings(patchOf(changes))
        return shown(await changeComplianceSettings(await command.workspace(workspace), patch))
      }),
    )
}

const listed = (text: string) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

const patchOf = ({
  countries,
  postalAddress,
  supportContact,
  coldSources,
  emergencyStates,
  retentionDays,
  recordCalls,
  recordingDays,
}: Omit<Changes, 'workspace'>) => ({
  ...(countries !== undefined && { enabled_countries: listed(countries) }),
  ...(postalAddress !== undefined && { postal_address: postalAddress.trim() || null }),
  ...(supportContact !== undefined && { support_contact: supportContact.trim() || null }),
  ...(coldSources !== undefined && { cold_sources: listed(coldSources) }),
  ...(emergencyStates !== undefined && { emergency_states: listed(emergencyStates.toUpperCase()) }),
  ...(retentionDays !== undefined && { retention_days: daysOf(retentionDays) }),
  ...(recordCalls !== undefined && { record_calls: recordCalls === 'on' }),
  ...(recordingDays !== undefined && { recording_retention_days: daysOf(recordingDays) }),
})

const daysOf = (text: string) => (text === '' ? null : Number(text))

const shown = (settings: ComplianceSettings) =>
  record(settings, {
    Countries: settings.enabled_countries.join(', '),
    'Postal address': settings.postal_address,
    'Support contact': settings.support_contact,
    'Cold sources': settings.cold_sources.join(', ') || null,
    'Emergency states': settings.emergency_states.join(', ') || null,
    'Content of messages': kept(settings.retention_days),
    'Calls are recorded': settings.record_calls ? 'yes' : 'no',
    'Recordings of calls': kept(settings.recording_retention_days),
  })

const kept = (days: number | null) => (days === null ? 'kept' : `erased after ${days} days`)
