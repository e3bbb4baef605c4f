import { on } from '#kernel/events/subscription.ts'
import type { Module } from '#kernel/module.ts'
import { ContactWasErased } from '../contacts/public.ts'
import { RecipientSuppressed, RecipientUnsuppressed } from './events.ts'
import { tendSuppressionKeys } from './jobs.ts'
import { keepBeyondErasure } from './keep-beyond-erasure.ts'

export const compliance: Module = {
  events: [RecipientSuppressed, RecipientUnsuppressed],
  subscriptions: [on(ContactWasErased, (tx, { id }) => keepBeyondErasure(tx, id))],
  periodicJobs: [tendSuppressionKeys],
}
