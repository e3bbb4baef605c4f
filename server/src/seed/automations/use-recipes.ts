import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { type Automation, listAllAutomations, publishAutomation } from '../../modules/automations/public.ts'
import { enableAutomation } from '../../modules/backfills/public.ts'
import { type Contact, findContact } from '../../modules/contacts/public.ts'
import { enrollContact } from '../../modules/enrollments/public.ts'
import type { Scene } from '../scene.ts'

/** By name. */
export type Recipes = ReadonlyMap<string, Automation>

/** The manager publishes and enables the automations that the workspace started with. */
export async function useRecipes(scene: Scene): Promise<Recipes> {
  const [manager] = scene.agents.values()
  const ctx = scene.as(orNotFound(manager).actor)
  const used = new Map<string, Automation>()
  for (const { id, name } of (await listAllAutomations(ctx.db)).toReversed()) {
    await publishAutomation(ctx, id)
    used.set(name, await enableAutomation(ctx, id))
  }
  return used
}

const stageOf: Readonly<Record<string, Contact['stage']>> = {
  'No reply': 'LEAD',
  Nurture: 'NURTURE',
  'Past-client anniversary': 'PAST_CLIENT',
}

interface Enrolled {
  ctx: Ctx
  id: string
  contactId: string
}

/** Members enroll the newest of their contacts who are in the recipe's stage and not enrolled yet. */
export async function enrollNext(
  scene: Scene,
  { id: automationId, name }: Automation,
  most: number,
): Promise<Enrolled[]> {
  const enrolled: Enrolled[] = []
  for (const { agent, contactId } of scene.threads.toReversed()) {
    if (enrolled.length === most) break
    if (agent === undefined || contactId === '') continue
    const ctx = scene.as(agent.actor)
    const contact = await findContact(ctx.db, contactId)
    if (contact?.stage !== stageOf[name]) continue
    const { enrollment, created } = await enrollContact(ctx, automationId, { contact_id: contactId })
    if (created) enrolled.push({ ctx, id: enrollment.id, contactId })
  }
  return enrolled
}
