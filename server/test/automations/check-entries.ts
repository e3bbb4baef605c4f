import type { Definition, Exit } from '../../src/modules/automations/definition/definition.ts'
import { mustBe } from '../simulation/violation.ts'
import { type Commit, type Ledger, isActive } from './ledger.ts'
import type { SeenEnrollment, SeenEvent, Snapshot } from './snapshot.ts'

/** Every event that may end, wake, or start an enrollment of a contact is added to the inbox in the same commit. */
export function checkInbox(
  { startable, triggered, definitionOf }: Ledger,
  past: Snapshot,
  next: Snapshot,
): void {
  const old = new Set(past.events.map(({ id }) => id))
  for (const event of next.events) {
    const contactId = event.timeline_id
    if (old.has(event.id) || contactId === null || event.name.startsWith('automation.')) continue
    startable.set(event.id, new Set(triggered(next, event).map(({ id }) => id)))
    const concerned =
      triggered(next, event).length > 0 ||
      next.enrollments.some(
        (one) =>
          one.contact_id === contactId &&
          isActive(one) &&
          past.enrollments.some(({ id, seq }) => id === one.id && seq === one.seq) &&
          mayMove(definitionOf(one)?.definition, one, event),
      )
    if (concerned)
      mustBe(
        next.inbox.some(({ event_id }) => event_id === event.id),
        () => `${event.name} is not left for the engine`,
      )
  }
}

/** Whether an event may end an enrollment, or is one that it waits for. */
function mayMove(
  definition: Definition | undefined,
  { waiting_for: waiting }: SeenEnrollment,
  { name, subject_id, data }: SeenEvent,
): boolean {
  const ends = (definition?.exits ?? []).some(({ when }) => exitsBy[when]?.includes(name) ?? true)
  const isTrashed = name === 'contact.stage_changed' && data['to'] === 'TRASH'
  const isWaitedFor =
    waiting?.events?.includes(name) === true || Object.values(waiting?.refs ?? {}).includes(subject_id)
  return ends || isTrashed || isWaitedFor
}

/** The events that end an enrollment, by exit. For an exit that is not listed, any event may. */
const exitsBy: Partial<Record<Exit['when'], readonly string[]>> = {
  replied: ['message.received'],
  booked: ['appointment.booked'],
  opted_out: ['message.received'],
  owner_changed: [],
  deal_won: ['deal.stage_changed'],
}

/** If an inbox row may start an automation, it does, unless the contact is or was enrolled in it. */
export function checkEntries(
  { count, startable, triggered, definitionOf, nameOf }: Ledger,
  { by }: Commit,
  past: Snapshot,
  next: Snapshot,
): void {
  if (by !== 'engine') return
  const left = new Set(next.inbox.map(({ id }) => id))
  const events = new Map(next.events.map((one) => [one.id, one]))
  const contacts = new Map(past.contacts.map((one) => [one.id, one]))
  for (const row of past.inbox.filter(({ id, chain }) => !left.has(id) && chain.length === 0)) {
    const event = events.get(row.event_id ?? '')
    const contact = contacts.get(row.contact_id ?? '')
    if (event === undefined || contact === undefined || contact.erased_at !== null) continue
    if (contact.stage === 'TRASH') continue
    // An automation that was published after the event, while the engine was looking, may have been too late.
    const then = startable.get(event.id)
    for (const { id, version } of triggered(past, event).filter((one) => then?.has(one.id) === true)) {
      const others = past.enrollments.filter(
        (one) => one.automation_id === id && one.contact_id === row.contact_id,
      )
      // A contact who is enrolled in another automation of the group stays out.
      if (definitionOf({ automation_id: id, version: version ?? 0 })?.definition.exclusive_group) continue
      const again =
        definitionOf({ automation_id: id, version: version ?? 0 })?.definition.re_enrollment ?? 'never'
      if (others.some(isActive) || (others.length > 0 && again !== 'always')) continue
      const entered = next.enrollments.some(
        (one) =>
          one.automation_id === id &&
          one.contact_id === row.contact_id &&
          !past.enrollments.some((other) => other.id === one.id),
      )
      mustBe(entered, () => `${event.name} starts an automation, and the contact did not enter`)
      count('entered')
    }
  }
  for (const one of next.enrollments) {
    if (one.event_id === null || past.enrollments.some(({ id }) => id === one.id)) continue
    const event = events.get(one.event_id)
    mustBe(
      event !== undefined && triggered(past, event).some(({ id }) => id === one.automation_id),
      () => `${nameOf(one)}: entered by ${event?.name}, which does not start it`,
    )
    const earlier = past.enrollments.some(
      (other) => other.automation_id === one.automation_id && other.contact_id === one.contact_id,
    )
    const again = definitionOf(one)?.definition.re_enrollment ?? 'never'
    mustBe(!earlier || again !== 'never', () => `${nameOf(one)}: entered again`)
  }
}

export function checkRuns({ nameOf }: Ledger, next: Snapshot): void {
  const runs = Map.groupBy(
    next.events.filter(({ name }) => name === 'automation.run'),
    ({ data }) => String(data['run_id']),
  )
  const ends = Map.groupBy(
    next.events.filter(({ name }) => name === 'automation.ended'),
    ({ data }) => String(data['run_id']),
  )
  for (const one of next.enrollments) {
    const times = runs.get(one.id)?.length ?? 0
    mustBe(
      times === (one.started_at === null ? 0 : 1),
      () => `${nameOf(one)}: ${times} events say that it started`,
    )
    const ended = ends.get(one.id)?.length ?? 0
    mustBe(
      ended === (one.started_at === null || isActive(one) ? 0 : 1),
      () => `${nameOf(one)}: ${ended} events say that it ended`,
    )
  }
}
