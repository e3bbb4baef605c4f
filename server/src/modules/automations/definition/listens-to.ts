import type { JournalRow } from '#kernel/events/journal.ts'
import type { Definition, Exit, exitEvents } from './definition.ts'
import { stepsIn } from './tree.ts'

interface ExitEvent {
  names: readonly string[]
  /** Whether one of these events ends an enrollment. */
  ends: (event: JournalRow) => boolean
}

/** The events that end an enrollment, by exit. */
export const eventsOfExits: Record<(typeof exitEvents)[number], ExitEvent> = {
  replied: { names: ['message.received'], ends: ({ data }) => data['automatic'] !== true },
  booked: { names: ['appointment.booked'], ends: () => true },
  opted_out: {
    names: ['recipient.suppressed', 'message.received', 'message.classified'],
    ends: ({ data }) =>
      data['kind'] === 'opted_out' ||
      data['asks_for'] === 'opt_out' ||
      data['action'] === 'opt_out' ||
      data['action'] === 'unsubscribe',
  },
  owner_changed: {
    names: ['contact.updated'],
    ends: ({ data }) =>
      Array.isArray(data['changes']) &&
      data['changes'].some(({ field }: { field: string }) => field === 'owner_id'),
  },
  deal_won: {
    names: ['deal.stage_changed', 'deal.created'],
    ends: ({ data }) => data['status'] === 'won',
  },
}

/**
 * The events that make the engine look at an enrollment with this definition, as keys: an event name; an event name with the stage to which
 * a contact moves; `deal.*`, `appointment.*`, or `message.*` for all events of such records; or `*` for all events of the contact. An
 * enrollment that listens to nothing still moves when it is due.
 */
export function listensTo({ exits = [], steps }: Definition): string[] {
  // The stage `TRASH` ends every enrollment.
  const names = new Set(['contact.stage_changed TRASH'])
  for (const exit of exits) for (const name of namesOf(exit)) names.add(name)
  for (const step of stepsIn(steps)) {
    if (step.type === 'wait_for') for (const { event } of step.events) names.add(event)
    if (step.type === 'wait_until' && step.anchor !== 'contact.created_at')
      names.add(`${step.anchor.split('.', 1)[0]}.*`)
    if (sending.has(step.type)) names.add('message.*')
  }
  return [...names]
}

const sending: ReadonlySet<string> = new Set(['send', 'appointment_reminder', 'ai_message'])

function namesOf(exit: Exit): readonly string[] {
  switch (exit.when) {
    case 'conditions':
      return ['*']
    case 'stage':
      return [`contact.stage_changed ${exit.stage}`]
    case 'tag':
      return ['contact.tag_added']
    default:
      return eventsOfExits[exit.when].names
  }
}

/** The keys under which `listensTo` can list this event. */
export const keysOf = ({ name, subject_type, data }: JournalRow): string[] => [
  name,
  `${name} ${String(data['to'])}`,
  `${subject_type}.*`,
  '*',
]
