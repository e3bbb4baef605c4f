import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactWasErased } from '../contacts/public.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import { fairHousingPageRoutes } from './fair-housing-page.ts'
import { addImportCommand } from './import/import-command.ts'
import { unlinkSeller } from './queries.ts'
import { readListingsAgain } from './read-again.ts'

export const listingModule: Module = {
  tag: 'Listings',
  endpoints: Object.values(endpoints),
  events: Object.values(events),
  periodicJobs: () => [readListingsAgain],
  commands: addImportCommand,
  routes: ({ runtime }) => fairHousingPageRoutes(runtime),
  subscriptions: [on(ContactWasErased, async (tx, { id }) => unlinkSeller(tx, id))],
}
