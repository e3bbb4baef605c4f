import { completeTask, listTasksWithin } from '../../modules/calendar/public.ts'
import { dayMs } from '../diary.ts'
import type { Random } from '../random.ts'
import type { Scene } from '../scene.ts'

/** At the end of a day, members complete most of the tasks that automations gave them. */
export async function completeTasks(scene: Scene, random: Random): Promise<void> {
  const [first] = scene.agents.values()
  const to = scene.now()
  if (first === undefined) return
  const from = new Date(to.getTime() - 7 * dayMs)
  const tasks = await listTasksWithin(scene.as(first.actor).db, { from, to }, undefined, 1000)
  for (const { id, status, assignee_id, created_by } of tasks) {
    const agent = scene.agents.get(assignee_id ?? '')
    if (status !== 'open' || created_by.type !== 'automation' || agent === undefined) continue
    if (random.chance(0.8)) await completeTask(scene.as(agent.actor), id)
  }
}
