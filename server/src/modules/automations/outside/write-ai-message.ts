import { Type } from 'typebox'
import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { type EnqueueOptions, enqueueJob, job } from '#kernel/jobs/job.ts'
import { type Responder, writeOutreach } from '../../ai/public.ts'
import type { StepAtHand } from './ask-outside.ts'
import { findStepAtHand, respondToStep } from './step-at-hand.ts'

const name = 'write-ai-message'

/** Seconds before each retry while the model is down. After the last one, the step has failed. */
const pauses = [30, 300, 1800]

/** Has a persona write the text of an `ai_message` step, unless the enrollment has ended or moved on. */
export const writeAiMessage = (responder: Responder) =>
  job(name, {
    runner: 'slow',
    payload: Type.Object({
      enrollment_id: Type.String(),
      seq: Type.Integer(),
      attempt: Type.Optional(Type.Integer()),
    }),
    async handle(ctx, { attempt = 0, ...at }) {
      const { enrollment, step } = (await findStepAtHand(ctx.db, at)) ?? {}
      if (enrollment === undefined || step?.type !== 'ai_message') return
      const { contact_id } = enrollment
      const { persona_id, purpose } = step
      const channel = step.channel === 'email' ? 'EMAIL' : 'SMS'
      const written = await writeOutreach(ctx, { contact_id, persona_id, channel, purpose }, responder)
      const { outcome, reason, generationId } = written
      const pause = pauses[attempt]
      if (reason !== 'model_down' || pause === undefined) {
        const refs = generationId === undefined ? {} : { generation_id: generationId }
        return respondToStep(ctx, at, contact_id, { outcome, reason, refs })
      }
      await ctx.transaction(async (tx) =>
        enqueueWriting(
          tx,
          { ...at, attempt: attempt + 1 },
          { runAt: later(tx.clock.now(), pause * 1000), key: `${at.enrollment_id}:${at.seq}` },
        ),
      )
    },
  })

export const enqueueWriting = (
  tx: Tx,
  payload: StepAtHand & { attempt?: number },
  options: EnqueueOptions,
): void => enqueueJob(tx, tx.workspaceId, name, payload, options)
