import { later } from '#kernel/clock.ts'
import { type FailingCondition, failingConditions, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import type { Ctx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { type Automation, conditionFields, type Definition, type Trigger } from '../../automations/public.ts'
import type { Contact } from '../../contacts/public.ts'
import { factsOfEvent, loadFacts } from '../facts/load-facts.ts'
import { countTriggered, findActive, findInGroup, findLastEnrollment } from '../queries.ts'
import type { obstacles } from './entry.ts'

/** The longest chain of automations that may start another one. */
const maxDepth = 5
/** How many times triggers may enroll a contact within 24 hours, in all automations together. */
const mostADay = 10
const dayMs = 86_400_000

type Source = Pick<Ctx, 'db' | 'keys'>

export interface JudgedTrigger {
  index: number
  failing_conditions: FailingCondition[]
}

/** The chosen triggers, each with the tests that keep its conditions from holding for the event; empty if the conditions hold. */
export async function judgeTriggers(
  source: Source,
  { triggers = [] }: Definition,
  {
    contact,
    event,
    chosen,
  }: { contact: Contact; event: JournalRow | undefined; chosen: (of: Trigger) => boolean },
  { now, timezone }: { now: Date; timezone: string },
): Promise<JudgedTrigger[]> {
  const asked = triggers
    .entries()
    .filter(([, trigger]) => chosen(trigger))
    .toArray()
  const known = { contact, ...factsOfEvent(event), context: {} }
  const conditions = asked.map(([, trigger]) => trigger.conditions ?? { all: [] })
  const facts = await loadFacts(source, known, conditions, now)
  const moment = momentAt(now, timezone)
  return asked.map(([index, { conditions: given = { all: [] } }]) => ({
    index,
    failing_conditions: failingConditions(prepareFor(conditionFields, given), facts, moment),
  }))
}

export const holdsNow = ({ failing_conditions }: JudgedTrigger): boolean => failing_conditions.length === 0

interface Wish {
  automation: Automation
  definition: Definition
  contact: Contact
  /** The automations that caused it, the first one first. */
  chain: readonly string[]
  /** Absent if a step of another automation enrolls the contact. Then conditions, the re-enrollment rule, and the cap do not apply. */
  judge?: () => Promise<JudgedTrigger[]>
}

interface FoundObstacle {
  reason: (typeof obstacles)[number]
  enrollmentId?: string
}

/** Yields what keeps a contact from entering. Each check runs only when the next obstacle is requested. */
export async function* findObstacles(
  db: Db,
  { automation, definition, contact, chain, judge }: Wish,
  now: Date,
): AsyncGenerator<FoundObstacle> {
  const { id, enabled, version } = automation
  if (!enabled || version === null) yield { reason: 'disabled' }
  if (contact.erased_at !== null) yield { reason: 'erased' }
  if (contact.stage === 'TRASH') yield { reason: 'trash' }
  if (judge !== undefined && !(await judge()).some(holdsNow)) yield { reason: 'condition' }
  if (chain.includes(id)) yield { reason: 'loop' }
  if (chain.length > maxDepth) yield { reason: 'depth' }
  const active = await findActive(db, id, contact.id)
  if (active !== undefined) yield { reason: 'active', enrollmentId: active.id }
  if (judge !== undefined && !(await mayEnterAgain({ tx: db, now }, automation, definition, contact)))
    yield { reason: 're_enrollment' }
  const { exclusive_group: group } = definition
  const other = group && (await findInGroup(db, group.name, contact.id))
  if (other !== undefined && other.id !== active?.id && group?.when_taken !== 'replace')
    yield { reason: 'group', enrollmentId: other.id }
  if (judge !== undefined && (await countTriggered(db, contact.id, later(now, -dayMs))) >= mostADay)
    yield { reason: 'cap' }
}

/** Whether the automation may enroll a contact who has been in it before. */
export async function mayEnterAgain(
  { tx, now }: { tx: Db; now: Date },
  { id }: Automation,
  { re_enrollment = 'never' }: Definition,
  contact: Contact,
): Promise<boolean> {
  if (re_enrollment === 'always') return true
  const last = await findLastEnrollment(tx, id, contact.id)
  if (last === undefined) return true
  return (
    re_enrollment !== 'never' &&
    Date.parse(last.created_at) + re_enrollment.after_days * dayMs <= now.getTime()
  )
}
