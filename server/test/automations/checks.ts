import type { Definition } from '../../src/modules/automations/definition/definition.ts'
import { mustBe } from '../simulation/violation.ts'
import { checkLeft } from './check-effects.ts'
import { checkEntries, checkInbox, checkRuns } from './check-entries.ts'
import { checkHistories } from './check-histories.ts'
import { checkSteps } from './check-steps.ts'
import { courseFrom } from './course.ts'
import { type Commit, type Facts, type Known, type Ledger, isActive, newLedger } from './ledger.ts'
import type { SeenEnrollment, Snapshot } from './snapshot.ts'

export interface Checks {
  /** Registers the definition of a version. Call it before the version is published. */
  published(automationId: string, version: number, index: number, definition: Definition): void
  committed(commit: Commit, next: Snapshot): void
  /** Checks that nothing is left at the end. */
  ended(last: Snapshot): void
}

/** Checks each commit against everything that was committed before it. */
export function createChecks(facts: Facts): Checks {
  const ledger = newLedger(facts)
  let before: Snapshot | undefined

  return {
    published: ledger.publish,
    committed(commit, next) {
      const past = before ?? {
        ...next,
        enrollments: [],
        steps: [],
        messages: [],
        tasks: [],
        events: [],
        inbox: [],
      }
      before = next
      checkHold(commit, past, next)
      checkSteps(ledger, commit, past, next)
      checkLeft(ledger, past, next)
      checkEnrollments(ledger, commit, past, next)
      checkInbox(ledger, past, next)
      checkEntries(ledger, commit, past, next)
      checkRuns(ledger, next)
      checkHistories(ledger, commit, past, next)
      const { exit, response } = commit
      if (response !== undefined) {
        const all = ledger.responses.get(response.step) ?? new Map()
        ledger.responses.set(response.step, all.set(response.reason, response.outcome))
      }
      if (commit.optedOut !== undefined) ledger.optedOut.add(commit.optedOut)
      if (exit === undefined || !hasHappened(exit, past, next)) return
      const waiting = new Set(past.inbox.flatMap(({ event_id }) => event_id ?? []))
      ledger.exits.push({ ...exit, enrollmentIds: new Set(past.enrollments.map(({ id }) => id)), waiting })
      for (const one of next.enrollments) {
        const of = ledger.see(one)
        if (of !== undefined && isActive(one)) of.mustEnd ??= ledger.mustEnd(one)
      }
    },
    ended(last) {
      for (const one of last.enrollments)
        mustBe(!isActive(one), () => `${ledger.nameOf(one)} is still ${one.status} in the end`)
      mustBe(last.inbox.length === 0, () => 'something is left in the inbox')
    },
  }
}

const hasHappened = (
  { happened, contactId }: NonNullable<Commit['exit']>,
  past: Snapshot,
  next: Snapshot,
): boolean =>
  happened === undefined ||
  next.events.some(
    (event) =>
      event.timeline_id === contactId && happened(event) && past.events.every(({ id }) => id !== event.id),
  )

function checkHold(commit: Commit, past: Snapshot, next: Snapshot): void {
  const of = ({ enrollments, steps, messages, tasks }: Snapshot) =>
    JSON.stringify([enrollments, steps, messages.length, tasks.length])
  if (commit.by !== 'engine' || of(past) === of(next)) return
  const holder = next.lane?.holder_id ?? past.lane?.holder_id
  mustBe(holder === commit.name, () => `${commit.name} writes, and the lane is ${holder}'s`)
}

function checkEnrollments(ledger: Ledger, commit: Commit, past: Snapshot, next: Snapshot): void {
  const { now, count, see, nameOf } = ledger
  const earlier = new Map(past.enrollments.map((one) => [one.id, one]))
  const active = new Set<string>()
  const contacts = new Map(next.contacts.map((one) => [one.id, one]))
  for (const one of next.enrollments) {
    const was = earlier.get(one.id)
    const of = see(one)
    if (of === undefined) continue
    const name = nameOf(one)
    if (isActive(one)) {
      const place = `${one.automation_id} ${one.contact_id}`
      mustBe(!active.has(place), () => `${name}: two are active`)
      active.add(place)
      const group = of.course.definition.exclusive_group?.name
      if (group !== undefined) {
        mustBe(!active.has(`${group} ${one.contact_id}`), () => `${name}: two are active in its group`)
        active.add(`${group} ${one.contact_id}`)
      }
    }
    if (typeof contacts.get(one.contact_id)?.erased_at === 'string')
      mustBe(!isActive(one) && one.context === null, () => `${name}: goes on after an erasure`)
    if (was === undefined) {
      checkBegin(ledger, one, past, next)
      continue
    }
    if (was.status !== one.status) count(one.status)
    const mayThrow = !ledger.isPoisoned || ledger.definitionOf(one)?.index === 0
    mustBe(one.attempts === 0 || mayThrow, () => `${name}: an attempt counts for one that did not throw`)
    if (was.started_at === null && one.started_at !== null) {
      of.pausedMs = 0
      of.wasPaused = false
    }
    if (was.version !== one.version) checkMigration(ledger, commit, { was, one, of }, past)
    mustBe(isActive(was) || was.status === one.status, () => `${name}: has ended, and is ${one.status} now`)
    if (was.status === 'paused' && isActive(one) && one.status !== 'paused') {
      mustBe(
        commit.by === 'person' || was.reason === 'automation_disabled',
        () => `${name}: an engine ends a pause`,
      )
      const ms = now() - (of.pausedAt ?? now())
      const planned = of.planned && of.planned.at + (of.planned.standsStill ? ms : 0)
      of.behind = planned !== undefined && planned < now() ? planned : undefined
      of.pausedMs += ms
      of.pausedAt = undefined
    }
    if (was.status !== 'paused' && one.status === 'paused') {
      of.pausedAt = now()
      of.wasPaused = true
      of.planned = plannedOf(one)
    }
    if (isActive(was) && !isActive(one)) checkEnd(ledger, commit, one, of, next)
  }
  for (const { id } of past.enrollments)
    mustBe(
      next.enrollments.some((one) => one.id === id),
      () => `an enrollment is gone: ${id}`,
    )
}

