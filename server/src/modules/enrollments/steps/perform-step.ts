import { AppError } from '#kernel/errors.ts'
import { type ActionStep, type AskableStep, actionOf } from '../../automations/public.ts'
import { chooseBranch } from './branch.ts'
import { enrollElsewhere, stopElsewhere } from './other-automations.ts'
import { askOutside } from './outside/ask-outside.ts'
import { callWebhook } from './outside/call-webhook.ts'
import { type AskedStep, type MoveScene, type StepResult, questionOf, result } from './scene.ts'
import { performSend } from './send.ts'
import { waitForEvent } from './wait-for.ts'
import { waitUntil } from './wait-until.ts'

/** Takes a step in the transaction of the scene: one of the engine itself, or an action of the module that owns the record. */
export async function performStep(scene: MoveScene, asked: AskedStep<AskableStep>): Promise<StepResult> {
  const { step } = asked
  switch (step.type) {
    case 'branch':
      return chooseBranch(scene, { ...asked, step })
    case 'wait_until':
      return waitUntil(scene, { ...asked, step })
    case 'wait_for':
      return waitForEvent(scene, { ...asked, step })
    case 'enroll':
      return enrollElsewhere(scene, { ...asked, step })
    case 'stop':
      return stopElsewhere(scene, { ...asked, step })
    case 'webhook':
      return askOutside(scene, asked, (at, options) => scene.tx.enqueue(callWebhook, at, options))
    case 'send':
    case 'appointment_reminder':
    case 'ai_message':
      return performSend(scene, { ...asked, step })
    default:
      return act(scene, { ...asked, step })
  }
}

/** Takes an action. If the owning module rejects it, the step has failed, and the next one follows. */
async function act(scene: MoveScene, asked: AskedStep<ActionStep>): Promise<StepResult> {
  const { step } = asked
  try {
    const { fact, person } = await actionOf(step).perform({ ...questionOf(scene, asked), tx: scene.tx }, step)
    return { reply: { kind: 'done' }, fact, ...(person && { contact: person }) }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return result('failed', error.code)
  }
}
