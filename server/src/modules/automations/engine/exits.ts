import { holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { type EnrollmentFacts, conditionFields } from '../definition/condition-fields.ts'
import type { Definition, Exit, exitEvents } from '../definition/definition.ts'
import { loadFacts } from './load-facts.ts'
import type { JudgeScene } from './scene.ts'

/** Whether an event is one that ends an enrollment. */
const isExit: Record<(typeof exitEvents)[number], (event: JournalRow) => boolean> = {
  replied: ({ name, data }) => name === 'message.received' && data['automatic'] !== true,
  booked: ({ name }) => name === 'appointment.booked',
  opted_out: ({ name, data }) =>
    (name === 'recipient.suppressed' && data['kind'] === 'opted_out') ||
    (name === 'message.received' && data['asks_for'] === 'opt_out') ||
    (name === 'message.classified' && (data['action'] === 'opt_out' || data['action'] === 'unsubscribe')),
  owner_changed: ({ name, data }) =>
    name === 'contact.updated' &&
    Array.isArray(data['changes']) &&
    data['changes'].some(({ field }: { field: string }) => field === 'owner_id'),
  deal_won: ({ name, data }) =>
    (name === 'deal.stage_changed' || name === 'deal.created') && data['status'] === 'won',
}

/** Why an enrollment ends now; undefined if it goes on. An erasure and the stage TRASH end every one. */
export async function exitReason(
  { ctx, tx, now, timezone }: JudgeScene,
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
      default:
        return events.some(isExit[exit.when])
    }
  }
  return exits.find(ends)?.when
}
