import type { Actor } from '#kernel/events/journal.ts'
import { findContact } from '../modules/contacts/public.ts'
import { type captureLead, claimLead, endOffer, rerouteLead } from '../modules/leads/public.ts'
import { type Inquiry, pondMs } from './inquiry.ts'
import type { Scene, Thread } from './scene.ts'

type Lead = Awaited<ReturnType<typeof captureLead>>['lead']
type Luck = Inquiry['luck']

/** Follows up on a routed lead: updates the owner, or schedules the next step until the lead has one. */
export function followLead(scene: Scene, thread: Thread, lead: Lead, luck: Luck): void {
  thread.leadId = lead.id
  const tags = scene.tagsOfRule.get(lead.routing?.rule_id ?? '') ?? []
  thread.tags = [...new Set([...thread.tags, ...tags])]
  if (lead.assignee_id !== null) return give(scene, thread, lead.assignee_id)
  thread.agent = undefined
  if (lead.waits_for === 'claim' || lead.waits_for === 'pond') return letClaim(scene, thread, lead, luck)
  if (scene.waiting.size === 0) lookLater(scene)
  scene.waiting.set(thread, luck)
}

function give(scene: Scene, thread: Thread, memberId: string): void {
  thread.agent = scene.agents.get(memberId)
  thread.owned = true
}

/** Schedules a claim or the expiry of the offer. Schedules nothing if no one ever claims the lead. */
function letClaim(scene: Scene, thread: Thread, lead: Lead, luck: Luck): void {
  const [whether, when] = luck
  const { offered_to, offered_until } = lead
  const from = scene.now().getTime()
  const window = offered_until === null ? null : Date.parse(offered_until) - from
  if (window !== null && whether > 0.75) {
    scene.agenda.add(new Date(from + window), () => expire(scene, thread, lead))
    return
  }
  const waits = window === null ? pondMs(luck) : (0.05 + 0.9 * when) * window
  const chosen = offered_to[Math.floor(((whether * 997) % 1) * offered_to.length)]
  const agent = scene.agents.get(chosen ?? '')
  if (waits === null || agent === undefined) return
  const at = new Date(from + waits)
  if (agent.until !== null && at >= agent.until) return
  scene.agenda.add(at, async () => {
    await claimLead(scene.as(agent.actor), lead.id, agent.actor.id)
    give(scene, thread, agent.actor.id)
  })
}

const job = (name: string): Actor => ({ type: 'system', id: null, name })

async function expire(scene: Scene, thread: Thread, lead: Lead): Promise<void> {
  const ctx = scene.as(job('end-lead-offer'))
  await endOffer(ctx, lead.id, lead.routing?.decision_id ?? '')
  const { owner_id = null } = (await findContact(ctx.db, thread.contactId)) ?? {}
  if (owner_id !== null) give(scene, thread, owner_id)
}

/** Hours at which shifts or rule schedules begin. A server checks every minute or two, with the same effect. */
const openingHours = new Set([7, 8, 9])

function lookLater(scene: Scene): void {
  let at = Temporal.Instant.fromEpochMilliseconds(scene.now().getTime())
    .toZonedDateTimeISO('America/Chicago')
    .round({ smallestUnit: 'hour', roundingMode: 'floor' })
  do at = at.add({ hours: 1 })
  while (!openingHours.has(at.hour))
  scene.agenda.add(new Date(at.epochMilliseconds + 20_000), () => look(scene))
}

/** Reroutes the waiting leads, as a server would. */
async function look(scene: Scene): Promise<void> {
  const waiting = [...scene.waiting]
  scene.waiting.clear()
  for (const [thread, luck] of waiting) {
    if (thread.leadId === undefined) continue
    const { lead } = await rerouteLead(scene.as(job('route-waiting-leads')), thread.leadId)
    followLead(scene, thread, lead, luck)
  }
}
