import { orNotFound } from '#kernel/errors.ts'
import { type Written, findWriter, findWritten } from '../../ai/public.ts'
import type { AiMessageStep } from '../../automations/public.ts'
import type { Persona } from '../../personas/public.ts'
import { askOutside } from './outside/ask-outside.ts'
import { enqueueWriting } from './outside/write-ai-message.ts'
import { blocked } from './plan-send.ts'
import { type AskedStep, type MoveScene, type StepResult, result } from './scene.ts'

type Asked = AskedStep<AiMessageStep>

/**
 * The persona and its text, if that is still current; or the result of the step, if it has to wait or ends here. The text is undefined
 * until the persona has been asked to write, which happens only once its message may be sent.
 */
export async function askPersona(
  scene: MoveScene,
  asked: Asked,
): Promise<{ persona: Persona; written: Written | undefined } | StepResult> {
  const { tx, now } = scene
  const { step, enrollment, facts } = asked
  const waiting = enrollment.waiting_for?.kind === 'response' ? enrollment.waiting_for : undefined
  if (waiting !== undefined && waiting.response === undefined) return askToWrite(scene, asked)
  const { outcome, reason = null, refs = {} } = waiting?.response ?? {}
  if (outcome === 'blocked') return blocked(step, reason ?? 'blocked')
  if (outcome !== undefined && outcome !== 'done') return result(outcome, reason, refs)
  const { persona_id } = step
  const channel = step.channel === 'email' ? 'EMAIL' : 'SMS'
  const persona = await findWriter(tx, facts.contact, { persona_id, channel }, now)
  if (typeof persona === 'string') return result('skipped', persona)
  if (outcome === undefined) return { persona, written: undefined }
  const written = await findWritten(tx.unrestricted(), refs['generation_id'] ?? '', persona)
  if (written !== undefined) return { persona, written }
  // The text is outdated, for example because someone has written since. The persona writes again.
  const { response: _, attempts: __, failure: ___, retry_at: ____, ...again } = orNotFound(waiting)
  return askToWrite(scene, { ...asked, enrollment: { ...enrollment, waiting_for: again } })
}

/** Asks the persona to write, and waits for the text. */
export const askToWrite = (scene: MoveScene, asked: Asked): StepResult =>
  askOutside(scene, asked, (at, options) => enqueueWriting(scene.tx, at, options))
