import type { Module } from '#kernel/module.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'

export const personaModule: Module = {
  tag: 'Personas',
  endpoints: Object.values(endpoints),
  events: Object.values(events),
}
