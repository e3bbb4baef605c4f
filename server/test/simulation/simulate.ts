import { createWorker } from '../../src/modules/deliveries/dispatcher/worker.ts'
import { type Random, seededRandom } from '../../src/seed/random.ts'
import { createChecks } from './checks.ts'
import { createFaultyDatabase } from './database.ts'
import { runAction } from './deeds.ts'
import { type Counters, type Delivery, type Host, newEndpoint } from './facts.ts'
import { createHosts } from './hosts.ts'
import { type Row, newQueueModel } from './queue-model.ts'
import { drawScenario, scopes } from './scenario.ts'
import { newTimeline } from './timeline.ts'
import { Violation, mustBe } from './violation.ts'
import { createWaits } from './waits.ts'
import type { Subject, World } from './world.ts'

/** The product's own code. */
const product: Subject = { createWorker, newQueueModel }

const start = Date.UTC(2026, 2, 2)

/**
 * Runs one seed from the first event until nothing is left to do. Returns the elapsed virtual time in ms. Throws a
 * Violation.
 */
function live(seed: number, subject: Subject, counters: Counters, log?: (line: string) => void): number {
  const random = seededRandom(seed)
  const scenario = drawScenario(random, start)
  const timeline = newTimeline(start)
  const { now } = timeline
  const count = (name: string) => void (counters[name] = (counters[name] ?? 0) + 1)
  const hosts: Host[] = []
  const waits = createWaits({ scenario, hosts, now, count })
  const world: World = {
    subject,
    scenario,
    timeline,
    random,
    queue: subject.newQueueModel(scenario.scanned, locks(random)),
    database: createFaultyDatabase({ timeline, random, count, trouble: waits.trouble }),
    checks: createChecks({ scenario, now, count, waits, hosts }),
    waits,
    endpoints: new Map(
      scenario.hooks.map(({ workspaceId, id, behavior }) => [
        id,
        newEndpoint(workspaceId, id, behavior, start),
      ]),
    ),
    deliveries: new Map<string, Delivery>(),
    hosts,
    count,
    trace: log && ((step) => log(`${((now() - start) / 1000).toFixed(3).padStart(9)} ${step}`)),
  }
  for (const { workspaceId, id } of scenario.hooks)
    world.queue.addHook({ workspaceId, id, scopes, paused: false, disabled: false, failing: false })
  const { start: startHost, suffer } = createHosts(world)
  for (let i = 0; i < scenario.workers; i++) timeline.at(start + i * 10, startHost)
  for (const action of scenario.actions) timeline.at(action.at, () => runAction(world, action))
  for (const violation of scenario.faults) timeline.at(violation.at, () => suffer(violation))
  timeline.runUntil(scenario.quietFrom)
  const quietFrom = Math.max(scenario.quietFrom, waits.troubledUntil())
  timeline.runUntil(quietFrom + scenario.drainMs)
  expectAllOver(world)
  return now() - start
}

/** Locks a row now and then, as another statement would. The lock is gone at the next look. */
function locks(random: Random): (row: Row) => boolean {
  const locked = new Set<Row>()
  return (row) => {
    if (locked.delete(row) || !random.chance(0.01)) return false
    locked.add(row)
    return true
  }
}

/** In the end, every delivery must be delivered or failed. */
function expectAllOver({ endpoints, queue, deliveries }: World): void {
  for (const { id, removedAt, behavior } of endpoints.values()) {
    if (removedAt !== undefined) continue
    for (const row of queue.rows(id)) {
      const what = `${row.id} to ${id} (${behavior.first}, ${behavior.later})`
      mustBe(row.status !== 'pending', () => `${what} is still pending at its attempt ${row.attempt}`)
      mustBe(row.status === deliveries.get(row.id)?.over, () => `${what} is ${row.status} all by itself`)
    }
  }
}

export interface Life {
  seed: number
  /** Elapsed virtual time. */
  ms: number
  /** The violation and the steps before it; undefined if there was none. */
  violation: { message: string; trace: readonly string[] } | undefined
}

/** Runs a seed and counts what happens. A run with a violation is repeated with a trace. */
export function simulate(seed: number, counters: Counters = {}, subject: Subject = product): Life {
  try {
    return { seed, ms: live(seed, subject, counters), violation: undefined }
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    const trace: string[] = []
    try {
      live(seed, subject, {}, (line) => void trace.push(line))
    } catch {
      trace.push(`          ${error.message}`)
    }
    return {
      seed,
      ms: 0,
      violation: { message: error.message, trace: trace.slice(-40) },
    }
  }
}
