import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactWasErased } from '../contacts/public.ts'
import {
  MessageBlocked,
  MessageCancelled,
  MessageFailed,
  MessageSent,
  MessageUnknown,
} from '../messages/public.ts'
import { eraseSearches } from './delete-search.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import { queueDigests, sendDigestJob } from './jobs.ts'
import { outgoingDigests } from './outgoing.ts'
import { recordFailure, recordBlock, recordSent } from './record-outcome.ts'

export const savedSearchModule: Module = {
  tag: 'Saved searches',
  endpoints: Object.values(endpoints),
  events: Object.values(events),
  jobs: [sendDigestJob],
  periodicJobs: [queueDigests],
  outgoing: [outgoingDigests],
  subscriptions: [
    on(ContactWasErased, (tx, { id }) => eraseSearches(tx, id)),
    on(MessageSent, recordSent),
    on(MessageBlocked, recordBlock),
    ...[MessageCancelled, MessageFailed, MessageUnknown].map((type) => on(type, recordFailure)),
  ],
}
