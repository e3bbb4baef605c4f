import { holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import type { Ctx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import {
  type EnrollmentFacts,
  conditionFields,
  type Definition,
  type Exit,
  eventsOfExits,
} from '../../automations/public.ts'
import { loadFacts } from './load-facts.ts'

/** Why an enrollment ends now; undefined if it continues. An erasure or the stage `TRASH` ends every enrollment. */
export async function exitReason(
  { ctx, tx, now, timezone }: { ctx: Pick<Ctx, 'keys'>; tx: Db; now: Date; timezone: string },
  { exits = [] }: Definition,
  known: EnrollmentFacts,
  events: readonly JournalRow[],
): Promise<string | undefined> {
  const { erased_at, stage, tags } = known.contact
  if (erased_at !== null) return 'erased'
  if (stage === 'TRASH') return 'trash'
  const conditions = exits.flatMap((exit) => (exit.when === 'conditions' ? [exit.conditions] : []))
  const facts = await loadFacts({ db: tx, keys: ctx.keys }, known, conditions, now)
  const moment = momentAt(now, timezone)
  const ends = (exit: Exit): boolean => {
    switch (exit.when) {
      case 'conditions':
        return holds(prepareFor(conditionFields, exit.conditions), facts, moment)
      case 'stage':
        return stage === exit.stage
      case 'tag':
        return tags.includes(exit.tag)
      default: {
        const { names, ends: isExit } = eventsOfExits[exit.when]
        return events.some((event) => names.includes(event.name) && isExit(event))
      }
    }
  }
  return exits.find(ends)?.when
}
