import { newId } from '#kernel/ids.ts'
import { createEngine } from '../../src/modules/automations/engine/engine.ts'
import type { TestApp } from '../support/app.ts'

/** Has an engine do all that is due now, or so many rounds of it. */
export async function runDue({ runtime }: TestApp, rounds = Number.POSITIVE_INFINITY): Promise<void> {
  await using queue = runtime.database.across('gable_engine')
  const engine = createEngine(runtime, queue, newId(runtime.clock.now()))
  for (let round = 0; round < rounds && (await engine.tick()) > 0; round++);
}
