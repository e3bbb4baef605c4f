import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactUpdated, ContactWasErased } from '../contacts/public.ts'
import { SenderCreated } from '../senders/public.ts'
import { TestClockTurned } from '../workspaces/public.ts'
import { connectNewSender, queueNewSender } from './connect-senders.ts'
import { listReachableConversations } from './conversations/conversation-queries.ts'
import { dropUnapproved } from './drop-unapproved.ts'
import { unsubscribeRoutes } from './email/unsubscribe-routes.ts'
import * as endpoints from './endpoints.ts'
import { eraseMessages } from './erasure/erase-messages.ts'
import { applyRetention, messageRemovals, removeErased } from './erasure/jobs.ts'
import * as events from './events.ts'
import { messageCallbackRoutes } from './inbound/callback-routes.ts'
import { lookUpStatuses, missedStatuses } from './inbound/missed-status.ts'
import { fetchMedia, mediaFetches } from './media/fetch-media.ts'
import { listReachableMedia } from './media/queries.ts'
import { failStopped } from './outbox/fail-stopped.ts'
import { sendMessages } from './outbox/send-messages.ts'
import { outgoingMessageRemovals, outgoingMessages } from './outgoing.ts'
import type { MessageDependencies } from './ports.ts'
import { followOwner, listReachableMessages } from './queries.ts'
import { bringOutboxForward } from './queue/queries.ts'
import * as senderEndpoints from './registration/endpoints.ts'
import { refreshSenders } from './registration/jobs.ts'

export const messages: Module<MessageDependencies> = {
  tag: 'Messages',
  endpoints: [...Object.values(endpoints), ...Object.values(senderEndpoints)],
  events: Object.values(events),
  reachable: { conversation: listReachableConversations, message: listReachableMessages },
  reachableFiles: listReachableMedia,
  routes: (dependencies) => [
    ...messageCallbackRoutes(dependencies),
    ...unsubscribeRoutes(dependencies.runtime),
  ],
  services: ({ carriers, lastSent }) => [
    { name: 'send-messages', start: (runtime) => sendMessages(runtime, carriers, lastSent) },
  ],
  outgoing: [outgoingMessages, outgoingMessageRemovals],
  jobs: ({ carriers, files }) => [
    connectNewSender(carriers),
    dropUnapproved,
    removeErased(carriers),
    lookUpStatuses(carriers),
    mediaFetches.job((ctx, id) => fetchMedia(ctx, { carriers, files }, id)),
  ],
  followUps: [messageRemovals, missedStatuses, mediaFetches],
  periodicJobs: ({ carriers }) => [applyRetention, failStopped, refreshSenders(carriers)],
  subscriptions: [
    on(ContactUpdated, (tx, { id, changes }) => {
      if (changes?.some(({ field }) => field === 'owner_id') === true) followOwner(tx, id)
    }),
    on(ContactWasErased, (tx, { id }) => eraseMessages(tx, id)),
    on(TestClockTurned, (tx, { ms }) => bringOutboxForward(tx, ms)),
    on(SenderCreated, (tx, { id }) => queueNewSender(tx, id)),
  ],
}
