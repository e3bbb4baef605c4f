import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { CallCompleted, CallUpdated } from '../calls/public.ts'
import { ContactWasErased } from '../contacts/public.ts'
import {
  MessageApproved,
  MessageBlocked,
  MessageCancelled,
  MessageFailed,
  MessageReceived,
  dropPending,
} from '../messages/public.ts'
import * as endpoints from './endpoints.ts'
import { AiHandedOff } from './events.ts'
import { eraseOldGenerations, queueSummary, replyToMessage, summarize, summarizeAgain } from './jobs.ts'
import { createBreaker } from './model/breaker.ts'
import { outgoingResponses, outgoingSummaries } from './outgoing.ts'
import type { AiDependencies } from './ports.ts'
import { addPromptCommand } from './prompt-command.ts'
import { eraseGenerations, listPending, saveOfMessage } from './queries.ts'
import { informOwner } from './reply/inform-owner.ts'
import { leaveUnsent, recordUnsent } from './reply/leave-unsent.ts'
import { queueReply } from './reply/queue-reply.ts'
import { replies } from './reply/replies.ts'

export const ai: Module<AiDependencies> = {
  tag: 'Generations',
  endpoints: Object.values(endpoints),
  commands: addPromptCommand,
  events: [AiHandedOff],
  jobs({ runtime, model }) {
    const responder = { model, breaker: createBreaker(runtime.clock) }
    return [replyToMessage(responder), summarize(responder), leaveUnsent]
  },
  followUps: [replies],
  periodicJobs: (dependencies) => [eraseOldGenerations, summarizeAgain(dependencies)],
  outgoing: [outgoingResponses, outgoingSummaries],
  subscriptions: [
    on(MessageReceived, queueReply),
    on(MessageReceived, informOwner),
    on(CallCompleted, queueSummary),
    on(CallUpdated, (tx, call) => (call.fields.includes('transcript') ? queueSummary(tx, call) : undefined)),
    on(MessageApproved, (tx, { id, edited }) =>
      saveOfMessage(tx, id, {
        decision: edited ? 'edited' : 'sent_by_person',
        approver: tx.actor,
        updated_at: tx.clock.now().toISOString(),
      }),
    ),
    on(MessageBlocked, (tx, { id, source, reasons }) =>
      source === 'ai' ? recordUnsent(tx, id, 'blocked', reasons) : undefined,
    ),
    on(MessageFailed, (tx, { id, source, error }) =>
      source === 'ai' ? recordUnsent(tx, id, 'failed', [error.code]) : undefined,
    ),
    on(MessageCancelled, (tx, { id, source }) =>
      source === 'ai'
        ? saveOfMessage(tx, id, {
            decision: tx.actor.type === 'system' ? 'withdrawn' : 'dropped',
            approver: tx.actor,
            updated_at: tx.clock.now().toISOString(),
          })
        : undefined,
    ),
    on(ContactWasErased, async (tx, { id }) => {
      for (const pending of await listPending(tx, id)) await dropPending(tx, pending)
      eraseGenerations(tx, id)
    }),
  ],
}
