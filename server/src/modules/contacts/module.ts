import type { Module } from '#kernel/module.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'

export const contacts: Module = {
  tag: 'Contacts',
  endpoints: Object.values(endpoints),
  events: Object.values(events),
}
