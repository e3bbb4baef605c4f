import { type InFile, type PlantedBug, within } from './planted-bug.ts'

const inInbox: readonly InFile[] = [
  {
    name: 'only what starts automations is left for the engine',
    find: "where is_trigger or follows <> '{}'",
    replace: 'where is_trigger',
    shows: 'exits',
  },
  {
    name: 'what starts automations is not left for the engine',
    find: "where is_trigger or follows <> '{}'",
    replace: "where follows <> '{}'",
    shows: 'entries',
    isSample: true,
  },
]

const inAppend: readonly InFile[] = [
  {
    name: 'what a step does is news to no one',
    find: 'follows: [...following.map(({ id }) => id), ...started]',
    replace: 'follows: [...started]',
    shows: 'changes',
  },
]

const inListening: readonly InFile[] = [
  {
    name: 'a reply ends nothing',
    find: "replied: { names: ['message.received']",
    replace: "replied: { names: ['message.sent']",
    shows: 'exits',
  },
  {
    name: 'a booking ends nothing',
    find: "'appointment.booked'",
    replace: "'appointment.made'",
    shows: 'exits',
  },
  {
    name: 'another owner ends nothing',
    find: "field === 'owner_id'",
    replace: "field === 'owner'",
    shows: 'exits',
  },
  {
    name: 'every message ends it',
    find: "names: ['message.received'], ends",
    replace: "names: ['message.received', 'message.sent'], ends",
    shows: 'exits',
  },
  {
    name: 'the events of exits are not heard',
    find: 'for (const name of namesOf(exit)) names.add(name)',
    replace: 'void namesOf(exit)',
    shows: 'exits',
  },
  {
    name: 'what a step waits for is not heard',
    find: "if (step.type === 'wait_for') for (const { event } of step.events) names.add(event)",
    replace: '',
    shows: 'events',
  },
  {
    name: 'the outcome of messages is not heard',
    find: 'if (sending.has(step.type)) names.add',
    replace: 'if (sending.has(step.key)) names.add',
    shows: 'sends',
  },
]

/** Bugs in what is added to the inbox, and for which enrollments. */
export const bugsOfListening: readonly PlantedBug[] = [
  ...within('enrollments/inbox/queries.ts', inInbox),
  ...within('enrollments/inbox/append.ts', inAppend),
  ...within('automations/definition/listens-to.ts', inListening),
]
