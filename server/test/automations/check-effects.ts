import { mustBe } from '../simulation/violation.ts'
import { type Ledger, isActive } from './ledger.ts'
import type { SeenEnrollment, SeenStep, Snapshot } from './snapshot.ts'

const effects = { task: 'task_id', note: 'event_id', send: 'message_id' } as const

/** Every effect belongs to exactly one step record in the same commit, and every record has its effect. */
export function checkEffects(
  { messagesOf, definitionOf, nameOf }: Ledger,
  taken: readonly SeenStep[],
  byId: ReadonlyMap<string, SeenEnrollment>,
  past: Snapshot,
  next: Snapshot,
): void {
  const made = new Map<string, { kind: string; mark: string; contact: string | null; state: string | null }>()
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
    const stopped = type === 'stop' && outcome === 'done' ? byId.get(refs['enrollment_id'] ?? '') : undefined
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
    // A task that equals one from the last minute is not created again.
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
      // An accepted message may already have been cancelled by a later step.
      const verdict = outcome === 'blocked' ? 'blocked' : 'allowed'
      mustBe(effect.state === verdict, () => `${name}: ${outcome}, and the gates say ${effect.state}`)
      messagesOf.set(id, enrollment_id)
    }
    made.delete(id)
  }
  for (const { kind, mark } of made.values())
    mustBe(!/^A\d+\.\d+\./.test(mark), () => `an effect without a record: ${kind} ${mark}`)
}

/** No message of an enrollment that was ended is sent, or sent again, unless it was in flight. */
export function checkLeft({ messagesOf, nameOf }: Ledger, past: Snapshot, next: Snapshot): void {
  const isEnded = ({ status }: SeenEnrollment) => ['exited', 'cancelled', 'failed'].includes(status)
  const ended = new Map(past.enrollments.filter(isEnded).map((one) => [one.id, one]))
  const before = new Map(past.messages.map(({ id, status }) => [id, status]))
  for (const { id, status } of next.messages) {
    const of = ended.get(messagesOf.get(id) ?? '')
    if (of === undefined || status === before.get(id)) continue
    mustBe(
      !['queued', 'scheduled', 'sending'].includes(status),
      () => `${nameOf(of)}: its message is ${status} after its end`,
    )
  }
}