/** When an enrollment that is being paused was due, where that determines whether a message is late. */
function plannedOf({ waiting_for: waiting, due_at }: SeenEnrollment): Known['planned'] {
  const at = Date.parse(waiting?.until ?? due_at ?? '')
  if (waiting === null || waiting.kind === 'hours') return { at, standsStill: false }
  return waiting.kind === 'wait' ? { at, standsStill: true } : undefined
}

/** The version changes only through a migration in progress, to the step with the same key, and the wait keeps its length. */
function checkMigration(
  { definitionOf, nameOf, count }: Ledger,
  { by }: Commit,
  { was, one, of }: { was: SeenEnrollment; one: SeenEnrollment; of: Known },
  past: Snapshot,
): void {
  const isAsked = past.changes.some(
    ({ automation_id, action, version, status }) =>
      automation_id === one.automation_id &&
      action === 'migrate' &&
      version === one.version &&
      status === 'running',
  )
  mustBe(by === 'engine' && isAsked, () => `${nameOf(one)}: another version`)
  const to = definitionOf(one)?.definition
  const old = of.course
  if (to === undefined) return
  count('migrated')
  mustBe(
    one.step_key === was.step_key || was.started_at === null,
    () => `${nameOf(one)}: moved to ${one.step_key}, and not to ${was.step_key}`,
  )
  of.course = courseFrom(to, one.step_key)
  of.wasMigrated = true
  of.mustEnd = undefined
  const kind = was.waiting_for?.kind
  if (kind === 'wait' || kind === 'event') of.begun ??= old.next()
  // The message of the current step has already been accepted.
  if (of.lastSend?.step_key === one.step_key && old.last()?.key === one.step_key) of.course.pass()
}

function checkEnd(
  { count, mayFail, isPoisoned, definitionOf, messagesOf, nameOf }: Ledger,
  { by }: Commit,
  one: SeenEnrollment,
  of: Known,
  next: Snapshot,
): void {
  count(`${one.status} ${one.reason ?? ''}`.trim())
  if (one.status === 'completed') {
    mustBe(of.mustEnd === undefined, () => `${nameOf(one)}: completed, although ${of.mustEnd}`)
    const left = of.course.next()
    mustBe(left === undefined, () => `${nameOf(one)}: completed before ${left?.key}`)
    return
  }
  const throws = mayFail || (isPoisoned && definitionOf(one)?.index === 0)
  mustBe(one.status !== 'failed' || throws, () => `${nameOf(one)}: failed, although nothing went wrong`)
  const events = ['replied', 'booked', 'opted_out', 'owner_changed', 'deal_won']
  if (by === 'engine' && one.status === 'exited' && events.includes(one.reason ?? ''))
    mustBe(
      // An exit also counts if it happened after another automation decided to enroll the contact.
      of.mustEnd !== undefined || of.wasMigrated || one.source === 'automation',
      () => `${nameOf(one)}: exited by ${one.reason}, which did not happen`,
    )
  const left = next.messages.filter(
    ({ id, status }) => messagesOf.get(id) === one.id && ['queued', 'scheduled'].includes(status),
  )
  mustBe(left.length === 0, () => `${nameOf(one)}: ${one.status}, and a message of it waits to be sent`)
}

/** A contact enters only an enabled automation, in its current version, and never through the automation itself. */
function checkBegin({ nameOf }: Ledger, one: SeenEnrollment, past: Snapshot, next: Snapshot): void {
  const [before, after] = [past, next].map(({ automations }) =>
    automations.find(({ id }) => id === one.automation_id),
  )
  mustBe(
    before?.enabled === true || after?.enabled === true,
    () => `${nameOf(one)}: entered, although it is disabled`,
  )
  mustBe(
    after?.version === one.version,
    () => `${nameOf(one)}: entered another version than ${after?.version}`,
  )
  mustBe(!one.chain.includes(one.automation_id), () => `${nameOf(one)}: entered through itself`)
}
