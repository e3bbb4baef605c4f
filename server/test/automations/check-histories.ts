import { mustBe } from '../simulation/violation.ts'
import { type Commit, type Ledger, isActive } from './ledger.ts'
import type { SeenEnrollment, SeenMessage, SeenStep, Snapshot } from './snapshot.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** After each failed attempt, the step is tried again after this many minutes. */
const pauses = [1, 5, 30, 120]
/** A message that has begun to be sent, and whose outcome is unknown for this long, counts as sent. */
const silentMs = 120 * minuteMs

/** What an enrollment says of itself agrees with its steps, with its messages, and with what came while it waited. */
export function checkHistories(ledger: Ledger, commit: Commit, past: Snapshot, next: Snapshot): void {
  const { nameOf } = ledger
  ledger.commits++
  for (const { id } of next.events)
    if (!ledger.arrived.has(id)) ledger.arrived.set(id, { place: ledger.commits, by: commit.by })
  const earlier = new Map(past.enrollments.map((one) => [one.id, one]))
  const stepsOf = Map.groupBy(next.steps, ({ enrollment_id }) => enrollment_id)
  const messages = new Map(next.messages.map((one) => [one.id, one]))
  for (const one of next.enrollments) {
    const steps = stepsOf.get(one.id) ?? []
    const was = earlier.get(one.id)
    mustBe(one.seq === steps.length, () => `${nameOf(one)}: is at number ${one.seq} of ${steps.length} steps`)
    mustBe(steps.length === 0 || one.started_at !== null, () => `${nameOf(one)}: has steps, and no start`)
    if (was !== undefined) {
      checkAttempts(ledger, commit, was, one)
      checkStored(ledger, was, one, steps)
      for (const step of steps.slice(was.seq)) {
        checkDue(ledger, step, steps[was.seq - 1], one)
        checkTimeout(ledger, step, one, past)
      }
    }
    noteWait(ledger, one)
    for (const [place, step] of steps.entries())
      checkOutcome(ledger, one, step, {
        message: messages.get(step.refs['message_id'] ?? ''),
        until: steps[place + 1]?.at ?? one.ended_at,
      })
  }
}

/** Attempts go up one at a time, each a while after the one before, and stand still during a pause. */
function checkAttempts(
  { now, skewMs, nameOf }: Ledger,
  { by }: Commit,
  was: SeenEnrollment,
  one: SeenEnrollment,
): void {
  if (by === 'engine' && was.status === 'paused' && one.status === 'paused')
    mustBe(one.attempts === was.attempts, () => `${nameOf(one)}: an attempt counts during a pause`)
  if (one.attempts > was.attempts) {
    const due = now() + (pauses[was.attempts] ?? 0) * minuteMs
    mustBe(
      one.attempts === was.attempts + 1 && Math.abs(Date.parse(one.due_at ?? '') - due) <= skewMs + 16_000,
      () => `${nameOf(one)}: its attempt ${one.attempts} is followed at ${one.due_at}`,
    )
  }
  mustBe(
    !isActive(one) || one.attempts === 0 || one.seq === was.seq || was.attempts < one.attempts,
    () => `${nameOf(one)}: a step was taken, and the attempts before it still count`,
  )
  const { waiting_for: waiting } = one
  const isTimed = ['event', 'response', 'message', 'date'].includes(waiting?.kind ?? '')
  if (one.status === 'running' && one.attempts === 0 && isTimed && typeof waiting?.until === 'string')
    mustBe(
      Date.parse(one.due_at ?? '') <= Date.parse(waiting.until),
      () => `${nameOf(one)}: waits until ${waiting.until}, and is due at ${one.due_at}`,
    )
}

/** A response that the engine has stored stays, and the step ends with it. */
function checkStored(
  { nameOf }: Ledger,
  was: SeenEnrollment,
  one: SeenEnrollment,
  steps: readonly SeenStep[],
): void {
  const stored = was.waiting_for?.response
  if (stored === undefined || !isActive(one)) return
  const reason = one.seq > was.seq ? steps[was.seq]?.reason : one.waiting_for?.response?.reason
  mustBe(reason === stored.reason, () => `${nameOf(one)}: ${reason}, although ${stored.reason} came before`)
}

/** No step was due before what its enrollment had done by the commit before; a message is skipped as late only if it is. */
function checkDue(
  { skewMs, nameOf }: Ledger,
  { planned_at, at, step_key, type, reason }: SeenStep,
  before: SeenStep | undefined,
  one: SeenEnrollment,
): void {
  const name = () => `${nameOf(one)} ${step_key}: due at ${planned_at}`
  const planned = Date.parse(planned_at)
  if (before !== undefined) mustBe(planned >= Date.parse(before.at) - 2 * skewMs - 1, name)
  if (type === 'send' && reason === 'late') mustBe(Date.parse(at) - planned > dayMs, name)
}

/** Notes from which commit on an enrollment waits for events. */
function noteWait({ see, commits }: Ledger, one: SeenEnrollment): void {
  const of = see(one)
  if (of === undefined || one.waiting_for?.kind !== 'event' || of.waits?.seq === one.seq) return
  of.waits = { seq: one.seq, from: commits, events: one.waiting_for.events ?? [] }
}

/** Nothing that a step waits for has come when it gives up, whatever the clock of the process that published it. */
function checkTimeout(
  { see, arrived, nameOf, count }: Ledger,
  step: SeenStep,
  one: SeenEnrollment,
  past: Snapshot,
): void {
  const of = see(one)
  if (step.type !== 'wait_for' || step.reason !== 'timeout' || of?.waits?.seq !== step.seq) return
  if (of.wasMigrated) return
  count('timeout')
  const { from, events } = of.waits
  const missed = past.events.find(({ id, name, timeline_id }) => {
    const { place = 0, by } = arrived.get(id) ?? {}
    return timeline_id === one.contact_id && events.includes(name) && place > from && by === 'person'
  })
  mustBe(missed === undefined, () => `${nameOf(one)}: given up, although ${missed?.name} has come`)
}

const outcomes: Readonly<Record<string, readonly string[]>> = {
  cancelled: ['skipped', 'deferred'],
  blocked: ['blocked'],
}

/** A step that sent a message says what became of it, once its enrollment no longer waits for it. */
function checkOutcome(
  { nameOf, skewMs }: Ledger,
  one: SeenEnrollment,
  { step_key, at, outcome, refs }: SeenStep,
  { message, until }: { message: SeenMessage | undefined; until: string | null },
): void {
  if (message === undefined || (isActive(one) && one.waiting_for?.refs?.['message_id'] === message.id)) return
  const says = () => `${nameOf(one)} ${step_key}: ${outcome}, and its message is ${message.status}`
  if (outcome === 'skipped' || outcome === 'deferred') mustBe(message.status === 'cancelled', says)
  if (outcome === 'blocked') mustBe(message.status === 'blocked', says)
  // What has long begun to be sent counts as sent, whatever becomes of it.
  const isSilent = Date.parse(until ?? at) - Date.parse(at) >= silentMs - 2 * skewMs
  const expected = outcomes[message.status]
  if (expected !== undefined && !isSilent && refs['message_id'] !== undefined)
    mustBe(expected.includes(outcome), says)
}
