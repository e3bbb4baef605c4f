import { type AnchorTime, resumptionAt, type WaitUntilStep } from '../../automations/public.ts'
import { findAppointment, findNextAppointment } from '../../calendar/public.ts'
import { dateFields, findDeal, listDealsOf } from '../../deals/public.ts'
import { type AskedStep, type JudgeScene, type StepResult, result, waitFor } from './scene.ts'

/**
 * Waits until some time before or after a date of an appointment, a deal, or the contact. The record is chosen once; its date is read again
 * whenever the engine looks at the enrollment. If the time has passed, the enrollment continues at once, and a message that follows is late
 * by as much.
 */
export async function waitUntil(scene: JudgeScene, asked: AskedStep<WaitUntilStep>): Promise<StepResult> {
  const { now } = scene
  const { step, enrollment } = asked
  const { anchor } = step
  const chosen = anchor === 'contact.created_at' ? ofContact(scene, asked) : await ofRecord(scene, asked)
  if (chosen === undefined) {
    const gone = result('skipped', 'gone')
    return step.if_gone === 'exit' ? { ...gone, reply: { kind: 'end', reason: 'gone' } } : gone
  }
  const { at, refs } = chosen
  if (at <= now.getTime()) return { ...result('done', null, refs), due: new Date(at).toISOString() }
  const { waiting_for: waiting } = enrollment
  const since = waiting?.since ?? now.toISOString()
  return waitFor({ kind: 'date', until: new Date(at).toISOString(), since, refs })
}

/** When to continue, in epoch milliseconds, and the record that the time comes from. */
interface Chosen {
  at: number
  refs: Record<string, string>
}

const ofContact = ({ timezone }: JudgeScene, { step, facts }: AskedStep<WaitUntilStep>): Chosen => ({
  at: resumptionAt({ at: facts.contact.created_at }, step, timezone),
  refs: {},
})

/** Uses the record that the step already waits for, or that the event or the request names, or else one of the contact's. */
async function ofRecord(scene: JudgeScene, asked: AskedStep<WaitUntilStep>): Promise<Chosen | undefined> {
  const { step, enrollment, facts } = asked
  const kind = step.anchor.startsWith('deal.') ? 'deal' : 'appointment'
  const named = [
    enrollment.waiting_for?.refs?.[`${kind}_id`],
    facts.subject?.type === kind ? facts.subject.id : facts.trigger[`${kind}_id`],
    facts.context[`${kind}_id`],
  ].find((id) => typeof id === 'string')
  return kind === 'deal' ? ofDeal(scene, asked, named) : ofAppointment(scene, asked, named)
}

async function ofAppointment(
  { tx, now, timezone }: JudgeScene,
  { step, facts }: AskedStep<WaitUntilStep>,
  named: string | undefined,
): Promise<Chosen | undefined> {
  // An appointment that has begun still counts as the next one if the time `after` it has not come yet.
  const lead = resumptionAt({ at: now.toISOString() }, { before: step.after ?? {} }, timezone)
  const appointment =
    named === undefined
      ? await findNextAppointment(tx, facts.contact.id, new Date(lead))
      : await findAppointment(tx, named)
  if (appointment === undefined || appointment.status === 'cancelled') return undefined
  const { id, starts_at, ends_at } = appointment
  const time = step.anchor === 'appointment.ends_at' ? ends_at : starts_at
  return { at: resumptionAt({ at: time }, step, timezone), refs: { appointment_id: id } }
}

/** Of several deals, chooses the one whose time comes next, or else the one whose time was last. */
async function ofDeal(
  { tx, now, timezone }: JudgeScene,
  { step, facts }: AskedStep<WaitUntilStep>,
  named: string | undefined,
): Promise<Chosen | undefined> {
  const field = dateFields.find((one) => `deal.${one}` === step.anchor)
  const deals = named === undefined ? await listDealsOf(tx, facts.contact.id) : [await findDeal(tx, named)]
  const chosen = deals.flatMap((deal): Chosen[] => {
    const day = field === undefined ? null : (deal?.[field] ?? null)
    if (deal === undefined || day === null || deal.status === 'lost' || deal.status === 'cancelled') return []
    const time: AnchorTime = { day }
    return [{ at: resumptionAt(time, step, timezone), refs: { deal_id: deal.id } }]
  })
  const inOrder = chosen.sort((one, other) => one.at - other.at)
  return inOrder.find(({ at }) => at > now.getTime()) ?? inOrder.at(-1)
}
