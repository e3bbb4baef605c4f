import type { Actor } from '#kernel/events/journal.ts'
import type { Contact } from '../modules/contacts/public.ts'
import type { Company } from './brokerage.ts'
import { chapterOf, gaps, kindTags, noteCounts, paths, sources, tagsOf } from './chapters.ts'
import { type Diary, openDiary } from './diary.ts'
import { type Household, drawHousehold, fill } from './household.ts'
import { type Person, people } from './people.ts'
import { type Chapter, phrases, summaries } from './phrases.ts'
import { type Random, seededRandom } from './random.ts'
import { type Agent, type Draft, type Patch, type Story, type Teller, openTeller } from './teller.ts'

export interface Setting {
  agents: readonly Agent[]
  /** Everything happens before this. */
  end: Date
  daysAgo: number
}

const intake: Actor = { type: 'system', id: null, name: 'Lead intake' }

/** The stories of a company's contacts, in the order of their beginnings. */
export function tellStories(company: Company, agents: readonly Agent[], end: Date): Story[] {
  const random = seededRandom(company.seed)
  const crowd = people(random)
  const stories = Array.from({ length: company.contacts }, () =>
    // A little more of the recent past than of the early days: the company grows.
    tellStory(random, crowd.next().value, {
      agents,
      end,
      daysAgo: 1 + Math.floor(company.ageDays * random.next() ** 1.3),
    }),
  )
  return stories.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** Makes up what happens with a person between their first contact and now. Draws nothing but from `random`. */
export function tellStory(random: Random, person: Person, { agents, end, daysAgo }: Setting): Story {
  const household = drawHousehold(random)
  const path = random.weighted(paths)
  const diary = openDiary(random, end, daysAgo)
  const owner = random.weighted(
    agents.filter(({ until }) => until === null || diary.at < until).map((one) => [one, one.share]),
  )
  const source = random.weighted(sources)
  const draft = firstImpression(random, person, household, {
    stage: path[0] ?? 'LEAD',
    source: source.name,
    owner,
  })
  const story: Story = { at: diary.at, by: source.online ? intake : owner.actor, draft, steps: [] }
  const teller = openTeller(random, story, diary, { agents, owner })

  for (const [i, stage] of path.entries()) {
    const chapter = chapterOf[stage]
    if (i > 0) {
      if (!diary.turn(...gaps[chapter].before)) break
      teller.patch({ stage, ...(random.chance(0.6) ? teller.withTag(random.pick(tagsOf[chapter])) : {}) })
    }
    writeNotes(random, chapter, household, diary, teller)
    if (random.chance(0.3) && diary.turn(0, 6))
      teller.patch(someDetail(random, person, household, teller.present))
  }
  teller.handOver(end)
  return story
}

function firstImpression(
  random: Random,
  { first_name, last_name, email, phone }: Person,
  household: Household,
  { stage, source, owner }: { stage: Contact['stage']; source: string; owner: Agent },
): Draft {
  const reachable = random.weighted([
    ['both', 78],
    ['email', 12],
    ['phone', 10],
  ])
  return {
    first_name,
    last_name,
    ...(reachable === 'phone' ? {} : { email }),
    ...(reachable === 'email' ? {} : { phone }),
    stage,
    source,
    tags: random.chance(0.7)
      ? [household.kind, ...random.sample(kindTags[household.kind], random.integer(0, 2))]
      : [],
    ...(random.chance(0.92) ? { owner_id: owner.actor.id } : {}),
    ...(random.chance(0.25)
      ? { notes: fill(random.pick(summaries[household.kind]), household, random) }
      : {}),
  }
}

/** First what speaks of this kind of client, then what fits all, in the order in which it happens. */
function writeNotes(
  random: Random,
  chapter: Chapter,
  household: Household,
  diary: Diary,
  teller: Teller,
): void {
  const known = [...(phrases[chapter][household.kind] ?? []), ...(phrases[chapter].any ?? [])]
  const chosen = new Set(random.sample(known, random.integer(...noteCounts[chapter])))
  for (const [i, phrase] of known.filter((one) => chosen.has(one)).entries()) {
    if (!diary.turn(...(i === 0 ? ([0, 0] as const) : gaps[chapter].between))) return
    teller.note(fill(phrase, household, random))
  }
}

function someDetail(random: Random, { email, phone }: Person, household: Household, present: Draft): Patch {
  if (present.phone === undefined) return { phone }
  if (present.email === undefined) return { email }
  const summary = fill(random.pick(summaries[household.kind]), household, random)
  const tags = present.tags ?? []
  return random.weighted<Patch>([
    [{ notes: summary }, 5],
    [{ ai_auto_response: 'active' }, 3],
    [tags.length > 1 ? { tags: tags.slice(0, -1) } : { notes: summary }, 2],
    [{ tags: [...new Set([...tags, ...random.sample(kindTags[household.kind], 1)])] }, 4],
  ])
}
