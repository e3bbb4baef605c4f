import { on } from '#kernel/events/subscription.ts'
import type { Module } from '#kernel/module.ts'
import { ContactUpdated, ContactWasErased } from '../contacts/public.ts'
import { carryBeyondErasure, carryFromChanged } from './carry-over.ts'
import { addSuppressionCommands } from './commands.ts'
import { RecipientSuppressed, RecipientUnsuppressed } from './events.ts'
import { tendSuppressionKeys } from './jobs.ts'

export const compliance: Module = {
  events: [RecipientSuppressed, RecipientUnsuppressed],
  subscriptions: [
    on(ContactUpdated, async (tx, { id, changes }) => {
      const givesUp = changes?.some(
        ({ field, from }) => (field === 'phone' || field === 'email') && from !== null,
      )
      if (givesUp === true) await carryFromChanged(tx, id)
    }),
    on(ContactWasErased, (tx, { id }) => carryBeyondErasure(tx, id)),
  ],
  periodicJobs: [tendSuppressionKeys],
  commands: addSuppressionCommands,
}
