import { updateContact } from '../modules/contacts/public.ts'
import { assignLead } from '../modules/leads/public.ts'
import { setAvailability, setRules } from '../modules/routing/public.ts'
import { setMemberActive } from '../modules/workspaces/public.ts'
import type { BrokerageNames } from './brokerage-rules.ts'
import type { Company } from './brokerage.ts'
import { dayMs } from './diary.ts'
import type { Staff } from './hire.ts'
import { seededRandom } from './random.ts'
import type { Scene } from './scene.ts'
import type { SeedAgent } from './teller.ts'

/** Schedules new rules, leave, and departures. */
export function manage(
  scene: Scene,
  { rules, onLeave, seed }: Company,
  { agents, teams }: Staff,
  end: Date,
): void {
  const names: BrokerageNames = {
    member: (name) => named(agents.find(({ actor }) => actor.name === name)?.actor.id, name),
    team: (name) => named(teams.get(name), name),
  }
  const [manager] = agents
  if (manager === undefined) return
  const ctx = scene.as(manager.actor)
  const before = (days: number) => new Date(end.getTime() - days * dayMs)
  async function put(document: object): Promise<void> {
    const set = await setRules(ctx, document)
    for (const rule of [...set.rules, set.default]) scene.tagsOfRule.set(rule.id, rule.on_match.tags)
  }
  for (const { daysAgo, document } of rules) {
    scene.agenda.add(before(daysAgo), () => put(document(names)))
  }
  if (onLeave !== undefined) {
    const pause = { paused: true, paused_until: before(-6).toISOString() }
    scene.agenda.add(before(1.6), () => setAvailability(ctx, names.member(onLeave), pause))
  }
  for (const agent of agents)
    if (agent.until !== null)
      scene.agenda.add(agent.until, () => leave(scene, { agent, manager, agents, seed }))
}

function named(id: string | undefined, name: string): string {
  if (id === undefined) throw new Error(`No member and no team has the name ${name}.`)
  return id
}

/** Deactivates a member. The others take over their contacts and open leads. */
async function leave(
  scene: Scene,
  {
    agent,
    manager,
    agents,
    seed,
  }: { agent: SeedAgent; manager: SeedAgent; agents: readonly SeedAgent[]; seed: number },
): Promise<void> {
  const ctx = scene.as(manager.actor)
  const random = seededRandom(seed + 1)
  const staying = agents.filter(({ until }) => until === null).map((one) => [one, one.share] as const)
  await setMemberActive(ctx, agent.actor.id, false)
  for (const thread of scene.threads) {
    if (thread.agent !== agent) continue
    const successor = random.weighted(staying)
    thread.agent = successor
    const { id } = successor.actor
    if (thread.leadId !== undefined) await assignLead(ctx, thread.leadId, id)
    else if (thread.owned) await updateContact(ctx, thread.contactId, { owner_id: id })
  }
}
