import type { Kind } from './cast/household.ts'
import type { Person } from './cast/people.ts'
import type { Random } from './random.ts'
import { type Setting, writeStory } from './story.ts'
import type { Story } from './teller.ts'

/** For each kind of client, how many open stages a board has. There is a deal in each stage at the end. */
const boards: readonly (readonly [kind: Kind, stages: number])[] = [
  ['buyer', 5],
  ['seller', 5],
  ['renter', 4],
  ['investor', 3],
]

/** A deal reaches the next stage within this many days. */
const daysPerStage = 7

/** Clients of the last weeks, in turn of the agents who stay, whose deals fill every stage of the boards. */
export function writeBoard(
  random: Random,
  crowd: Iterator<Person, never>,
  { agents, end, leadDays }: Pick<Setting, 'agents' | 'end' | 'leadDays'>,
): Story[] {
  const staying = agents.filter(({ until }) => until === null)
  const wanted = boards.flatMap(([kind, stages]) =>
    Array.from({ length: stages }, (_, reaches) => ({ kind, reaches })),
  )
  return wanted.map(({ kind, reaches }, n) =>
    writeStory(random, crowd.next().value, {
      agents: staying.slice(n % staying.length, (n % staying.length) + 1),
      end,
      leadDays,
      daysAgo: 2 + daysPerStage * reaches + random.integer(0, 9),
      path: ['ACTIVE_CLIENT'],
      kind,
      reaches,
    }),
  )
}
