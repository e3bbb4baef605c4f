import { Option, type Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare } from '#kernel/cli/declare.ts'
import { type Limited, limitOption, newest } from '#kernel/cli/limit.ts'
import { record, tableOf } from '#kernel/cli/output.ts'
import { orNotFound } from '#kernel/errors.ts'
import { findAutomation } from '../../automations/public.ts'
import { type AutomationEntry, entryOutcomes, explainEntry, listEntries } from '../../enrollments/public.ts'

interface Options extends Limited {
  workspace: string
  outcome?: AutomationEntry['outcome']
  contact?: string
}

const failingFields = (triggers: readonly { failing_conditions: readonly { field: string }[] }[]) =>
  [...new Set(triggers.flatMap((one) => one.failing_conditions.map(({ field }) => field)))].join(', ') || null

/** Adds `entries` and `explain` to `gable automation`. */
export function addEntryCommands(automation: Command, cli: Cli): void {
  const entries = declare(automation, 'entries', {
    summary: 'list the events that could have started the automation, newest first, with their outcomes',
    example: 'automation entries AUTOMATION --workspace ID --outcome condition',
  })
    .argument('<id>', 'id of the automation')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .addOption(new Option('--outcome <outcome>', 'only entries with this outcome').choices(entryOutcomes))
    .option('--contact <id>', 'only entries of this contact')
    .addOption(limitOption())
  entries.action(
    cli.run(async (opened, id: string) => {
      const { workspace, outcome, contact, limit } = entries.opts<Options>()
      const { db } = await opened.workspace(workspace)
      orNotFound(await findAutomation(db, id))
      const filters = {
        ...(outcome === undefined ? {} : { outcome }),
        ...(contact === undefined ? {} : { contact_id: contact }),
      }
      const rows = await listEntries(db, id, filters, newest({ limit }))
      const columns = {
        at: ({ created_at }: AutomationEntry) => created_at,
        contact: ({ contact_id }: AutomationEntry) => contact_id,
        event: ({ event }: AutomationEntry) => event,
        outcome: (entry: AutomationEntry) => entry.outcome,
        failing: ({ triggers }: AutomationEntry) => failingFields(triggers),
      }
      return tableOf(rows, columns, 'There are no entries.', limit)
    }),
  )
  const explain = declare(automation, 'explain', {
    summary: 'explain whether a contact would be enrolled now, and why not',
    example: 'automation explain AUTOMATION CONTACT --workspace ID',
  })
    .argument('<automation>', 'id of the automation')
    .argument('<contact>', 'id of the contact')
    .requiredOption('--workspace <id>', 'id of the workspace')
  explain.action(
    cli.run(async (opened, id: string, contact: string) => {
      const ctx = await opened.workspace(explain.opts<{ workspace: string }>().workspace)
      const value = await explainEntry(ctx, id, contact)
      return record(value, {
        would_enter: value.would_enter ? 'yes' : 'no',
        reasons: value.reasons.join(', ') || null,
        failing: failingFields(value.triggers),
      })
    }),
  )
}
