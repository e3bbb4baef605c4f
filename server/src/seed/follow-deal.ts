import { bookAppointment, completeTask, createTask, updateAppointment } from '../modules/calendar/public.ts'
import type { Contact } from '../modules/contacts/public.ts'
import { createDeal, updateDeal } from '../modules/deals/public.ts'
import { createListing, updateListing } from '../modules/listings/public.ts'
import type { Kind } from './cast/household.ts'
import { propertyOf } from './cast/property.ts'
import { dayMs, openHousesAfter } from './diary.ts'
import type { Random } from './random.ts'
import type { Scene, Thread } from './scene.ts'

const pipelines: Record<Kind, string> = {
  buyer: 'Buyers',
  seller: 'Sellers',
  renter: 'Rentals',
  investor: 'Buyers',
}
const hourMs = 3_600_000
const day = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Opens, wins, or loses a contact's deal according to the contact's new stage. */
export async function followDeal(scene: Scene, thread: Thread, stage: Contact['stage']): Promise<void> {
  if (stage === 'ACTIVE_CLIENT' && thread.deal === undefined) await open(scene, thread)
  if (stage === 'PAST_CLIENT') await close(scene, thread, 'won')
  if (stage === 'TRASH') await close(scene, thread, 'lost')
}

async function open(scene: Scene, thread: Thread): Promise<void> {
  const { household, agent, contactId, name } = thread
  const pipeline = scene.pipelines.get(pipelines[household.kind])
  if (agent === undefined || pipeline === undefined) return
  const { random } = scene
  const now = scene.now().getTime()
  const isSeller = household.kind === 'seller'
  const { id } = await createDeal(scene.as(agent.actor), {
    name: isSeller ? `${name}, ${household.slots.street}` : `${name}, ${household.slots.area}`,
    ...(household.kind === 'investor' ? { type: 'buyer' as const } : {}),
    pipeline_id: pipeline.id,
    contact_ids: [contactId],
    owner_id: agent.actor.id,
    ...(household.price === null ? {} : { price: household.price }),
    expected_close_date: day(now + random.integer(30, 110) * dayMs),
    ...(isSeller
      ? {
          address: {
            street: household.slots.street,
            city: household.city,
            state: 'IL',
            postal_code: household.zip,
            country: 'US',
          },
        }
      : {}),
  })
  const last = pipeline.open.length - 1
  thread.deal = {
    id,
    household,
    stage: 0,
    furthest: thread.reaches ?? random.integer(1, last),
    listingId: undefined,
  }
  if (agent.until === null) await planTask(scene, thread, 'Send the agreement', 'email')
  moveLater(scene, thread)
}

/** Schedules the next stage. A deal that has reached its last stage is lost in the end, unless it is won first. */
function moveLater(scene: Scene, thread: Thread): void {
  const { deal } = thread
  if (deal === undefined) return
  const { random } = scene
  const isLast = deal.stage >= deal.furthest
  const days = isLast ? random.integer(70, 150) : random.integer(3, thread.reaches === undefined ? 14 : 7)
  const at = new Date(scene.now().getTime() + days * dayMs)
  scene.agenda.add(at, () => (isLast ? close(scene, thread, 'lost') : move(scene, thread)))
}

async function move(scene: Scene, thread: Thread): Promise<void> {
  const { deal, agent } = thread
  if (deal === undefined || agent === undefined) return
  const pipeline = scene.pipelines.get(pipelines[deal.household.kind])
  deal.stage++
  const stage_id = pipeline?.open[deal.stage]
  if (stage_id === undefined) return
  const { random } = scene
  const now = scene.now().getTime()
  const underContract = deal.stage === (pipeline?.open.length ?? 0) - 1
  await updateDeal(scene.as(agent.actor), deal.id, {
    stage_id,
    ...(underContract
      ? {
          contract_date: day(now),
          inspection_date: day(now + 8 * dayMs),
          financing_contingency_date: day(now + 21 * dayMs),
          earnest_money_amount: 5000,
        }
      : {}),
  })
  if (deal.household.kind === 'seller') await followListing(scene, thread, deal.stage)
  // A member who has left makes no plans.
  if (agent.until === null) {
    if (random.chance(0.85)) await meet(scene, thread)
    if (random.chance(0.4)) await planTask(scene, thread, random.pick(chores), 'call')
  }
  moveLater(scene, thread)
}

const chores = [
  'Call about the inspection',
  'Ask the lender for the approval',
  'Send three more to look at',
  'Confirm the walkthrough',
  'Check in',
]

async function close(scene: Scene, thread: Thread, outcome: 'won' | 'lost'): Promise<void> {
  const { deal, agent } = thread
  if (deal === undefined || agent === undefined) return
  thread.deal = undefined
  const { price } = deal.household
  const ctx = scene.as(agent.actor)
  await updateDeal(ctx, deal.id, {
    status: outcome,
    ...(outcome === 'lost' ? { lost_reason: scene.random.pick(reasons) } : {}),
    ...(outcome === 'won' && price !== null
      ? { close_price: price, commission: commissionOf(agent.actor.id, scene.random) }
      : {}),
  })
  if (deal.listingId !== undefined)
    await updateListing(ctx, deal.listingId, {
      status: outcome === 'won' ? 'closed' : 'withdrawn',
      ...(outcome === 'won' && price !== null
        ? { close_price: price, closed_on: day(scene.now().getTime()) }
        : {}),
    })
}

const reasons = [
  'Stayed where they are',
  'Went with another brokerage',
  'Financing fell through',
  'Never called back',
]

