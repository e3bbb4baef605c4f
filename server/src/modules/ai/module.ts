import { on } from '#kernel/events/subscription.ts'
import type { Module } from '#kernel/module.ts'
import { CallCompleted, CallUpdated } from '../calls/public.ts'
import { ContactWasErased } from '../contacts/public.ts'
import {
  MessageApproved,
  MessageBlocked,
  MessageCancelled,
  MessageReceived,
  dropPending,
} from '../messages/public.ts'
import { addGenerationCommands } from './commands.ts'
import * as endpoints from './endpoints.ts'
import { AiHandedOff } from './events.ts'
import { eraseOldGenerations, queueSummary, replyToMessage, summarize, summarizeAgain } from './jobs.ts'
import { createBreaker } from './model/breaker.ts'
import type { AiDependencies } from './ports.ts'
import { blockPending, eraseGenerations, listPending, saveOfMessage } from './queries.ts'
import { queueReply } from './reply/queue-reply.ts'

export const ai: Module<AiDependencies> = {
  tag: 'Generations',
  endpoints: Object.values(endpoints),
  commands: addGenerationCommands,
  events: [AiHandedOff],
  jobs({ runtime, model }) {
    const responder = { model, breaker: createBreaker(runtime.clock) }
    return [replyToMessage(responder), summarize(responder)]
  },
  periodicJobs: (dependencies) => [eraseOldGenerations, summarizeAgain(dependencies)],
  subscriptions: [
    on(MessageReceived, queueReply),
    on(CallCompleted, queueSummary),
    on(CallUpdated, (tx, call) => (call.fields.includes('transcript') ? queueSummary(tx, call) : undefined)),
    on(MessageApproved, (tx, { id, edited }) =>
      saveOfMessage(tx, id, {
        decision: edited ? 'edited' : 'sent_by_person',
        approver: tx.actor,
        updated_at: tx.clock.now().toISOString(),
      }),
    ),
    on(MessageBlocked, (tx, { id, source }) => {
      if (source === 'ai') blockPending(tx, id, tx.clock.now())
    }),
    on(MessageCancelled, (tx, { id }) =>
      saveOfMessage(tx, id, {
        decision: tx.actor.type === 'system' ? 'withdrawn' : 'dropped',
        approver: tx.actor,
        updated_at: tx.clock.now().toISOString(),
      }),
    ),
    on(ContactWasErased, async (tx, { id }) => {
      for (const pending of await listPending(tx, id)) await dropPending(tx, pending)
      eraseGenerations(tx, id)
    }),
  ],
}
