import { Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import type { Exchange } from '#kernel/egress/egress.ts'
import { job } from '#kernel/jobs/job.ts'
import type { WebhookStep } from '../../../automations/public.ts'
import { deliveryHeaders } from '../../../deliveries/public.ts'
import { findSigningSecrets } from '../../../webhooks/public.ts'
import type { Enrollment } from '../../enrollment.ts'
import { stepKey } from './ask-outside.ts'
import { findStepAtHand, isLastAttempt, respondToStep, retryStep } from './step-at-hand.ts'

const eventName = 'automation.webhook'

/** Posts to the URL of a `webhook` step, unless the enrollment has ended or moved on. */
export const callWebhook = job('call-automation-webhook', {
  payload: Type.Object({
    enrollment_id: Type.String(),
    seq: Type.Integer(),
  }),
  async handle(ctx, at) {
    const { enrollment, step } = (await findStepAtHand(ctx.db, at)) ?? {}
    if (enrollment === undefined || step?.type !== 'webhook') return
    const respond = (outcome: 'done' | 'failed', reason: string | null) =>
      respondToStep(ctx, at, enrollment.contact_id, { outcome, reason, refs: {} })
    const secrets = await findSigningSecrets(ctx, step.webhook_id)
    if (secrets === undefined) return respond('failed', 'webhook_removed')
    const { ok, status, failure } = await post(ctx, enrollment, step, secrets)
    if (ok) await respond('done', null)
    else if (isLastAttempt(enrollment) || !mayPass(status))
      await respond('failed', status === null ? 'no_response' : `http_${status}`)
    else
      await retryStep(ctx, at, failure ?? 'no response', (tx, options) =>
        tx.enqueue(callWebhook, at, options),
      )
  },
})

/** Whether a retry may succeed. */
const mayPass = (status: number | null) =>
  status === null || status >= 500 || status === 408 || status === 425 || status === 429

/** The request names records only by ID, next to the step's own `data`. A receiver retrieves what its credential may read. */
function post(
  { egress, clock }: Ctx,
  { id, seq, automation_id, contact_id, step_key }: Enrollment,
  { url, data = {} }: WebhookStep,
  secrets: readonly [string, ...string[]],
): Promise<Exchange> {
  const key = stepKey({ enrollment_id: id, seq })
  const at = clock.now()
  const body = JSON.stringify({
    id: key,
    type: eventName,
    created_at: at.toISOString(),
    automation_id,
    enrollment_id: id,
    contact_id,
    step_key,
    data,
  })
  const signed = deliveryHeaders({ event: eventName, id: key, eventId: key, body }, secrets, at)
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  egress.post({ url, headers: { ...signed, 'idempotency-key': key }, body }, resolve)
  return promise
}
