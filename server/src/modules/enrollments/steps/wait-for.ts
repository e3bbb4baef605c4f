import { later } from '#kernel/clock.ts'
import { holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import { type JournalRow, listTimelineAfter } from '#kernel/events/journal.ts'
import { newId } from '#kernel/ids.ts'
import { spanMs } from '#kernel/steps/span.ts'
import { conditionFields, isVerified, type WaitForStep } from '../../automations/public.ts'
import { loadFacts } from '../facts/load-facts.ts'
import { listSteps } from '../queries.ts'
import { type AskedStep, type JudgeScene, type MoveScene, type StepResult, result, waitFor } from './scene.ts'

/** How many events of the journal to read at a time. */
const perRead = 500

/**
 * Waits for one of several events of the contact. An event committed before the engine looks beats the timeout. The journal is read again
 * each time, so that nothing that arrived during a pause or a failed move is missed.
 */
export async function waitForEvent(scene: MoveScene, asked: AskedStep<WaitForStep>): Promise<StepResult> {
  const { now } = scene
  const { step, enrollment } = asked
  const waiting = enrollment.waiting_for?.kind === 'event' ? enrollment.waiting_for : undefined
  const after = waiting?.refs?.['after'] ?? (await beginningOf(scene, asked))
  const names = [...new Set(step.events.map(({ event }) => event))]
  // An event gets its ID before its transaction commits. So an event that commits during the wait counts, even if its ID is before `after`.
  const late = waiting === undefined ? [] : asked.news.filter(({ id }) => id <= after)
  const chosen = (await firstEvent(scene, asked, late)) ?? (await firstAfter(scene, asked, names, after))
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

/** The first event in the journal after `beginning` that matches an option, with that option. */
async function firstAfter(
  scene: MoveScene,
  asked: AskedStep<WaitForStep>,
  names: readonly string[],
  beginning: string,
): ReturnType<typeof firstEvent> {
  const { contact } = asked.facts
  for (let after = beginning; ;) {
    const events = await listTimelineAfter(scene.tx, contact.id, { names, after }, perRead)
    const chosen = await firstEvent(scene, asked, events)
    if (chosen !== undefined || events.length < perRead) return chosen
    after = events.at(-1)?.id ?? after
  }
}

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
  for (const event of events.filter(isVerified))
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
async function beginningOf({ tx }: MoveScene, { enrollment }: AskedStep<WaitForStep>): Promise<string> {
  const last = (await listSteps(tx, enrollment.id)).at(-1)
  return last?.refs['message_id'] ?? newId(tx.clock.now())
}
