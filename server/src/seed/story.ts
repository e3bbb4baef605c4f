import type { Contact } from '../modules/contacts/public.ts'
import { type Household, type Kind, drawHousehold, fill } from './cast/household.ts'
import { towns } from './cast/names.ts'
import type { Person } from './cast/people.ts'
import { type Chapter, phrases, summaries } from './cast/phrases.ts'
import { chapterOf, gaps, kindTags, noteCounts, sources, tagsOf } from './chapters.ts'
import { type Diary, dayMs, openDiary } from './diary.ts'
import { drawInquiry } from './inquiry.ts'
import type { Random } from './random.ts'
import { type SeedAgent, type Draft, type Patch, type Story, type Teller, openTeller } from './teller.ts'

export interface Setting {
  agents: readonly SeedAgent[]
  /** Everything happens before this. */
  end: Date
  daysAgo: number
  /** For how many days before the end online inquiries come in as leads. Earlier ones were entered by a member. */
  leadDays: number
  /** The stages that the contact goes through. */
  path: readonly Contact['stage'][]
  /** What they are looking for, and the stage that their deal reaches. Up to chance, if omitted. */
  kind?: Kind
  reaches?: number
}

const typedIn = sources.filter(([{ online }]) => !online)

/** Makes up a person's story from first contact to the end. Deterministic for the state of `random`. */
export function writeStory(random: Random, person: Person, setting: Setting): Story {
  const { agents, end, daysAgo, leadDays, path, kind, reaches } = setting
  const household = drawHousehold(random, kind)
  const [stage = 'LEAD'] = path
  const source = random.weighted(stage === 'LEAD' ? sources : typedIn)
  const isLead = source.online && daysAgo <= leadDays
  const diary = openDiary(random, end, { daysAgo, anyHour: isLead })
  const agent = random.weighted(
    agents.filter(({ until }) => until === null || diary.at < until).map((one) => [one, one.share]),
  )
  const draft = firstImpression(random, person, household, { stage, source: source.name, agent, isLead })
  const { email: _, ...withoutEmail } = person
  const sender = draft.email === undefined ? withoutEmail : person
  const inquiry = isLead
    ? drawInquiry(random, household, { sender, source: source.name, at: diary.at })
    : null
  const story: Story = { at: diary.at, draft, inquiry, agent, household, reaches, steps: [] }
  const teller = openTeller(story, diary)
  if (inquiry !== null && diary.turn(0, 0)) respondToInquiry(random, teller)
  writeChapters(random, person, household, { path, diary, teller })
  const isOld = path.at(-1) === 'PAST_CLIENT' || path.at(-1) === 'SPHERE'
  const comesBack = isOld && random.chance(0.3) && diary.turn(10, 200)
  if (comesBack && diary.at.getTime() > end.getTime() - leadDays * dayMs)
    comeBack(random, person, household, diary, teller)
  return story
}

/** Usually an agent talks with them for the first time, and enters what the form did not contain. */
function respondToInquiry(random: Random, teller: Teller): void {
  if (random.chance(0.7)) teller.contacted()
  const { tags = [], notes } = teller.present
  const learned = { ...(tags.length > 0 ? { tags } : {}), ...(notes === undefined ? {} : { notes }) }
  if (Object.keys(learned).length > 0) teller.patch(learned)
}

/** A past client or someone from the sphere inquires again. */
function comeBack(random: Random, sender: Person, household: Household, diary: Diary, teller: Teller): void {
  const source = random.pick(['Website', 'Home valuation page'])
  teller.inquire(drawInquiry(random, household, { sender, source, at: diary.at }))
  if (diary.turn(0, 0)) teller.contacted()
}

function writeChapters(
  random: Random,
  person: Person,
  household: Household,
  { path, diary, teller }: { path: readonly Contact['stage'][]; diary: Diary; teller: Teller },
): void {
  for (const [i, stage] of path.entries()) {
    const chapter = chapterOf[stage]
    if (i > 0) {
      if (!diary.turn(...gaps[chapter].before)) return
      teller.patch({ stage, ...(random.chance(0.6) ? teller.withTag(random.pick(tagsOf[chapter])) : {}) })
    }
    writeNotes(random, chapter, household, diary, teller)
    if (random.chance(0.3) && diary.turn(0, 6))
      teller.patch(someDetail(random, person, household, teller.present))
  }
}

function firstImpression(
  random: Random,
  { first_name, last_name, email, phone }: Person,
  household: Household,
  {
    stage,
    source,
    agent,
    isLead,
  }: { stage: Contact['stage']; source: string; agent: SeedAgent; isLead: boolean },
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
    // Everyone who inquires leaves a phone number.
    ...(reachable === 'email' && !isLead ? {} : { phone }),
    ...(!isLead && random.chance(0.6) ? { address: homeOf(phone, household) } : {}),
    stage,
    source,
    tags: random.chance(isLead ? 0.35 : 0.7)
      ? [household.kind, ...random.sample(kindTags[household.kind], random.integer(0, 2))]
      : [],
    ...(random.chance(0.92) ? { owner_id: agent.actor.id } : {}),
    ...(random.chance(0.25)
      ? { notes: fill(random.pick(summaries[household.kind]), household, random) }
      : {}),
  }
}

/** An address in the town of the phone number's area code. */
function homeOf(phone: string, { slots }: Household): Draft['address'] & object {
  const [city, state, postal_code] = towns[phone.slice(2, 5)] ?? ['Chicago', 'IL', '60647']
  return { street: slots.street, city, state, postal_code, country: 'US' }
}

/** Writes notes specific to this kind of client first, then general ones, in chronological order. */
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
