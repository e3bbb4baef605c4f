import { Type } from 'typebox'
import type { Tx } from '#kernel/context.ts'
import { type EnqueueOptions, enqueueJob } from '#kernel/enqueue.ts'
import { job } from '#kernel/jobs/job.ts'
import { type Responder, writeOutreach } from '../../../ai/public.ts'
import type { StepAtHand } from './ask-outside.ts'
import { findStepAtHand, isLastAttempt, respondToStep, retryStep } from './step-at-hand.ts'

export const writeAiMessageJob = 'write-ai-message'

/** Has a persona write the text of an `ai_message` step, unless the enrollment has ended or moved on. */
export const writeAiMessage = (responder: Responder) =>
  job(writeAiMessageJob, {
    runner: 'slow',
    payload: Type.Object({
      enrollment_id: Type.String(),
      seq: Type.Integer(),
    }),
    async handle(ctx, at) {
      const { enrollment, step } = (await findStepAtHand(ctx.db, at)) ?? {}
      if (enrollment === undefined || step?.type !== 'ai_message') return
      const { contact_id } = enrollment
      const { persona_id, purpose } = step
      const channel = step.channel === 'email' ? 'EMAIL' : 'SMS'
      const written = await writeOutreach(ctx, { contact_id, persona_id, channel, purpose }, responder)
      const { outcome, reason, generationId } = written
      if (reason !== 'model_down' || isLastAttempt(enrollment)) {
        const refs = generationId === undefined ? {} : { generation_id: generationId }
        return respondToStep(ctx, at, contact_id, { outcome, reason, refs })
      }
      await retryStep(ctx, at, 'the language model is unavailable', (tx, options) =>
        enqueueWriting(tx, at, options),
      )
    },
  })

export const enqueueWriting = (tx: Tx, at: StepAtHand, options: EnqueueOptions): void =>
  enqueueJob(tx, tx.workspaceId, writeAiMessageJob, at, options)
