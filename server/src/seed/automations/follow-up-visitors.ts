import {
  changeEnrollment,
  createAutomation,
  enableAutomation,
  enrollContact,
  publishAutomation,
} from '../../modules/automations/public.ts'
import type { Scene } from '../scene.ts'

const followUp = {
  name: 'After the open house',
  description: 'A call two days later, unless they have written or booked by then.',
  definition: {
    exits: [{ when: 'replied' as const }, { when: 'booked' as const }],
    steps: [
      { key: 'two_days', type: 'wait' as const, for: { days: 2 } },
      {
        key: 'call',
        type: 'task' as const,
        title: 'Call after the open house',
        task_type: 'call',
        due_in: { hours: 8 },
      },
    ],
  },
}

/** Enters into the agenda that visitors of an open house are followed up; one pauses, and one is left alone. */
export function playAutomations(scene: Scene, end: Date): void {
  scene.agenda.add(new Date(end.getTime() - 5 * 3_600_000), () => followUpVisitors(scene))
}

async function followUpVisitors(scene: Scene): Promise<void> {
  const visitors = scene.threads.filter(({ agent }) => agent !== undefined && agent.until === null).slice(-6)
  const [first] = visitors
  if (first?.agent === undefined) return
  const ctx = scene.as(first.agent.actor)
  const { id } = await createAutomation(ctx, followUp)
  await publishAutomation(ctx, id)
  await enableAutomation(ctx, id)
  for (const [n, { contactId }] of visitors.entries()) {
    const { enrollment } = await enrollContact(ctx, id, { contact_id: contactId })
    if (n === 0) await changeEnrollment(ctx, enrollment.id, 'paused')
    if (n === 1) await changeEnrollment(ctx, enrollment.id, 'cancelled')
  }
}
