import type { createWorker } from '../../src/modules/deliveries/dispatcher/worker.ts'
import type { Random } from '../../src/seed/random.ts'
import type { Checks } from './checks.ts'
import type { FaultyDatabase } from './database.ts'
import type { Counters, Delivery, Endpoint, Host } from './facts.ts'
import type { QueueModel, newQueueModel } from './queue-model.ts'
import type { Scenario } from './scenario.ts'
import type { Timeline } from './timeline.ts'
import type { Waits } from './waits.ts'

/** The code to simulate: the product's own, or a copy with a planted bug. */
export interface Subject {
  createWorker: typeof createWorker
  newQueueModel: typeof newQueueModel
}

/** Everything in the run of one seed. */
export interface World {
  subject: Subject
  scenario: Scenario
  timeline: Timeline
  random: Random
  queue: QueueModel
  database: FaultyDatabase
  checks: Checks
  waits: Waits
  endpoints: ReadonlyMap<string, Endpoint>
  deliveries: Map<string, Delivery>
  hosts: Host[]
  count(name: keyof Counters): void
  /** Logs a step, in traced runs. */
  trace: ((step: string) => void) | undefined
}
