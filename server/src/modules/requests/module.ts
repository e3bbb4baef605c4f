import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactWasErased } from '../contacts/public.ts'
import * as endpoints from './endpoints.ts'
import { deleteOldLog } from './jobs.ts'
import { eraseBodies } from './queries.ts'

export const requests: Module = {
  tag: 'Requests',
  endpoints: Object.values(endpoints),
  subscriptions: [on(ContactWasErased, (tx, { id }) => eraseBodies(tx, id))],
  periodicJobs: [deleteOldLog],
}