/** A typical commission: a referral fee off the top, and the rest split between agent and brokerage. */
const commissionOf = (agentId: string, random: Random) => ({
  rate_percent: random.pick([2, 2.25, 2.5, 3]),
  splits: [
    { phase: 'pre_split' as const, payee_type: 'external' as const, label: 'Referral network', percent: 5 },
    { payee_type: 'agent' as const, payee_id: agentId, percent: 70 },
    { payee_type: 'external' as const, label: 'Brokerage', percent: 30 },
  ],
})

/** Updates a seller's property: coming soon at the third stage, active at the fourth, and pending at the fifth. */
async function followListing(scene: Scene, thread: Thread, stage: number): Promise<void> {
  const { deal, agent, contactId } = thread
  if (deal === undefined || agent === undefined) return
  const ctx = scene.as(agent.actor)
  const { random } = scene
  if (stage === 2) {
    const { id } = await createListing(ctx, {
      ...propertyOf(deal.household, random),
      list_agent_id: agent.actor.id,
      seller_contact_id: contactId,
      status: 'coming_soon',
    })
    deal.listingId = id
    await updateDeal(ctx, deal.id, { listing_id: id })
  }
  if (deal.listingId === undefined) return
  if (stage === 3) {
    const now = scene.now().getTime()
    await updateListing(ctx, deal.listingId, {
      status: 'active',
      listed_on: day(now),
      open_houses: openHousesAfter(now),
    })
    const { listingId, household } = deal
    if (random.chance(0.35) && household.price !== null) {
      const list_price = Math.round((household.price * 0.97) / 1000) * 1000
      scene.agenda.add(new Date(now + random.integer(10, 20) * dayMs), async () => {
        if (thread.deal?.stage === 3) await updateListing(ctx, listingId, { list_price })
      })
    }
  }
  if (stage === 4) await updateListing(ctx, deal.listingId, { status: 'pending' })
}

const meetings = {
  buyer: ['buyer_consultation', 'showing', 'showing', 'inspection', 'closing'],
  investor: ['buyer_consultation', 'showing', 'showing', 'inspection', 'closing'],
  seller: ['listing_presentation', 'listing_presentation', 'video', 'open_house', 'closing'],
  renter: ['call', 'showing', 'showing', 'closing', 'closing'],
} as const
const titles = {
  buyer_consultation: 'Consultation',
  showing: 'Showing',
  inspection: 'Inspection',
  closing: 'Closing',
  listing_presentation: 'Listing presentation',
  video: 'Talk about the photos',
  open_house: 'Open house',
  call: 'Call',
} as const

/** Books an appointment within a week, in Chicago's working hours. */
function meet(scene: Scene, thread: Thread): Promise<void> {
  const { random } = scene
  const midnight = Math.floor(scene.now().getTime() / dayMs) * dayMs + random.integer(1, 7) * dayMs
  const at = new Date(midnight + random.integer(30, 46) * (hourMs / 2))
  return bookMeeting(scene, thread, at, random.pick([30, 45, 60, 90]))
}

/** Books the appointment that the deal's stage calls for, and schedules its outcome for shortly afterwards. */
export async function bookMeeting(
  scene: Scene,
  thread: Thread,
  startsAt: Date,
  minutes: number,
): Promise<void> {
  const { deal, agent, contactId, name } = thread
  if (deal === undefined || agent === undefined) return
  const { random } = scene
  const type = meetings[deal.household.kind][deal.stage] ?? 'call'
  const startMs = startsAt.getTime()
  const at = (ms: number) => new Date(ms).toISOString()
  const ctx = scene.as(agent.actor)
  const { id } = await bookAppointment(ctx, {
    title: `${titles[type]}: ${name}`,
    type,
    contact_id: contactId,
    host_id: agent.actor.id,
    deal_id: deal.id,
    starts_at: at(startMs),
    ends_at: at(startMs + minutes * 60_000),
    timezone: 'America/Chicago',
    location: `${deal.household.slots.street}, ${deal.household.city}`,
  })
  const moved = random.chance(0.12) ? startMs + random.integer(1, 3) * dayMs : undefined
  if (moved !== undefined)
    scene.agenda.add(new Date(scene.now().getTime() + hourMs), () =>
      updateAppointment(ctx, id, { starts_at: at(moved), ends_at: at(moved + hourMs) }),
    )
  const outcome = random.weighted([
    ['showed', 84],
    ['no-show', 9],
    ['cancelled', 7],
  ])
  scene.agenda.add(new Date((moved ?? startMs) + 2 * hourMs), () => updateAppointment(ctx, id, { outcome }))
}

/** Adds a task, by default one that is due in the next days. Most are completed in time. */
export async function planTask(
  scene: Scene,
  thread: Thread,
  what: string,
  type: 'call' | 'email',
  known?: { due: Date; inTime: boolean },
): Promise<void> {
  const { deal, agent, contactId, name } = thread
  if (agent === undefined) return
  const { random } = scene
  const ctx = scene.as(agent.actor)
  const due = known?.due ?? new Date(scene.now().getTime() + random.integer(1, 6) * dayMs)
  const { task } = await createTask(ctx, {
    title: `${what}: ${name}`,
    type,
    contact_id: contactId,
    assignee_id: agent.actor.id,
    ...(deal === undefined ? {} : { deal_id: deal.id }),
    due_at: due.toISOString(),
    priority: random.weighted([
      ['normal', 8],
      ['high', 2],
    ]),
  })
  if (known?.inTime ?? random.chance(0.9))
    scene.agenda.add(new Date(due.getTime() - 2 * hourMs), () => completeTask(ctx, task.id))
}
