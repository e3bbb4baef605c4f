import type { Db } from '#kernel/db/handles.ts'
import { orNotFound } from '#kernel/errors.ts'
import { type EnrollStep, type StopStep, findAutomation, findVersion } from '../../automations/public.ts'
import { endEnrollment } from '../change-enrollment.ts'
import { findObstacles } from '../entries/find-obstacles.ts'
import { recordEntry } from '../entries/record-entry.ts'
import { appendToInbox } from '../inbox/append.ts'
import { withdrawEntry } from '../inbox/queries.ts'
import { findActive } from '../queries.ts'
import { type AskedStep, type MoveScene, type StepResult, result } from './scene.ts'

/** What keeps a contact from entering an automation in which a step enrolls them. */
export async function obstacleTo(
  { tx, now }: { tx: Db; now: Date },
  { step, facts: { contact }, chain }: Pick<AskedStep<EnrollStep>, 'step' | 'facts' | 'chain'>,
) {
  const automation = await findAutomation(tx, step.automation_id)
  const version = automation?.version ?? null
  if (automation === undefined || version === null) return { version, reason: 'disabled' as const }
  const { definition } = orNotFound(await findVersion(tx, automation.id, version))
  const { value } = await findObstacles(tx, { automation, definition, contact, chain }, now).next()
  return value && { version, ...value }
}

/** Enrolls the contact in another automation, and records in its entry log why not. */
export async function enrollElsewhere(scene: MoveScene, asked: AskedStep<EnrollStep>): Promise<StepResult> {
  const { tx } = scene
  const { step, facts, chain } = asked
  const { automation_id } = step
  const contact_id = facts.contact.id
  const obstacle = await obstacleTo(scene, asked)
  if (obstacle === undefined) {
    // In a transaction of its own, which locks that automation before any enrollment. It checks again.
    appendToInbox(tx, { contact_id, automation_id, chain })
    return result('done')
  }
  const { version, reason, enrollmentId: enrollment_id = null } = obstacle
  if (version !== null)
    recordEntry(scene, {
      automation_id,
      version,
      contact_id,
      event: null,
      event_id: null,
      outcome: reason,
      triggers: [],
      enrollment_id,
    })
  return result('skipped', reason, enrollment_id === null ? {} : { enrollment_id })
}

/** Ends the enrollment of the contact in another automation, or withdraws the one that is about to begin. */
export async function stopElsewhere(
  { tx }: MoveScene,
  { step: { automation_id }, facts: { contact }, enrollment }: AskedStep<StopStep>,
): Promise<StepResult> {
  const other = await findActive(tx, automation_id, contact.id)
  if (other === undefined) {
    const wasAboutToEnter = await withdrawEntry(tx, contact.id, automation_id)
    return wasAboutToEnter ? result('done') : result('skipped', 'not_enrolled')
  }
  if (other.id === enrollment.id) return result('skipped', 'not_enrolled')
  await endEnrollment(tx, other, 'exited', 'stopped')
  return result('done', null, { enrollment_id: other.id })
}
