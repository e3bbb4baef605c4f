import type { Module } from '#kernel/module.ts'
import { LeadAssigned, LeadCreated } from './events.ts'

export const leads: Module = {
  events: [LeadCreated, LeadAssigned],
}
