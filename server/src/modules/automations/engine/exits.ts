import { holds, prepareFor } from '#kernel/conditions/condition.ts'
import type { Moment } from '#kernel/conditions/hours.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { type EnrollmentFacts, conditionFields } from '../definition/condition-fields.ts'
import type { Definition, exitEvents } from '../definition/definition.ts'

/** Whether an event is one that ends an enrollment. */
const isExit: Record<(typeof exitEvents)[number], (event: JournalRow) => boolean> = {
  replied: ({ name, data }) => name === 'message.received' && data['automatic'] !== true,
  booked: ({ name }) => name === 'appointment.booked',
  opted_out: ({ name, data }) => name === 'recipient.suppressed' && data['kind'] === 'opted_out',
  owner_changed: ({ name, data }) =>
    name === 'contact.updated' &&
    Array.isArray(data['changes']) &&
    data['changes'].some(({ field }: { field: string }) => field === 'owner_id'),
  deal_won: ({ name, data }) => name === 'deal.stage_changed' && data['status'] === 'won',
}

/** Why an enrollment ends now; undefined if it goes on. An erasure and the stage TRASH end every one. */
export function exitReason(
  { exits = [] }: Definition,
  facts: EnrollmentFacts,
  events: readonly JournalRow[],
  moment: Moment,
): string | undefined {
  const { erased_at, stage } = facts.contact
  if (erased_at !== null) return 'erased'
  if (stage === 'TRASH') return 'trash'
  const exit = exits.find((one) =>
    one.when === 'conditions'
      ? holds(prepareFor(conditionFields, one.conditions), facts, moment)
      : events.some(isExit[one.when]),
  )
  return exit?.when
}
