import { type Provide, endpoint, ok } from '#kernel/http/endpoint.ts'
import { senders } from '../../senders/public.ts'
import type { MessageDependencies } from '../ports.ts'
import { askAboutSender, saveReport } from './refresh-senders.ts'

export const postSenderRefresh = endpoint('POST /senders/{id}/refresh', {
  scope: 'settings:manage',
  tag: 'Senders',
  summary: 'Refresh a sender',
  description:
    'Asks the provider about the `registration` now; for WhatsApp, also about the message templates of the account. States and templates that the provider does not report stay as they are. Gable asks every hour anyway, except about simulated connections.',
  responses: { 200: senders.Record },
  errors: {
    503: '`provider_unavailable`: the provider cannot be reached, or rejects the request; nothing changed. `unavailable`: the service is temporarily unavailable.',
  },
  prepare: async (ctx, { params }, provide: Provide<MessageDependencies>) =>
    askAboutSender(ctx, (await provide()).carriers, params.id),
  handle: async (ctx, _, report) => ok(await saveReport(ctx, report)),
})
