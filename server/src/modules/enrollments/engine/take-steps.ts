import { orNotFound } from '#kernel/errors.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { timeAfter } from '#kernel/records/record.ts'
import type { Automation, EnrollmentFacts, Definition } from '../../automations/public.ts'
import { type Contact, findContact } from '../../contacts/public.ts'
import { type StepReply, advance } from '../advance.ts'
import { endEnrollment } from '../change-enrollment.ts'
import { type Enrollment, isActive } from '../enrollment.ts'
import { AutomationRun } from '../events.ts'
import { actingFor } from '../inbox/append.ts'
import { insertEnrollmentStep, listSteps, saveEnrollment } from '../queries.ts'
import { performStep } from '../steps/perform-step.ts'
import { type MoveScene, type StepResult, contextIn } from '../steps/scene.ts'

/** The most steps that an enrollment takes in one transaction. */
const mostSteps = 20

interface Course {
  before: Enrollment
  /** The contact before the first step. */
  contact: Contact
  automation: Automation
  definition: Definition
  facts: Omit<EnrollmentFacts, 'contact'>
  exit: (contact: Contact) => Promise<string | undefined>
  news: readonly JournalRow[]
}

/**
 * Takes steps of an enrollment until it waits or ends, at most 20 per transaction, and records each together with its effect. Checks for an
 * exit before each step but the first; the caller has done that.
 */
export async function takeSteps(
  scene: MoveScene,
  { before, contact: person, automation, definition, facts, exit, news }: Course,
): Promise<void> {
  const { tx, now } = scene
  const { id, name } = automation
  const chain = [...before.chain, id]
  const acting = actingFor(tx, { type: 'automation', id, name }, chain)
  const inside: MoveScene = { ...scene, tx: acting, ctx: contextIn(scene.ctx, acting) }
  let current = before
  let reply: StepReply | undefined
  /** The contact as the last step left it, if known. */
  let left: Contact | undefined = person
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
    const contact: Contact = left ?? orNotFound(await findContact(tx, before.contact_id))
    const reason = taken === 0 ? undefined : await exit(contact)
    if (reason !== undefined) {
      await endEnrollment(tx, current, 'exited', reason)
      return
    }
    taken++
    const { step } = move
    const {
      fact,
      waiting,
      due,
      contact: changed,
      ...result
    } = await performStep(inside, {
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
    left = changed
    if (due !== undefined) current = { ...current, due_at: due }
    if (fact !== null) current = record(scene, current, step, fact)
    if (waiting !== undefined) current = { ...current, waiting_for: waiting }
  }
}

const waited = { outcome: 'done' as const, reason: null, refs: {} }

/** Only a `wait` ends just by time. Any other step that waits is asked again when the engine looks at the enrollment. */
const stateOf = ({ step_key, waiting_for }: Enrollment) => ({
  at: step_key,
  until: waiting_for?.kind === 'wait' && waiting_for.until !== null ? Date.parse(waiting_for.until) : null,
})

/** Records a step in the transaction of its effect. `seq` is unique, so that no step is taken twice. */
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
