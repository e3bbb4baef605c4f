import { newId } from '#kernel/ids.ts'
import { createEngine } from '../../src/modules/automations/engine/engine.ts'
import type { TestApp } from '../support/app.ts'

/** Has an engine do all that is due now. */
export async function runDue({ runtime }: TestApp): Promise<void> {
  await using queue = runtime.database.across('gable_engine')
  const engine = createEngine(runtime, queue, newId(runtime.clock.now()))
  while ((await engine.tick()) > 0);
}
