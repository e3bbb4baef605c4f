import type { AutomationStep, Definition } from '../../src/modules/automations/definition/definition.ts'
import { mustBe } from '../simulation/violation.ts'
import { type Course, courseOf } from './course.ts'
import type { SeenContact, SeenEnrollment, SeenEvent, SeenStep, Snapshot } from './snapshot.ts'

/** Who committed, and what a person did by it. */
export interface Commit {
  by: 'engine' | 'person' | 'sender'
  name: string
  /** What ends an enrollment of this contact, if its definition says so. */
  exit?: { when: string; contactId: string } | undefined
  optedOut?: string | undefined
  migrates?: boolean
}

interface Known {
  automationId: string
  course: Course
  /** Of the last record, or of the start. */
  lastAt: number
  pausedAt: number | undefined
  pausedMs: number
  wasPaused: boolean
  /** Its last record, if that is a message. */
  lastSend: SeenStep | undefined
  /** Why it must end: nothing may be done for it any more. */
  mustEnd: string | undefined
}

export interface Checks {
  /** The definition that this version of an automation has. To be called before it is published. */
  published(automationId: string, version: number, index: number, definition: Definition): void
  committed(commit: Commit, next: Snapshot): void
  /** In the end all is over. */
  ended(last: Snapshot): void
}

const activeStatuses = new Set(['queued', 'running', 'paused'])
const isActive = ({ status }: SeenEnrollment) => activeStatuses.has(status)
const dayMs = 86_400_000
/** A message of which nothing is heard for so long counts as sent. */
const silentMs = 2 * 3_600_000
const effects = { task: 'task_id', note: 'event_id', send: 'message_id' } as const

