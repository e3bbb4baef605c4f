import type { Definition } from '../../src/modules/automations/definition/definition.ts'
import type { AutomationStep } from '../../src/modules/automations/definition/step-types.ts'
import { mustBe } from '../simulation/violation.ts'
import { checkEffects } from './check-effects.ts'
import { type Commit, type Known, type Ledger, isActive } from './ledger.ts'
import type { SeenContact, SeenEnrollment, SeenStep, Snapshot } from './snapshot.ts'

const dayMs = 86_400_000
/** A message that has begun to be sent, and whose outcome is unknown for this long, counts as sent. */
const silentMs = 2 * 3_600_000

/** Every step is the next one of its course, on time, and taken by an engine. */
export function checkSteps(ledger: Ledger, commit: Commit, past: Snapshot, next: Snapshot): void {
  const { count, see, nameOf } = ledger
  const byId = new Map(next.enrollments.map((one) => [one.id, one]))
  const had = new Map(past.enrollments.map((one) => [one.id, one]))
  const seqs = new Map<string, number>()
  for (const { enrollment_id, seq } of past.steps) seqs.set(enrollment_id, seq + 1)
  const contacts = new Map(past.contacts.map((one) => [one.id, { ...one }]))
  const taken: SeenStep[] = []
  for (const step of next.steps) {
    const due = seqs.get(step.enrollment_id) ?? 0
    if (step.seq < due) continue
    const enrollment = byId.get(step.enrollment_id)
    const of = enrollment && see(enrollment)
    if (enrollment === undefined || of === undefined) continue
    const name = `${nameOf(enrollment)} ${step.step_key}`
    mustBe(commit.by === 'engine', () => `${name}: a ${commit.by} takes a step`)
    mustBe(step.seq === due, () => `${name}: is number ${step.seq}, after ${due}`)
    seqs.set(step.enrollment_id, step.seq + 1)
    const was = had.get(enrollment.id)
    mustBe(was === undefined || isActive(was), () => `${name}: a step after the end`)
    mustBe(was?.status !== 'paused', () => `${name}: a step during a pause`)
    mustBe(of.mustEnd === undefined, () => `${name}: a step, although ${of.mustEnd}`)
    const running = past.automations.find(({ id }) => id === enrollment.automation_id)?.running ?? 'finish'
    mustBe(running === 'finish', () => `${name}: a step, although its automation was disabled`)
    const contact = contacts.get(enrollment.contact_id)
    mustBe(contact?.stage !== 'TRASH', () => `${name}: a step for someone in TRASH`)
    checkStep(ledger, name, { step, of, enrollment, contact, next })
    taken.push(step)
    count(`${step.type} ${step.outcome}`)
  }
  checkEffects(ledger, taken, byId, past, next)
  // Changes by people and others in the meantime are not modeled.
  if (commit.by === 'engine')
    for (const { id, tags, stage } of next.contacts) {
      const model = contacts.get(id)
      if (model === undefined) continue
      mustBe(
        model.stage === stage && model.tags.toSorted().join() === tags.toSorted().join(),
        () => `a contact is ${stage} ${tags.join()}, not ${model.stage} ${model.tags.join()}`,
      )
    }
}

function checkStep(
  ledger: Ledger,
  name: string,
  {
    step,
    of,
    enrollment,
    contact,
    next,
  }: {
    step: SeenStep
    of: Known
    enrollment: SeenEnrollment
    contact: SeenContact | undefined
    next: Snapshot
  },
): void {
  const { now, skewMs, optedOut } = ledger
  const { definition } = of.course
  const at = Date.parse(step.at)
  const { lastSend } = of
  const outcome = next.messages.find(({ id }) => id === lastSend?.refs['message_id'])?.status
  const isAgain = lastSend !== undefined && step.step_key === lastSend.step_key
  if (isAgain)
    mustBe(
      outcome === 'blocked' || outcome === 'cancelled',
      () => `${name}: sent again, although the first one is ${outcome}`,
    )
  else if (lastSend !== undefined && (outcome === 'queued' || outcome === 'scheduled'))
    mustBe(false, () => `${name}: goes on, although its message is ${outcome}`)
  else if (lastSend !== undefined && outcome === 'sending')
    mustBe(
      at - Date.parse(lastSend.at) >= silentMs - 2 * skewMs,
      () => `${name}: goes on, although its message is ${outcome}`,
    )
  const expected = isAgain ? of.course.last() : of.course.next()
  mustBe(
    expected?.key === step.step_key && expected.type === step.type,
    () => `${name}: ${step.type}, instead of ${expected?.key} ${expected?.type}`,
  )
  if (expected === undefined) return
  // The transaction may have started a little earlier.
  const sinceThen = now() - at
  mustBe(sinceThen >= -skewMs && sinceThen <= skewMs + 16_000, () => `${name}: at another time than now`)
  if (of.lastAt === 0) of.lastAt = Date.parse(enrollment.started_at ?? step.at)
  if (expected.type === 'wait_for' || expected.type === 'wait_until')
    checkEvent(ledger, name, { step, of, expected, next })
  const { begun = expected } = of
  if (expected.type === 'webhook') checkResponse(ledger, name, step, of)
  if (expected.type === 'wait') checkWait(ledger, name, step, of, begun.type === 'wait' ? begun : expected)
  else {
    const exits = definition.exits?.some(({ when }) => when === 'conditions') === true
    mustBe(!exits || contact?.stage !== 'SPHERE', () => `${name}: a step, although its conditions end it`)
  }
  of.lastAt = at
  of.begun = undefined
  of.pausedMs = 0
  of.wasPaused = false
  const isSend = step.type === 'send' && step.refs['message_id'] !== undefined
  if (step.outcome !== 'deferred') of.lastSend = isSend ? step : undefined
  let branch: number | undefined
  if (expected.type === 'wait_for') {
    branch = expected.events.findIndex(({ event }) => event === step.reason)
    if (branch === -1) branch = expected.events.length
  }
  if (expected.type === 'branch') {
    branch = branchOf(expected, contact)
    const reason = branch < expected.branches.length ? `branch ${branch + 1}` : 'else'
    mustBe(step.reason === reason, () => `${name}: ${step.reason}, instead of ${reason}`)
  }
  if (step.outcome === 'done' && contact !== undefined) act(expected, contact)
  if (expected.type === 'send' && step.outcome === 'done' && of.behind !== undefined) {
    const behindMs = at - of.behind
    mustBe(behindMs <= dayMs + 2 * skewMs, () => `${name}: sent ${behindMs} ms behind its time`)
  }
  if (expected.type !== 'wait') of.behind = undefined
  if (expected.type === 'send') checkSend(optedOut, name, step, expected, enrollment.contact_id, definition)
  if (step.outcome !== 'deferred' && !isAgain) of.course.pass(branch)
}

