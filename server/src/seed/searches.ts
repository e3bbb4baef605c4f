import { suppress } from '../modules/compliance/public.ts'
import { type EmailAddress, findContact } from '../modules/contacts/public.ts'
import { createSearch, pauseSearch } from '../modules/saved-searches/public.ts'
import { dayMs } from './diary.ts'
import type { Scene } from './scene.ts'

const most = 5

/** Schedules saved searches for recent buyers. The last of them has unsubscribed. */
export function playSearches(scene: Scene, end: Date): void {
  scene.agenda.add(new Date(end.getTime() - 9 * dayMs + 16 * 3_600_000), () => saveSearches(scene))
}

async function saveSearches(scene: Scene): Promise<void> {
  let saved = 0
  for (const { contactId, agent, household } of scene.threads.toReversed()) {
    if (saved === most) return
    if (agent === undefined || agent.until !== null || household.kind !== 'buyer') continue
    const ctx = scene.as(agent.actor)
    const { email = null } = (await findContact(ctx.db, contactId)) ?? {}
    if (email === null || household.price === null) continue
    saved++
    const search = await createSearch(ctx, {
      contact_id: contactId,
      name: `Homes in ${household.city}`,
      criteria: {
        cities: [household.city],
        property_types: ['residential'],
        price_max: Math.round((household.price * 1.1) / 10_000) * 10_000,
        bedrooms_min: Number(household.slots.beds),
      },
      frequency: saved % 3 === 0 ? 'weekly' : 'daily',
    })
    if (saved < most) continue
    await suppress(ctx, [
      { subject: { type: 'email', value: email as EmailAddress }, kind: 'opted_out', source: 'inbound' },
    ])
    await ctx.transaction((tx) => pauseSearch(tx, search, 'opted_out'))
  }
}
