import { later } from '#kernel/clock.ts'
import { holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import { type JournalRow, listTimelineAfter } from '#kernel/events/journal.ts'
import { newId } from '#kernel/ids.ts'
import { conditionFields } from '../definition/condition-fields.ts'
import { type WaitForStep, spanMs } from '../definition/definition.ts'
import { listSteps } from '../enrollment-queries.ts'
import { loadFacts } from './load-facts.ts'
import { type AskedStep, type JudgeScene, type MoveScene, type StepResult, result, waitFor } from './scene.ts'

const mostEvents = 500

/**
 * Waits for one of several events of the contact. An event committed before the engine looks beats the timeout. The journal is read again
 * each time, so that nothing that arrived during a pause or a failed move is missed.
 */
export async function waitForEvent(scene: MoveScene, asked: AskedStep<WaitForStep>): Promise<StepResult> {
  const { tx, now } = scene
  const { step, enrollment, facts } = asked
  const waiting = enrollment.waiting_for?.kind === 'event' ? enrollment.waiting_for : undefined
  const after = waiting?.refs?.['after'] ?? (await beginningOf(scene, asked))
  const names = [...new Set(step.events.map(({ event }) => event))]
  const known = await listTimelineAfter(tx, facts.contact.id, { names, after }, mostEvents)
  // An event gets its ID before its transaction commits. So an event that commits during the wait counts, even if its ID is before `after`.
  const late = waiting === undefined ? [] : asked.news.filter(({ id }) => id <= after)
  const chosen = await firstEvent(scene, asked, [...late, ...namedOnly(asked, known, after), ...known])
  if (chosen !== undefined)
    return {
      ...result('done', chosen.event.name, { event_id: chosen.event.id }),
      reply: { kind: 'branch', steps: chosen.option.steps?.[0]?.key ?? null },
    }
  const until = waiting?.until ?? later(now, spanMs(step.timeout)).toISOString()
  if (Date.parse(until) <= now.getTime())
    return {
      ...result('done', 'timeout'),
      reply: { kind: 'branch', steps: step.on_timeout?.[0]?.key ?? null },
    }
  const since = waiting?.since ?? now.toISOString()
  return waitFor({ kind: 'event', until, since, events: names, refs: { after } })
}

/**
 * News that names the contact but is not on its timeline, such as the suppression of a number: the timeline would reveal whose number it
 * is.
 */
const namedOnly = (
  { news, facts }: Pick<AskedStep<WaitForStep>, 'news' | 'facts'>,
  known: readonly JournalRow[],
  after: string,
): JournalRow[] =>
  news.filter(({ id, data: { contact_ids: named } }) => {
    const isNamed = Array.isArray(named) && named.includes(facts.contact.id)
    return isNamed && id > after && known.every((one) => one.id !== id)
  })

/** The first event that matches an option, with that option. */
export async function firstEvent(
  { ctx, tx, now, timezone }: JudgeScene,
  { step, facts: known }: Pick<AskedStep<WaitForStep>, 'step' | 'facts'>,
  events: readonly JournalRow[],
) {
  if (events.length === 0) return undefined
  const conditions = step.events.map((option) => option.conditions ?? { all: [] })
  const facts = await loadFacts({ db: tx, keys: ctx.keys }, known, conditions, now)
  const moment = momentAt(now, timezone)
  for (const event of events)
    for (const [i, option] of step.events.entries()) {
      const prepared = prepareFor(conditionFields, conditions[i] ?? { all: [] })
      if (option.event === event.name && holds(prepared, { ...facts, event: event.data }, moment))
        return { event, option }
    }
  return undefined
}

/**
 * The ID after which events count. Directly after a message step, that is the message's ID, so that events since its acceptance count.
 * Otherwise only events from now on count.
 */
async function beginningOf({ tx, now }: MoveScene, { enrollment }: AskedStep<WaitForStep>): Promise<string> {
  const last = (await listSteps(tx, enrollment.id)).at(-1)
  return last?.refs['message_id'] ?? newId(now)
}
