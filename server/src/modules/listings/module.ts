import { on } from '#kernel/events/subscription.ts'
import type { Module } from '#kernel/module.ts'
import { ContactWasErased } from '../contacts/public.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import { fairHousingPageRoutes } from './fair-housing/fair-housing-page.ts'
import { addImportCommand } from './import/import-command.ts'
import { unlinkSeller } from './queries.ts'

export const listingModule: Module = {
  tag: 'Listings',
  endpoints: Object.values(endpoints),
  events: Object.values(events),
  commands: addImportCommand,
  routes: ({ runtime }) => fairHousingPageRoutes(runtime),
  subscriptions: [on(ContactWasErased, async (tx, { id }) => unlinkSeller(tx, id))],
}
