import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactWasErased } from '../contacts/public.ts'
import { documentCallbackRoutes } from './callback-routes.ts'
import * as endpoints from './endpoints.ts'
import { eraseDocuments } from './erase-documents.ts'
import * as events from './events.ts'
import { documentFollowUp, processDocumentJob } from './jobs.ts'
import { outgoingDocuments } from './outgoing.ts'
import type { DocumentDependencies } from './ports.ts'
import { listReachableFiles } from './queries.ts'

export const documents: Module<DocumentDependencies> = {
  tag: 'Documents',
  endpoints: Object.values(endpoints),
  events: Object.values(events),
  reachableFiles: listReachableFiles,
  routes: documentCallbackRoutes,
  jobs: (dependencies) => [processDocumentJob(dependencies)],
  followUps: [documentFollowUp],
  outgoing: [outgoingDocuments],
  subscriptions: [on(ContactWasErased, (tx, { id }) => eraseDocuments(tx, id))],
}
