import { findContact } from '../modules/contacts/public.ts'
import { bookMeeting, planTask } from './follow-deal.ts'
import type { Random } from './random.ts'
import type { Scene, Thread } from './scene.ts'
import type { SeedAgent } from './teller.ts'
import { writeBack } from './texts.ts'

const hourMs = 3_600_000

/**
 * Hours from the end, which is midnight UTC, at which meetings begin: the manager's, and those that the other agents have in
 * turn. They are in Chicago's working hours of the day that has just ended, of the coming one, and of the next.
 */
const managersHours = [-8, -4, 15, 17, 19.5, 21.5, 40]
const agentsHours = [
  [-6, 16, 20],
  [15.5, 18],
  [17.5, 39],
  [-3, 22],
]

/** Tasks of each agent, in hours from the end. */
const chores = [
  { what: 'Call about the inspection', type: 'call', due: -30 },
  { what: 'Send the comparables', type: 'email', due: -5 },
  { what: 'Confirm the showing', type: 'call', due: 17 },
  { what: 'Ask the lender for the approval', type: 'call', due: 21 },
  { what: 'Check in', type: 'call', due: 44 },
] as const

/** What clients wrote last, and has no response. The first ones wrote to the manager. */
const letters = [
  { hours: -26, channel: 'sms', lines: ['We slept on it. Can you send us the disclosures tonight?'] },
  {
    hours: -9,
    channel: 'whatsapp',
    lines: ['Hello! Is the showing still on?', 'We may be ten minutes late.'],
  },
  { hours: -7, channel: 'email', lines: ['Could you send us the assessment and the date when it is due?'] },
  { hours: -5, channel: 'sms', lines: ['The lender wants the signed contract by Friday.'] },
  { hours: -4, channel: 'sms', lines: ['Any news from the other side?'] },
  { hours: -3, channel: 'sms', lines: ['What would the taxes be?', 'And is the garage included?'] },
  {
    hours: -2,
    channel: 'email',
    lines: ['The inspector found a crack in the basement wall. What would you do?'],
  },
  { hours: -1, channel: 'sms', lines: ['Running late, can we say 5:30?'] },
] as const

/** Schedules what people look at first: a full day, tasks that are due and overdue, and threads that wait for a response. */
export function playToday(scene: Scene, random: Random, end: Date): void {
  const at = (hours: number) => new Date(end.getTime() + hours * hourMs)
  const [manager, ...others] = [...scene.agents.values()].filter(({ until }) => until === null)
  if (manager === undefined) return
  scene.agenda.add(at(-4 * 24), async () => {
    await planMeetings(scene, random, manager, managersHours.map(at))
    for (const [n, agent] of others.entries())
      await planMeetings(scene, random, agent, (agentsHours[n % agentsHours.length] ?? []).map(at))
    for (const [n, agent] of [manager, ...others].entries())
      for (const [m, { what, type, due }] of chores.entries()) {
        const client = clientsOf(scene, agent).at(-1 - m)
        if (client !== undefined && (n === 0 || (n + m) % 2 === 0))
          await planTask(scene, client, what, type, { due: at(due), inTime: false })
      }
  })
  const wrote = new Set<Thread>()
  for (const [n, { hours, channel, lines }] of letters.entries())
    for (const [m, line] of lines.entries())
      scene.agenda.add(new Date(at(hours).getTime() + m * 70_000), async () => {
        const agent = n < 3 ? manager : others[n % others.length]
        if (agent === undefined) return
        const thread = m > 0 ? [...wrote].at(-1) : clientsOf(scene, agent).findLast((one) => !wrote.has(one))
        if (thread === undefined) return
        wrote.add(thread)
        const ctx = scene.as({ type: 'system', id: null, name: 'messages' })
        const contact = await findContact(ctx.db, thread.contactId)
        const from = channel === 'email' ? contact?.email : contact?.phone
        if (from) await writeBack(ctx, from, line, channel)
      })
}

/** An agent's clients: those with open deals last. */
const clientsOf = ({ threads }: Scene, agent: SeedAgent): Thread[] =>
  threads
    .filter((thread) => thread.agent === agent && thread.contactId !== '')
    .toSorted((a, b) => Number(a.deal !== undefined) - Number(b.deal !== undefined))

async function planMeetings(
  scene: Scene,
  random: Random,
  agent: SeedAgent,
  times: readonly Date[],
): Promise<void> {
  const clients = clientsOf(scene, agent).filter(({ deal }) => deal !== undefined)
  for (const [n, at] of times.entries()) {
    const client = clients[n % clients.length]
    if (client !== undefined) await bookMeeting(scene, client, at, random.pick([30, 45, 60]))
  }
}
