import type { Module } from '#kernel/module.ts'
import { assignHolders } from './jobs.ts'

export const holders: Module = {
  tag: 'Contacts',
  endpoints: [],
  periodicJobs: () => [assignHolders],
}
