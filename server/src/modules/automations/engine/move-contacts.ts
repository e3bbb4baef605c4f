import type { Ctx } from '#kernel/context.ts'
import { planByIndex } from '#kernel/db/plans.ts'
import { found } from '#kernel/errors.ts'
import { type JournalRow, listEvents } from '#kernel/events/journal.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { type Contact, findContact, lockPersons } from '../../contacts/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import { causedBy } from '../append.ts'
import type { Automation } from '../automation.ts'
import { endEnrollment, stopWith } from '../change-enrollment.ts'
import { type StepReply, advance } from '../definition/advance.ts'
import type { EnrollmentFacts } from '../definition/condition-fields.ts'
import type { Definition } from '../definition/definition.ts'
import {
  findEnrollment,
  insertEnrollmentStep,
  listSteps,
  lockActiveOf,
  saveEnrollment,
} from '../enrollment-queries.ts'
import { type Enrollment, isActive } from '../enrollment.ts'
import { AutomationRun } from '../events.ts'
import { findAutomation, findVersion } from '../queries.ts'
import { stopWithRun } from '../runs/move-run.ts'
import { holdRunsOf } from '../runs/queries.ts'
import { enterAutomations } from './enter.ts'
import { exitReason } from './exits.ts'
import { hasCome } from './has-come.ts'
import { factsOfEvent } from './load-facts.ts'
import { performStep } from './perform-step.ts'
import { type Hold, type InboxRow, deleteLetters, isHeld, listLetters, mostLetters } from './queue-queries.ts'
import { type MoveScene, type StepResult, contextIn } from './scene.ts'

/** Steps of an enrollment in one transaction. */
const mostSteps = 20

/** Of which enrollments steps are taken. */
export type Takes = 'all' | 'none' | { only: string }

/**
 * Takes contacts as far as they go, in one transaction: first what has come, so that no exit is overtaken, then what is due. Every
 * effect commits together with its record. An engine that has lost the lane changes nothing. Without steps, contacts enter and leave only.
 */
export async function moveContacts(
  base: Ctx,
  hold: Hold,
  contactIds: readonly string[],
  takes: Takes = 'all',
): Promise<void> {
  const { name, timezone } = found(await findWorkspace(base.directory, base.workspaceId))
  await base.transaction(async (tx) => {
    planByIndex(tx)
    if (!(await isHeld(tx, hold))) return
    // Before the contacts, as a backfill is held that lets them enter.
    const runs = await holdRunsOf(tx, contactIds)
    await lockPersons(tx, { contactIds, points: [] })
    const takesStepsOf = (id: string) => takes === 'all' || (takes !== 'none' && takes.only === id)
    const versions = new Map<string, ReturnType<typeof findVersion>>()
    const versionOf: MoveScene['versionOf'] = (id, version) => {
      const known = versions.get(`${id} ${version}`) ?? findVersion(tx, id, version)
      versions.set(`${id} ${version}`, known)
      return known
    }
    const now = tx.clock.now()
    const judged = { ctx: base, tx, timezone, workspaceName: name, now }
    const scene: MoveScene = { ...judged, versionOf, takesStepsOf, runs }
    for (const contactId of contactIds) await moveContact(scene, contactId)
  })
}

async function moveContact(base: MoveScene, contactId: string): Promise<void> {
  const { tx } = base
  const [letters, contact] = await Promise.all([listLetters(tx, contactId), findContact(tx, contactId)])
  // An exit may be among those that are left.
  const scene = letters.length < mostLetters ? base : { ...base, takesStepsOf: () => false }
  const ids = letters.flatMap(({ event_id }) => event_id ?? [])
  const events = ids.length === 0 ? [] : await listEvents(tx, ids)
  if (contact !== undefined) {
    const byId = new Map(events.map((event) => [event.id, event]))
    const outside = new Set(
      letters.flatMap(({ event_id, chain }) => (chain.length === 0 ? (event_id ?? []) : [])),
    )
    await enterAutomations(scene, contact, letters, byId)
    for (const [place, locked] of (await lockActiveOf(tx, contactId)).entries()) {
      const { id } = locked
      // The one before may have changed the contact, or ended this one.
      const [enrollment, current] =
        place === 0
          ? [locked, contact]
          : await Promise.all([findEnrollment(tx, id), findContact(tx, contactId)])
      // What came after the event that started it counts, even where it came before the engine looked.
      const since = letters.filter(
        ({ follows }) => follows.includes(id) || follows.includes(enrollment?.event_id ?? ''),
      )
      const news = since.flatMap(({ event_id }) => byId.get(event_id ?? '') ?? [])
      if (enrollment !== undefined && isActive(enrollment))
        await moveEnrollment(scene, received(scene, enrollment, letters), found(current), news, outside)
    }
  }
  if (letters.length > 0)
    deleteLetters(
      tx,
      contactId,
      letters.map(({ id }) => id),
    )
}

/** Keeps what came from outside for the step at hand. What came for an earlier one, or a second time, counts no more. */
function received({ tx, now }: MoveScene, enrollment: Enrollment, letters: readonly InboxRow[]): Enrollment {
  const { id, seq, waiting_for: waiting } = enrollment
  const response = letters.find((one) => one.enrollment_id === id && one.seq === seq)?.response ?? undefined
  if (response === undefined || waiting?.kind !== 'response' || waiting.response !== undefined)
    return enrollment
  const changed = { waiting_for: { ...waiting, response }, due_at: now.toISOString() }
  saveEnrollment(tx, id, changed)
  return { ...enrollment, ...changed }
}