/** Judges each commit by what was committed before it. `skewMs`: how far clocks are apart. */
export function createChecks({
  now,
  skewMs,
  count,
}: {
  now: () => number
  skewMs: number
  count: (what: string) => void
}): Checks {
  const definitions = new Map<string, { index: number; definition: Definition }>()
  const known = new Map<string, Known>()
  const messagesOf = new Map<string, string>()
  const optedOut = new Set<string>()
  let before: Snapshot | undefined

  const definitionOf = ({ automation_id, version }: Pick<SeenEnrollment, 'automation_id' | 'version'>) =>
    definitions.get(`${automation_id}.${version}`)

  function see(enrollment: SeenEnrollment): Known | undefined {
    const seen = known.get(enrollment.id)
    if (seen !== undefined) return seen
    const version = definitionOf(enrollment)
    mustBe(
      version !== undefined,
      () => `an enrollment in version ${enrollment.version}, which is not published`,
    )
    if (version === undefined) return undefined
    const fresh: Known = {
      automationId: enrollment.automation_id,
      course: courseOf(version.definition),
      lastAt: 0,
      pausedAt: undefined,
      pausedMs: 0,
      wasPaused: false,
      lastSend: undefined,
      mustEnd: undefined,
    }
    known.set(enrollment.id, fresh)
    count('enrollments')
    return fresh
  }

  function checkHold(commit: Commit, past: Snapshot, next: Snapshot): void {
    const of = ({ enrollments, steps, messages, tasks }: Snapshot) =>
      JSON.stringify([enrollments, steps, messages.length, tasks.length])
    if (commit.by !== 'engine' || of(past) === of(next)) return
    const holder = next.lane?.holder_id ?? past.lane?.holder_id
    mustBe(holder === commit.name, () => `${commit.name} writes, and the lane is ${holder}'s`)
  }

  function checkEnrollments(commit: Commit, past: Snapshot, next: Snapshot): void {
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
      }
      if (typeof contacts.get(one.contact_id)?.erased_at === 'string')
        mustBe(!isActive(one) && one.context === null, () => `${name}: goes on after an erasure`)
      if (was === undefined) continue
      if (was.status !== one.status) count(one.status)
      if (was.started_at === null && one.started_at !== null) {
        of.pausedMs = 0
        of.wasPaused = false
      }
      if (was.version !== one.version) mustBe(commit.migrates === true, () => `${name}: another version`)
      mustBe(isActive(was) || was.status === one.status, () => `${name}: has ended, and is ${one.status} now`)
      if (was.status === 'paused' && isActive(one) && one.status !== 'paused') {
        mustBe(commit.by === 'person', () => `${name}: an engine ends a pause`)
        of.pausedMs += now() - (of.pausedAt ?? now())
        of.pausedAt = undefined
      }
      if (was.status !== 'paused' && one.status === 'paused') {
        of.pausedAt = now()
        of.wasPaused = true
      }
      if (isActive(was) && !isActive(one)) checkEnd(commit, one, of, next)
    }
    for (const { id } of past.enrollments)
      mustBe(
        next.enrollments.some((one) => one.id === id),
        () => `an enrollment is gone: ${id}`,
      )
  }

  function checkEnd({ by }: Commit, one: SeenEnrollment, of: Known, next: Snapshot): void {
    count(`${one.status} ${one.reason ?? ''}`.trim())
    if (one.status === 'completed') {
      mustBe(of.mustEnd === undefined, () => `${nameOf(one)}: completed, although ${of.mustEnd}`)
      return
    }
    const events = ['replied', 'booked', 'opted_out', 'owner_changed']
    if (by === 'engine' && one.status === 'exited' && events.includes(one.reason ?? ''))
      mustBe(of.mustEnd !== undefined, () => `${nameOf(one)}: exited by ${one.reason}, which did not happen`)
    const left = next.messages.filter(
      ({ id, status }) => messagesOf.get(id) === one.id && ['queued', 'scheduled'].includes(status),
    )
    mustBe(left.length === 0, () => `${nameOf(one)}: ${one.status}, and a message of it waits to be sent`)
  }

  function checkSteps(commit: Commit, past: Snapshot, next: Snapshot): void {
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
      const contact = contacts.get(enrollment.contact_id)
      checkStep(name, { step, of, enrollment, contact, next })
      taken.push(step)
      count(`${step.type} ${step.outcome}`)
    }
    checkEffects(taken, byId, past, next)
    // What has been done by hand or by others meanwhile is not told apart.
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
    const { definition } = of.course
    const at = Date.parse(step.at)
    const { lastSend } = of
    const fate = next.messages.find(({ id }) => id === lastSend?.refs['message_id'])?.status
    const isAgain = lastSend !== undefined && step.step_key === lastSend.step_key
    if (isAgain)
      mustBe(
        fate === 'blocked' || fate === 'cancelled',
        () => `${name}: sent again, although the first one is ${fate}`,
      )
    else if (lastSend !== undefined && ['queued', 'scheduled', 'sending'].includes(fate ?? ''))
      mustBe(
        at - Date.parse(lastSend.at) >= silentMs - 2 * skewMs,
        () => `${name}: goes on, although its message is ${fate}`,
      )
    const expected = isAgain ? of.course.last() : of.course.next()
    mustBe(
      expected?.key === step.step_key && expected.type === step.type,
      () => `${name}: ${step.type}, instead of ${expected?.key} ${expected?.type}`,
    )
    if (expected === undefined) return
    // A transaction may have begun a little earlier.
    const sinceThen = now() - at
    mustBe(sinceThen >= -skewMs && sinceThen <= skewMs + 16_000, () => `${name}: at another time than now`)
    if (of.lastAt === 0) of.lastAt = Date.parse(enrollment.started_at ?? step.at)
    if (expected.type === 'wait') checkWait(name, step, of, expected)
    else {
      const exits = definition.exits?.some(({ when }) => when === 'conditions') === true
      mustBe(!exits || contact?.stage !== 'SPHERE', () => `${name}: a step, although its conditions end it`)
    }
    of.lastAt = at
    of.pausedMs = 0
    of.wasPaused = false
    const isSend = step.type === 'send' && step.refs['message_id'] !== undefined
    if (step.outcome !== 'deferred') of.lastSend = isSend ? step : undefined
    let branch: number | undefined
    if (expected.type === 'branch') {
      branch = branchOf(expected, contact)
      const reason = branch < expected.branches.length ? `branch ${branch + 1}` : 'else'
      mustBe(step.reason === reason, () => `${name}: ${step.reason}, instead of ${reason}`)
    }
    if (step.outcome === 'done' && contact !== undefined) act(expected, contact)
    if (expected.type === 'send') checkSend(name, step, expected, enrollment.contact_id, definition)
    if (step.outcome !== 'deferred' && !isAgain) of.course.pass(branch)
  }

  function checkWait(
    name: string,
    step: SeenStep,
    of: Known,
    expected: Extract<AutomationStep, { type: 'wait' }>,
  ): void {
    const { minutes = 0, hours = 0, days = 0 } = expected.for
    const end = of.lastAt + ((days * 24 + hours) * 60 + minutes) * 60_000 + of.pausedMs
    const tolerance = 2 * skewMs + 1
    mustBe(Date.parse(step.at) >= end - tolerance, () => `${name}: early by ${end - Date.parse(step.at)} ms`)
    if (!of.wasPaused && of.lastSend === undefined)
      mustBe(
        Date.parse(step.planned_at) <= end + tolerance,
        () => `${name}: planned late, at ${step.planned_at}`,
      )
  }

  function checkSend(
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

  /** Each effect is that of one record, in the same commit, and each record has its effect. */
  function checkEffects(
    taken: readonly SeenStep[],
    byId: ReadonlyMap<string, SeenEnrollment>,
    past: Snapshot,
    next: Snapshot,
  ): void {
    const made = new Map<
      string,
      { kind: string; mark: string; contact: string | null; state: string | null }
    >()
    const old = new Set([...past.tasks, ...past.events, ...past.messages].map(({ id }) => id))
    for (const { id, title, contact_id } of next.tasks)
      if (!old.has(id)) made.set(id, { kind: 'task', mark: title, contact: contact_id, state: null })
    for (const { id, name, data, timeline_id } of next.events)
      if (!old.has(id) && name === 'note.added')
        made.set(id, { kind: 'note', mark: String(data['body']), contact: timeline_id, state: null })
    for (const { id, body, contact_id, decision, source } of next.messages)
      if (!old.has(id) && source === 'automation')
        made.set(id, { kind: 'send', mark: body, contact: contact_id, state: decision })
    for (const { enrollment_id, step_key, type, outcome, refs } of taken) {
      const stopped =
        type === 'stop' && outcome === 'done' ? byId.get(refs['enrollment_id'] ?? '') : undefined
      mustBe(stopped === undefined || !isActive(stopped), () => `${step_key}: has stopped one that goes on`)
      const member = effects[type as keyof typeof effects]
      const enrollment = byId.get(enrollment_id)
      if (member === undefined || enrollment === undefined) continue
      const id = refs[member]
      const name = `${nameOf(enrollment)} ${step_key}`
      if (id === undefined) {
        mustBe(outcome !== 'done', () => `${name}: done, without an effect`)
        continue
      }
      const mark = `A${definitionOf(enrollment)?.index}.${enrollment.version}.${step_key}`
      // A task that is identical to one of the last minute is that one.
      const isSame = ({ title, contact_id }: { title: string; contact_id: string }) =>
        title === mark && contact_id === enrollment.contact_id
      if (type === 'task' && past.tasks.some((task) => task.id === id && isSame(task))) continue
      const effect = made.get(id)
      mustBe(effect !== undefined, () => `${name}: its effect is not in its commit`)
      if (effect === undefined) continue
      mustBe(
        effect.mark.startsWith(mark) && effect.kind === type,
        () => `${name}: its effect is that of ${effect.mark}`,
      )
      mustBe(effect.contact === enrollment.contact_id, () => `${name}: an effect on someone else`)
      if (type === 'send') {
        const verdict = outcome === 'done' ? 'allowed' : 'blocked'
        mustBe(effect.state === verdict, () => `${name}: ${outcome}, and the gates say ${effect.state}`)
        messagesOf.set(id, enrollment_id)
      }
      made.delete(id)
    }
    for (const { kind, mark } of made.values())
      mustBe(!/^A\d+\.\d+\./.test(mark), () => `an effect without a record: ${kind} ${mark}`)
  }

  /** What happens to a contact in an automation, or may start one, is left for the engine, in the same commit. */
  function checkLetters(past: Snapshot, next: Snapshot): void {
    const old = new Set(past.events.map(({ id }) => id))
    for (const event of next.events) {
      const contactId = event.timeline_id
      if (old.has(event.id) || contactId === null || event.name === 'automation.run') continue
      const concerned =
        triggered(next, event).length > 0 ||
        past.enrollments.some(
          (one) => one.contact_id === contactId && isActive(one) && isStillActive(next, one),
        )
      if (concerned)
        mustBe(
          next.inbox.some(({ event_id }) => event_id === event.id),
          () => `${event.name} is not left for the engine`,
        )
    }
  }

  function triggered({ automations }: Snapshot, { name, data }: SeenEvent) {
    return automations.filter(({ id, enabled, version }) => {
      const definition = definitions.get(`${id}.${version}`)?.definition
      return (
        enabled &&
        definition?.triggers?.some(
          ({ event, conditions }) => event === name && (conditions === undefined || data['tag'] === 'go'),
        )
      )
    })
  }

  /** What has come may start an automation: it does, or the contact is in it, or has been. */
  function checkEntries({ by }: Commit, past: Snapshot, next: Snapshot): void {
    if (by !== 'engine') return
    const left = new Set(next.inbox.map(({ id }) => id))
    const events = new Map(next.events.map((one) => [one.id, one]))
    const contacts = new Map(past.contacts.map((one) => [one.id, one]))
    for (const letter of past.inbox.filter(({ id, chain }) => !left.has(id) && chain.length === 0)) {
      const event = events.get(letter.event_id ?? '')
      const contact = contacts.get(letter.contact_id)
      if (event === undefined || contact === undefined || contact.erased_at !== null) continue
      if (contact.stage === 'TRASH') continue
      for (const { id, version } of triggered(past, event)) {
        const others = past.enrollments.filter(
          (one) => one.automation_id === id && one.contact_id === letter.contact_id,
        )
        const again = definitions.get(`${id}.${version}`)?.definition.re_enrollment ?? 'never'
        if (others.some(isActive) || (others.length > 0 && again !== 'always')) continue
        const entered = next.enrollments.some(
          (one) =>
            one.automation_id === id &&
            one.contact_id === letter.contact_id &&
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

  function checkRuns(next: Snapshot): void {
    const runs = Map.groupBy(
      next.events.filter(({ name }) => name === 'automation.run'),
      ({ data }) => String(data['run_id']),
    )
    for (const one of next.enrollments) {
      const times = runs.get(one.id)?.length ?? 0
      mustBe(
        times === (one.started_at === null ? 0 : 1),
        () => `${nameOf(one)}: its start is told ${times} times`,
      )
    }
  }

  function nameOf({ id, automation_id, version }: SeenEnrollment): string {
    const number = [...known.keys()].indexOf(id)
    return `enrollment ${number} in A${definitions.get(`${automation_id}.${version}`)?.index}.${version}`
  }

  return {
    published: (automationId, version, index, definition) =>
      void definitions.set(`${automationId}.${version}`, { index, definition }),
    committed(commit, next) {
      const past = before ?? { ...next, enrollments: [], steps: [], messages: [], tasks: [], events: [] }
      before = next
      checkHold(commit, past, next)
      checkSteps(commit, past, next)
      checkEnrollments(commit, past, next)
      checkLetters(past, next)
      checkEntries(commit, past, next)
      checkRuns(next)
      const { exit } = commit
      if (commit.optedOut !== undefined) optedOut.add(commit.optedOut)
      if (exit === undefined) return
      for (const one of next.enrollments) {
        const of = see(one)
        const was = past.enrollments.find(({ id }) => id === one.id)
        if (one.contact_id !== exit.contactId || of === undefined || was === undefined || !isActive(one))
          continue
        const { exits = [] } = of.course.definition
        if (exit.when === 'erased' || exits.some(({ when }) => when === exit.when)) of.mustEnd = exit.when
      }
    },
    ended(last) {
      for (const one of last.enrollments)
        mustBe(!isActive(one), () => `${nameOf(one)} is still ${one.status} in the end`)
      mustBe(last.inbox.length === 0, () => 'something is left in the inbox')
    },
  }
}

const isStillActive = (next: Snapshot, { id }: SeenEnrollment) =>
  next.enrollments.some((one) => one.id === id && isActive(one))

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
