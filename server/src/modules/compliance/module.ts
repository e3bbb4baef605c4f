import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactUpdated, ContactWasErased } from '../contacts/public.ts'
import * as endpoints from './endpoints.ts'
import { RecipientSuppressed, RecipientUnsuppressed } from './events.ts'
import { addSuppressionImport } from './import-command.ts'
import { maintainSuppressionKeys } from './jobs.ts'
import { writeStopJournal } from './journal/write-journal.ts'
import { chainLedgers } from './ledger/chain-entries.ts'
import { addLedgerCommands } from './ledger/ledger-commands.ts'
import type { ComplianceDependencies } from './ports.ts'
import { retainBeyondErasure, retainForFormerPoints } from './retain-suppressions.ts'
import { ComplianceSettingsChanged } from './settings/events.ts'
import * as settingsEndpoints from './settings/settings-endpoints.ts'

export const compliance: Module<ComplianceDependencies> = {
  tag: 'Compliance',
  endpoints: [...Object.values(endpoints), ...Object.values(settingsEndpoints)],
  events: [RecipientSuppressed, RecipientUnsuppressed, ComplianceSettingsChanged],
  subscriptions: [
    on(ContactUpdated, async (tx, { id, changes }) => {
      const givesUp = changes?.some(
        ({ field, from }) => (field === 'phone' || field === 'email') && from !== null,
      )
      if (givesUp === true) await retainForFormerPoints(tx, id)
    }),
    on(ContactWasErased, (tx, { id }) => retainBeyondErasure(tx, id)),
  ],
  periodicJobs: [maintainSuppressionKeys],
  services: ({ stops }) => [
    { name: 'chain-ledgers', start: chainLedgers },
    { name: 'write-stop-journal', start: (runtime) => writeStopJournal(runtime, stops), whileHeld: true },
  ],
  commands(program, cli) {
    addSuppressionImport(program, cli)
    addLedgerCommands(program, cli)
  },
}
