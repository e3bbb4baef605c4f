import { onTestFinished } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { batches } from '../../src/modules/backfills/batches.ts'
import { createEngine } from '../../src/modules/enrollments/engine/engine.ts'
import type { TestApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'

type Queue = ReturnType<TestApp['runtime']['database']['across']>

const queues = new WeakMap<TestApp, Queue>()

/** The engine's connection of an app: one for all rounds of a test. */
function queueOf(app: TestApp): Queue {
  const open = queues.get(app)
  if (open !== undefined) return open
  const queue = app.runtime.database.across('gable_engine')
  queues.set(app, queue)
  onTestFinished(async () => {
    queues.delete(app)
    await queue[Symbol.asyncDispose]()
  })
  return queue
}

/** Has an engine do all that is due now, or so many rounds of it. */
export async function runDue(app: TestApp, rounds = Number.POSITIVE_INFINITY): Promise<void> {
  const engine = createEngine(app.runtime, queueOf(app), newId(app.runtime.clock.now()), batches)
  for (let round = 0; round < rounds && (await engine.tick()) > 0; round++);
}

/** Has engines find nothing of what earlier tests left in the database, all of which they would move with each round. */
export async function forgetDue({ databaseUrl }: TestApp): Promise<void> {
  await asOwner(databaseUrl, 'delete from automation_inbox')
  await asOwner(databaseUrl, 'update automation_lanes set next_at = null, holder_id = null')
}