/** Every wait for an appointment in the simulation ends this long before it. */
export const beforeMs = 2 * 3_600_000

/** The event has arrived, or the time is up. */
function checkEvent(
  { skewMs }: Ledger,
  name: string,
  {
    step,
    of,
    expected,
    next,
  }: {
    step: SeenStep
    of: Known
    expected: Extract<AutomationStep, { type: 'wait_for' | 'wait_until' }>
    next: Snapshot
  },
): void {
  const at = Date.parse(step.at)
  if (expected.type === 'wait_until') {
    const isGone = step.outcome === 'skipped'
    const appointment = next.appointments.find(({ id }) => id === step.refs['appointment_id'])
    const end = Date.parse(appointment?.starts_at ?? '') - beforeMs
    mustBe(isGone || at >= end - skewMs, () => `${name}: before its time`)
    mustBe(appointment?.status !== 'cancelled', () => `${name}: done, although its appointment is cancelled`)
    return
  }
  if (step.reason === 'timeout') {
    const { timeout } = of.begun?.type === 'wait_for' ? of.begun : expected
    const end = of.lastAt + (timeout.minutes ?? 0) * 60_000 + of.pausedMs
    mustBe(at >= end - 2 * skewMs - 1, () => `${name}: given up early by ${end - at} ms`)
    return
  }
  const event = next.events.find(({ id }) => id === step.refs['event_id'])
  mustBe(event?.name === step.reason, () => `${name}: ${step.reason} has not come`)
}

/** The recorded response was sent to this step, or none arrived in time. */
function checkResponse({ responses, count, skewMs }: Ledger, name: string, step: SeenStep, of: Known): void {
  if (step.reason === 'no_response') {
    const ms = Date.parse(step.at) - of.lastAt
    mustBe(ms >= silentMs - 2 * skewMs, () => `${name}: given up after ${ms} ms`)
    return
  }
  count('responded')
  const came = responses.get(`${step.enrollment_id}:${step.seq}`)
  const outcome = came?.get(step.reason ?? '')
  mustBe(outcome !== undefined, () => `${name}: ${step.reason} was not for it`)
  mustBe(step.outcome === outcome, () => `${name}: ${step.outcome}, although ${step.reason} was ${outcome}`)
}

function checkWait(
  { skewMs, mayDelay }: Ledger,
  name: string,
  step: SeenStep,
  of: Known,
  expected: Extract<AutomationStep, { type: 'wait' }>,
): void {
  const { minutes = 0, hours = 0, days = 0 } = expected.for
  const end = of.lastAt + ((days * 24 + hours) * 60 + minutes) * 60_000 + of.pausedMs
  const tolerance = 2 * skewMs + 1
  mustBe(Date.parse(step.at) >= end - tolerance, () => `${name}: early by ${end - Date.parse(step.at)} ms`)
  if (!of.wasPaused && of.lastSend === undefined && !mayDelay)
    mustBe(
      Date.parse(step.planned_at) <= end + tolerance,
      () => `${name}: planned late, at ${step.planned_at}`,
    )
}

function checkSend(
  optedOut: ReadonlySet<string>,
  name: string,
  step: SeenStep,
  { channel }: Extract<AutomationStep, { type: 'send' }>,
  contactId: string,
  { send_window }: Definition,
): void {
  if (step.outcome !== 'done') return
  const at = Date.parse(step.at)
  mustBe(at - Date.parse(step.planned_at) <= dayMs, () => `${name}: a day behind its time, and sent`)
  mustBe(channel !== 'sms' || !optedOut.has(contactId), () => `${name}: sent to someone who has opted out`)
  if (send_window === undefined) return
  const local = localTime(at)
  mustBe(
    local >= send_window.from && local < send_window.to,
    () => `${name}: sent at ${local}, outside its window`,
  )
}

function act(step: AutomationStep, contact: SeenContact): void {
  if (step.type === 'tag' && !contact.tags.includes(step.tag)) contact.tags = [...contact.tags, step.tag]
  if (step.type === 'untag') contact.tags = contact.tags.filter((tag) => tag !== step.tag)
  if (step.type === 'stage') contact.stage = step.stage
}

function branchOf(
  step: Extract<AutomationStep, { type: 'branch' }>,
  contact: SeenContact | undefined,
): number {
  const index = step.branches.findIndex(
    ({ conditions }) =>
      'value' in conditions &&
      Array.isArray(conditions.value) &&
      conditions.value.some((tag) => contact?.tags.includes(tag)),
  )
  return index === -1 ? step.branches.length : index
}

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/New_York',
  hour: '2-digit',
  minute: '2-digit',
})
const localTime = (at: number) => clock.format(at)
