import type { Module } from '#kernel/module.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import { listReachableContacts } from './queries.ts'
import { readContactsAgain } from './read-again.ts'

export const contacts: Module = {
  tag: 'Contacts',
  endpoints: Object.values(endpoints),
  events: Object.values(events),
  periodicJobs: () => [readContactsAgain],
  reachable: { contact: listReachableContacts },
}
