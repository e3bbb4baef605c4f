import { createListing, updateListing } from '../modules/listings/public.ts'
import type { Company } from './brokerage.ts'
import { drawHousehold } from './cast/household.ts'
import { kindsOnMarket, propertyOfKind } from './cast/property.ts'
import { dayMs, openHousesAfter } from './diary.ts'
import { type Random, seededRandom } from './random.ts'
import type { Scene } from './scene.ts'
import type { SeedAgent } from './teller.ts'

/** Roughly how many days before the end the oldest listing came on the market. */
const longestAgo = 420

/**
 * Schedules listings whose sellers are not contacts: active, reduced after some weeks, and then sold, leased, or taken
 * off the market. The latest are still active at the end.
 */
export function playMarket(
  scene: Scene,
  { listings, seed }: Company,
  agents: readonly SeedAgent[],
  end: Date,
): void {
  const random = seededRandom(seed + 2)
  const staying = agents.filter(({ until }) => until === null).map((agent) => [agent, agent.share] as const)
  const nextKind = random.deck(kindsOnMarket)
  for (let n = 0; n < listings; n++) {
    const kind = nextKind()
    // More recent ones are more frequent; the newest is a few days old.
    const daysAgo = 4 + Math.floor(longestAgo * (n / listings) ** 1.6)
    const at = new Date(end.getTime() - daysAgo * dayMs + random.integer(15, 22) * 3_600_000)
    const agent = random.weighted(staying)
    scene.agenda.add(at, () => list(scene, agent, { kind, random, end }))
  }
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10)

async function list(
  scene: Scene,
  agent: SeedAgent,
  { kind, random, end }: { kind: (typeof kindsOnMarket)[number][0]; random: Random; end: Date },
): Promise<void> {
  const ctx = scene.as(agent.actor)
  const now = scene.now().getTime()
  const property = propertyOfKind(kind, drawHousehold(random), random)
  const isLease = property.property_type === 'residential_lease'
  const { id } = await createListing(ctx, {
    ...property,
    list_agent_id: agent.actor.id,
    status: 'active',
    listed_on: day(now),
    expires_on: day(now + 180 * dayMs),
    open_houses: isLease ? [] : openHousesAfter(now),
  })
  const listing = { id, price: property.list_price, isActive: true }
  const after = (days: number, change: () => Parameters<typeof updateListing>[2] | undefined) =>
    scene.agenda.add(new Date(now + days * dayMs), async () => {
      const patch = change()
      if (patch !== undefined) await updateListing(ctx, id, patch)
    })
  const reduced = () => {
    if (!listing.isActive) return undefined
    const step = isLease ? 50 : 1000
    listing.price = Math.floor((listing.price * random.pick([0.95, 0.97, 0.98])) / step) * step
    return { list_price: listing.price }
  }
  const days = random.integer(18, 95)
  const cuts = random.weighted([
    [[], 5],
    [[random.integer(7, 21)], 4],
    [[random.integer(7, 16), random.integer(24, 50)], 2],
  ])
  for (const at of cuts) after(at, reduced)
  const ends = (patch: Parameters<typeof updateListing>[2]) => () => {
    listing.isActive = false
    return patch
  }
  if (random.chance(0.78)) {
    after(days, ends({ status: 'pending' }))
    const closedDays = days + random.integer(25, 50)
    const paid = () =>
      isLease ? listing.price : Math.round((listing.price * random.pick([0.96, 0.98, 1, 1.01])) / 500) * 500
    after(closedDays, () => ({
      status: 'closed',
      close_price: paid(),
      closed_on: day(now + closedDays * dayMs),
    }))
  } else after(days, ends({ status: random.pick(['expired', 'canceled', 'withdrawn', 'hold']) }))
  const last = (end.getTime() - now) / dayMs - 1
  if (!isLease && (last < 6 || random.chance(0.5)))
    after(last, () => (listing.isActive ? { open_houses: openHousesAfter(now, end.getTime()) } : undefined))
}
