import type { Module } from '#kernel/module.ts'
import { SavedSearchSent } from './events.ts'

export const listings: Module = {
  events: [SavedSearchSent],
}
