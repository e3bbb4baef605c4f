import { nextOpening, weekdays } from '#kernel/conditions/hours.ts'
import { AppError, found } from '#kernel/errors.ts'
import type { Contact } from '../../contacts/public.ts'
import { planMessage, sendMessage } from '../../messages/public.ts'
import { findMember } from '../../workspaces/public.ts'
import type { Definition, SendStep } from '../definition/definition.ts'
import { fillText } from '../definition/placeholders.ts'
import { stepOf } from '../definition/tree.ts'
import { listSteps } from '../enrollment-queries.ts'
import { type AskedStep, type MoveScene, type StepResult, result } from './scene.ts'

/** A send that is further behind its time is left out, so that no flood follows a pause or an outage. */
const lateMs = 24 * 3_600_000
/** A message that may not be sent for so long is blocked. */
const patienceMs = 7 * lateMs

/** Has a message accepted through the gates, which judge it in the transaction of the step. */
export async function performSend(scene: MoveScene, asked: AskedStep<SendStep>): Promise<StepResult> {
  const { step, enrollment, definition, facts } = asked
  const { ctx, now, timezone } = scene
  const { contact } = facts
  const due = Date.parse(enrollment.due_at ?? now.toISOString())
  if (now.getTime() - due > lateMs) return result('skipped', 'late')
  const opening = windowOpening(definition, contact, timezone, now)
  if (opening > now) return wait(step, now, opening)
  const to = step.channel === 'email' ? contact.email : contact.phone
  if (to === null) return blocked(step, step.channel === 'email' ? 'email_missing' : 'phone_missing')
  const draft = await draftOf(scene, { ...asked, to })
  try {
    const plan = await planMessage(ctx, draft, { source: 'automation' })
    const { verdict } = plan
    if (!verdict.allowed && verdict.retryAt !== null) return wait(step, now, new Date(verdict.retryAt))
    if (!verdict.allowed && (await wasBlocked(scene, asked, verdict.reason)))
      return blocked(step, verdict.reason)
    const message = await sendMessage(ctx, draft, plan)
    return result('done', null, { message_id: message.id })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return blocked(step, error.body.reason ?? error.code, error.body.more)
  }
}

/** A message that a gate forbids is recorded once for an enrollment, a channel and a reason; the history has every attempt. */
const wasBlocked = async (
  { tx }: MoveScene,
  { enrollment, definition, step: { channel } }: AskedStep<SendStep>,
  reason: string,
): Promise<boolean> =>
  (await listSteps(tx, enrollment.id)).some((earlier) => {
    const step = stepOf(definition, earlier.step_key)
    return (
      earlier.outcome === 'blocked' &&
      earlier.reason === reason &&
      step?.type === 'send' &&
      step.channel === channel
    )
  })

function blocked({ on_blocked = 'skip' }: SendStep, reason: string, more?: object): StepResult {
  const id = (more as { message_id?: string } | undefined)?.message_id
  const recorded = result('blocked', reason, id === undefined ? {} : { message_id: id })
  return on_blocked === 'exit' ? { ...recorded, reply: { kind: 'end', reason: 'blocked' } } : recorded
}

/** Tries it again then, unless that is too far off. */
function wait(step: SendStep, now: Date, at: Date): StepResult {
  if (at.getTime() - now.getTime() > patienceMs) return blocked(step, 'too_late')
  return { ...result('done'), reply: { kind: 'retry', at: at.getTime() } }
}

/** When the send window opens, which can be now. */
function windowOpening({ send_window }: Definition, contact: Contact, timezone: string, now: Date): Date {
  if (send_window === undefined) return now
  const { days = weekdays, from, to, zone = 'contact' } = send_window
  const own = zone === 'contact' ? (contact.timezone ?? timezone) : timezone
  return nextOpening({ days: [...days], from, to, timezone: own }, now)
}

async function draftOf(
  { tx, workspaceName }: MoveScene,
  { step, facts: { contact }, to }: AskedStep<SendStep> & { to: string },
) {
  const owner = contact.owner_id === null ? undefined : await findMember(tx, contact.owner_id)
  const words = {
    'contact.first_name': contact.first_name,
    'contact.last_name': contact.last_name,
    'owner.name': owner?.active === true ? owner.name : null,
    'workspace.name': workspaceName,
  }
  const common = { to, contact_id: contact.id, body: fillText(step.body, words) }
  if (step.channel === 'sms') return { channel: 'sms' as const, ...common }
  const subject = fillText(found(step.subject), words).replaceAll(/\s+/g, ' ')
  return { channel: 'email' as const, subject, ...common }
}
