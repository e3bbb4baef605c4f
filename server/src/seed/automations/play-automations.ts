import { later } from '#kernel/clock.ts'
import { orNotFound } from '#kernel/errors.ts'
import { createLog } from '#kernel/log.ts'
import { batches } from '../../modules/backfills/public.ts'
import { bookAppointment, updateAppointment } from '../../modules/calendar/public.ts'
import { findContact, updateContact } from '../../modules/contacts/public.ts'
import { changeEnrollment, createEngine, moveContacts } from '../../modules/enrollments/public.ts'
import type { Batch } from '../batch.ts'
import { dayMs } from '../diary.ts'
import type { Random } from '../random.ts'
import type { Scene } from '../scene.ts'
import { writeBack } from '../texts.ts'
import { type Senders, bringMessages, findSenders } from './bring-messages.ts'
import { completeTasks } from './complete-tasks.ts'
import { type Recipes, enrollNext, useRecipes } from './use-recipes.ts'

/** How many days the recipes have been in use, at most. */
const days = 14
const hourMs = 3_600_000

/** Minutes after which a failing move is retried. After the last attempt, the enrollment fails. */
const attempts = [1, 6, 36, 156]

export interface AutomationsPlayed {
  /** Moves enrollments as far as the present, and delivers their messages. */
  moveOn(): Promise<void>
  /** The last enrollments by members, which the engine has yet to process. */
  enrollLast(): Promise<void>
}

/**
 * Schedules the activation of the recipes and what members do with individual enrollments. Uses the real engine, which
 * moves after every scheduled action.
 */
export function playAutomations(
  { runtime, directory, clock }: Batch,
  scene: Scene,
  random: Random,
  { end, ageDays }: { end: Date; ageDays: number },
): AutomationsPlayed {
  let recipes: Recipes | undefined
  let senders: Senders | undefined
  let failing: string | undefined
  const engine = createEngine({ ...runtime, log: createLog('silent') }, directory, 'demo', batches, {
    move: async (ctx, hold, contactIds, takes) => {
      if (failing !== undefined && contactIds.includes(failing))
        throw new Error('The database did not respond in time.')
      return moveContacts(ctx, hold, contactIds, takes)
    },
  })
  const enroll = async (name: string, most = 1) =>
    recipes === undefined ? [] : enrollNext(scene, orNotFound(recipes.get(name)), most)

  async function moveOn(): Promise<void> {
    if (recipes === undefined) return
    senders ??= await findSenders(scene)
    while ((await engine.tick()) > 0) while ((await bringMessages(scene, random, senders)) > 0);
  }

  const on = (daysAgo: number, act: () => Promise<unknown>, minutes = 0) =>
    scene.agenda.add(new Date(end.getTime() - daysAgo * dayMs + 16 * hourMs + minutes * 60_000), act)

  on(Math.min(days, ageDays - 20), async () => {
    recipes = await useRecipes(scene)
  })
  on(Math.min(days - 1, ageDays - 21), async () => {
    await enroll('Nurture', 6)
    await enroll('Past-client anniversary', 8)
  })
  for (let daysAgo = Math.min(days, ageDays - 20); daysAgo > 0; daysAgo--)
    on(daysAgo, () => completeTasks(scene, random), 7 * 60)
  for (const [daysAgo, status] of [
    [3, 'paused'],
    [2, 'cancelled'],
  ] as const)
    on(daysAgo, async () => {
      for (const { ctx, id } of await enroll('No reply')) await changeEnrollment(ctx, id, status)
    })
  for (const stage of ['TRASH', 'HOT_LEAD'] as const)
    on(
      2,
      async () => {
        for (const { ctx, contactId } of await enroll('No reply'))
          await updateContact(ctx, contactId, { stage })
      },
      30,
    )
  on(2, () => cancelShowing(scene))
  on(
    3,
    async () => {
      for (const { ctx, contactId } of await enroll('No reply')) {
        const { phone = null } = (await findContact(ctx.db, contactId)) ?? {}
        if (phone !== null) await writeBack(ctx, phone, 'STOP')
      }
    },
    30,
  )
  on(1, async () => {
    for (const { contactId } of await enroll('No reply')) failing = contactId
  })
  for (const minutes of attempts) on(1, async () => {}, minutes)
  on(1, async () => void (failing = undefined), orNotFound(attempts.at(-1)) + 1)

  return {
    moveOn,
    async enrollLast() {
      await moveOn()
      clock.stand(later(end, -60_000))
      await enroll('No reply', 2)
    },
  }
}

/** A showing in three days, which the contact cancels the day after booking it. */
async function cancelShowing(scene: Scene): Promise<void> {
  const thread = scene.threads.findLast(({ agent, deal }) => agent !== undefined && deal !== undefined)
  if (thread?.agent === undefined) return
  const ctx = scene.as(thread.agent.actor)
  const at = (ms: number) => new Date(scene.now().getTime() + ms)
  const { id } = await bookAppointment(ctx, {
    title: `Showing: ${thread.name}`,
    type: 'showing',
    contact_id: thread.contactId,
    host_id: thread.agent.actor.id,
    starts_at: at(3 * dayMs).toISOString(),
    ends_at: at(3 * dayMs + hourMs).toISOString(),
    timezone: 'America/Chicago',
  })
  scene.agenda.add(at(dayMs), () => updateAppointment(ctx, id, { outcome: 'cancelled' }))
}
