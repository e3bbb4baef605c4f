import { on } from '#kernel/events/subscription.ts'
import type { Module } from '#kernel/module.ts'
import { ContactWasErased } from '../contacts/public.ts'
import { MessageApproved, MessageCancelled, MessageReceived } from '../messages/public.ts'
import { AiHandedOff } from './events.ts'
import { replyToMessage } from './jobs.ts'
import { createBreaker } from './model/breaker.ts'
import type { AiDependencies } from './ports.ts'
import { eraseGenerations, saveOfMessage } from './queries.ts'
import { queueReply } from './reply/queue-reply.ts'

export const ai: Module<AiDependencies> = {
  events: [AiHandedOff],
  jobs({ runtime, model }) {
    const responder = { model, breaker: createBreaker(runtime.clock) }
    return [replyToMessage(responder)]
  },
  subscriptions: [
    on(MessageReceived, queueReply),
    on(MessageApproved, (tx, { id, edited }) =>
      saveOfMessage(tx, id, {
        decision: edited ? 'edited' : 'sent_by_person',
        approver: tx.actor,
        updated_at: tx.clock.now().toISOString(),
      }),
    ),
    on(MessageCancelled, (tx, { id, source }) => {
      if (source === 'ai')
        saveOfMessage(tx, id, { decision: 'dropped', updated_at: tx.clock.now().toISOString() })
    }),
    on(ContactWasErased, (tx, { id }) => eraseGenerations(tx, id)),
  ],
}
