import { holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import type { Contact } from '../../contacts/public.ts'
import type { Automation } from '../automation.ts'
import { conditionFields } from '../definition/condition-fields.ts'
import type { Definition } from '../definition/definition.ts'
import { addEnrollment } from '../enroll.ts'
import { findLastEnrollment } from '../enrollment-queries.ts'
import { findVersion, holdAutomation, listTriggered } from '../queries.ts'
import { factsOfEvent, loadFacts } from './load-facts.ts'
import type { MoveScene } from './scene.ts'

interface Letter {
  event_id: string | null
  automation_id: string | null
  chain: readonly string[]
}

/** No automation starts another more often than that. */
const maxDepth = 5
const dayMs = 86_400_000

/** Enrolls a contact in the automations that what has come starts. No automation starts itself, also not through others. */
export async function enterAutomations(
  scene: MoveScene,
  contact: Contact,
  letters: readonly Letter[],
  events: ReadonlyMap<string, JournalRow>,
): Promise<void> {
  if (contact.erased_at !== null || contact.stage === 'TRASH') return
  for (const { event_id, automation_id, chain } of letters) {
    if (chain.length > maxDepth) continue
    const event = event_id === null ? undefined : events.get(event_id)
    if (event !== undefined)
      for (const { id } of await listTriggered(scene.tx, event.name))
        if (!chain.includes(id)) await enter(scene, contact, id, chain, event)
    if (automation_id !== null && !chain.includes(automation_id))
      await enter(scene, contact, automation_id, chain)
  }
}

async function enter(
  scene: MoveScene,
  contact: Contact,
  id: string,
  chain: readonly string[],
  event?: JournalRow,
): Promise<void> {
  const { tx } = scene
  const automation = await holdAutomation(tx, id)
  if (automation?.enabled !== true || automation.version === null) return
  const { definition } = (await findVersion(tx, id, automation.version)) ?? { definition: { steps: [] } }
  if (event !== undefined && !(await starts(scene, definition, contact, event))) return
  if (event !== undefined && !(await mayEnterAgain(scene, automation, definition, contact))) return
  await addEnrollment(tx, automation, {
    contact_id: contact.id,
    source: event === undefined ? 'automation' : 'trigger',
    event_id: event?.id ?? null,
    chain: [...chain],
  })
}

async function starts(
  { ctx, tx, now, timezone }: MoveScene,
  { triggers = [] }: Definition,
  contact: Contact,
  event: JournalRow,
): Promise<boolean> {
  const asked = triggers.filter(({ event: name }) => name === event.name)
  const conditions = asked.map((one) => one.conditions ?? { all: [] })
  const known = { contact, ...factsOfEvent(event), context: {} }
  const facts = await loadFacts({ db: tx, keys: ctx.keys }, known, conditions, now)
  const moment = momentAt(now, timezone)
  return conditions.some((one) => holds(prepareFor(conditionFields, one), facts, moment))
}

export async function mayEnterAgain(
  { tx, now }: Pick<MoveScene, 'tx' | 'now'>,
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
