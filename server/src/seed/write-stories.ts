import type { Company } from './brokerage.ts'
import { people } from './cast/people.ts'
import { paths } from './chapters.ts'
import { writeNewcomer } from './newcomer.ts'
import { seededRandom } from './random.ts'
import { writeStory } from './story.ts'
import type { SeedAgent, Story } from './teller.ts'
import { writeBoard } from './write-board.ts'
import { writeFreshLeads } from './write-fresh-leads.ts'

/** The stories of a company's contacts, ordered by their start. */
export function writeStories(company: Company, agents: readonly SeedAgent[], end: Date): Story[] {
  const { seed, ageDays, leadDays, contacts, isMain } = company
  const random = seededRandom(seed)
  const crowd = people(random)
  const nextPath = random.deck(paths)
  const stories = Array.from({ length: contacts }, () =>
    // More recent contacts than early ones, because the company grows.
    writeStory(random, crowd.next().value, {
      agents,
      end,
      daysAgo: 1 + Math.floor(ageDays * random.next() ** 1.6),
      leadDays,
      path: nextPath(),
    }),
  )
  const [manager] = agents
  if (isMain && manager !== undefined)
    stories.push(
      ...writeBoard(random, crowd, { agents, end, leadDays }),
      ...writeFreshLeads(random, crowd, manager, end),
      writeNewcomer(manager, end),
    )
  return stories.sort((a, b) => a.at.getTime() - b.at.getTime())
}