async function moveEnrollment(
  scene: MoveScene,
  before: Enrollment,
  contact: Contact,
  since: readonly JournalRow[],
  outside: ReadonlySet<string>,
): Promise<void> {
  const { tx, now } = scene
  const takesSteps = scene.takesStepsOf(before.id)
  const [automation, version, [trigger]] = await Promise.all([
    findAutomation(tx, before.automation_id),
    scene.versionOf(before.automation_id, before.version),
    before.event_id === null ? [] : listEvents(tx, [before.event_id]),
  ])
  const { definition } = found(version)
  const facts = { ...factsOfEvent(trigger), context: before.context ?? {} }
  const exit = (of: Contact) => exitReason(scene, definition, { ...facts, contact: of }, since)
  const reason = await exit(contact)
  if (reason !== undefined) return void (await endEnrollment(tx, before, 'exited', reason))
  if (takesSteps && (await stopWith(tx, found(automation), before))) return
  if (takesSteps && (await stopWithRun(tx, scene.runs.get(before.automation_id), before))) return
  const { status, due_at } = before
  const isDue = due_at !== null && Date.parse(due_at) <= now.getTime()
  const isWoken = hasCome(before, definition, since)
  if (status === 'paused' || !(isDue || isWoken)) return
  const current = { ...before, due_at: isDue ? (before.planned_at ?? due_at) : now.toISOString() }
  if (!takesSteps) return isDue ? undefined : saveEnrollment(tx, before.id, { due_at: current.due_at })
  await proceed(scene, {
    before: current,
    contact,
    automation: found(automation),
    definition,
    facts,
    exit,
    news: since.filter(({ id }) => outside.has(id)),
  })
}

interface Course {
  before: Enrollment
  /** As it is before the first step. */
  contact: Contact
  automation: Automation
  definition: Definition
  facts: Omit<EnrollmentFacts, 'contact'>
  exit: (contact: Contact) => Promise<string | undefined>
  news: readonly JournalRow[]
}

async function proceed(
  scene: MoveScene,
  { before, contact: person, automation, definition, facts, exit, news }: Course,
): Promise<void> {
  const { tx, now } = scene
  const { id, name } = automation
  const chain = [...before.chain, id]
  const acting = tx.actingAs({ type: 'automation', id, name })
  causedBy(acting, chain)
  const inside: MoveScene = { ...scene, tx: acting, ctx: contextIn(scene.ctx, acting) }
  let current = before
  let reply: StepReply | undefined
  for (let taken = 0; ;) {
    const { state, move, ended } = advance(definition, stateOf(current), reply, now.getTime())
    if (ended !== undefined) current = record(scene, current, { key: ended, type: 'wait' }, waited)
    if (state.at !== current.step_key) current = { ...current, step_key: state.at, waiting_for: null }
    if (move.kind === 'end') {
      await endEnrollment(tx, current, move.reason === null ? 'completed' : 'exited', move.reason)
      return
    }
    if (current.started_at === null) {
      current = { ...current, started_at: now.toISOString(), status: 'running' }
      await acting.emit(AutomationRun, {
        id,
        run_id: before.id,
        contact_id: before.contact_id,
        automation_name: name,
      })
    }
    if (move.kind === 'wait') {
      const until = new Date(move.until).toISOString()
      const waiting_for = reply?.kind === 'retry' ? current.waiting_for : { kind: 'wait' as const, until }
      current = { ...current, waiting_for, due_at: until }
      if (move.until > now.getTime()) return save(scene, before, current)
      reply = undefined
      continue
    }
    if (taken === mostSteps) return save(scene, before, current)
    const contact = taken === 0 ? person : found(await findContact(tx, before.contact_id))
    const reason = taken === 0 ? undefined : await exit(contact)
    if (reason !== undefined) {
      await endEnrollment(tx, current, 'exited', reason)
      return
    }
    taken++
    const { step } = move
    const { fact, waiting, due, ...result } = await performStep(inside, {
      step,
      enrollment: current,
      automation,
      definition,
      facts: { ...facts, contact },
      chain,
      history: () => listSteps(tx, before.id),
      news,
    })
    reply = result.reply
    if (due !== undefined) current = { ...current, due_at: due }
    if (fact !== null) current = record(scene, current, step, fact)
    if (waiting !== undefined) current = { ...current, waiting_for: waiting }
  }
}

const waited = { outcome: 'done' as const, reason: null, refs: {} }

/** A span ends at its time. Any other step that waits is asked again when the enrollment is looked at. */
const stateOf = ({ step_key, waiting_for }: Enrollment) => ({
  at: step_key,
  until: waiting_for?.kind === 'wait' && waiting_for.until !== null ? Date.parse(waiting_for.until) : null,
})

/** Writes the step in the transaction of its effect. The number is unique, so that no step is taken twice. */
function record(
  { tx, now }: MoveScene,
  current: Enrollment,
  { key, type }: { key: string; type: string },
  fact: NonNullable<StepResult['fact']>,
): Enrollment {
  insertEnrollmentStep(tx, current.id, {
    seq: current.seq,
    step_key: key,
    type,
    planned_at: current.due_at ?? now.toISOString(),
    at: now.toISOString(),
    ...fact,
  })
  return { ...current, seq: current.seq + 1 }
}

function save(
  { tx, now }: MoveScene,
  before: Enrollment,
  { step_key, waiting_for, due_at, seq, started_at, status }: Enrollment,
) {
  if (!isActive(before)) return
  saveEnrollment(tx, before.id, {
    step_key,
    waiting_for,
    due_at,
    seq,
    started_at,
    status,
    attempts: 0,
    ...(before.planned_at === null ? {} : { planned_at: null }),
    updated_at: timeAfter(before.updated_at, now),
  })
}
