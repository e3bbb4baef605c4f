import { type Limits, defaultLimits } from '../../src/modules/deliveries/dispatcher/limits.ts'
import type { Random } from '../../src/seed/random.ts'
import { type MannerName, type Behavior, holdsLong } from './receivers.ts'

const minute = 60_000

/** Faults of processes, of the database, and of the calls between them. */
export type Fault =
  | { kind: 'kill' | 'stop'; at: number; awayMs: number }
  | { kind: 'pause' | 'outage'; at: number; forMs: number }
  | { kind: 'slow'; at: number; forMs: number; upToMs: number }
  | { kind: 'lossy'; at: number; forMs: number; chance: number }
  | { kind: 'join'; at: number }

/** What people do in the meantime. */
export type Action =
  | { kind: 'events'; at: number; workspaceId: string; events: number }
  | { kind: 'unsubscribe' | 'loseScope'; at: number; webhookId: string; forgottenAfterMs: number }
  | { kind: 'rest'; at: number; webhookId: string; forMs: number; disabled: boolean }
  | { kind: 'redeliver' | 'erase'; at: number; webhookId: string }

export interface HookPlan {
  workspaceId: string
  id: string
  behavior: Behavior
}

/**
 * Roomy: permits for all. Tight: so few that shares are used up and endpoints wait for each other. Narrow: a claim
 * scans only some of the endpoints. Short: a claim takes only some of the due deliveries. In the short shape, all
 * endpoints respond and none is paused, because deliveries that may not be sent count toward the limit of a claim.
 */
type Shape = 'roomy' | 'tight' | 'narrow' | 'short'

/** Time after the last fault and action: 31 minutes of retry delays, six exchanges and one expired lease. */
const drainMs = 35 * minute

/** With few permits, hanging endpoints can take longer. */
const tightDrainMs = 60 * minute

/** Everything that one seed determines in advance. */
export interface Scenario {
  limits: Limits
  scanned: number
  /**
   * How late an attempt may begin if there is no fault, the endpoint is idle, and shares are free: 10% of the shortest
   * retry delay.
   */
  maxDelayMs: number
  /** How long after the end of all faults and actions every delivery must be over. */
  drainMs: number
  /** How far each worker's clock is off. The first ones belong to the workers that start at the beginning. */
  skews: readonly number[]
  workers: number
  hooks: readonly HookPlan[]
  faults: readonly Fault[]
  actions: readonly Action[]
  /** When the last fault and the last action are over. */
  quietFrom: number
}

export const scopes = ['contacts:read', 'deals:read'] as const

export function drawScenario(random: Random, start: number): Scenario {
  const activeMs = random.integer(4, 30) * minute
  const moment = () => start + random.integer(1000, activeMs)
  const shape = random.weighted<Shape>([
    ['roomy', 9],
    ['tight', 9],
    ['narrow', 2],
    ['short', 1],
  ])
  const hooks = drawHooks(random, shape === 'short', moment)
  const actions = drawActions(random, hooks, start, moment).filter(
    ({ kind }) => shape !== 'short' || kind !== 'rest',
  )
  // About half of the faults occur while the workers are busy.
  const trying = () => (random.chance(0.5) ? random.pick(actions).at + random.integer(0, 4000) : moment())
  const faults = random.chance(0.12) ? [] : drawFaults(random, trying)
  const skewed = random.chance(0.4)
  const ends = [...faults, ...actions].map(
    (one) => one.at + ('forMs' in one ? one.forMs : 0) + ('awayMs' in one ? one.awayMs : 0),
  )
  return {
    limits: drawLimits(random, shape),
    scanned: shape === 'narrow' ? random.integer(1, 4) : 1000,
    // An endpoint that a claim cuts short has to wait for the next round, possibly several times.
    maxDelayMs: shape === 'short' ? 60_000 : 6000,
    drainMs: shape === 'tight' ? tightDrainMs : drainMs,
    skews: Array.from({ length: 40 }, () => (skewed ? random.integer(-1500, 1500) : 0)),
    workers: random.weighted([
      [1, 4],
      [2, 4],
      [3, 1],
    ]),
    hooks,
    faults,
    actions,
    quietFrom: Math.max(start, ...ends),
  }
}

function drawLimits(random: Random, shape: Shape): Limits {
  const common: Limits = {
    ...defaultLimits,
    perEndpoint: random.pick([3, 8, 8]),
    perNewEndpoint: random.pick([1, 2, 2]),
    firstQuota: random.integer(1, 4),
    perSettlement: random.pick([5, 50, 250]),
    gatherMs: random.pick([0, 10, 200]),
    scanStepMs: random.integer(10, 50),
    pollMs: 1000,
    // Longer than an attempt may be delayed, so a new delivery is on time only if it wakes an idle worker.
    idlePollMs: random.integer(12_000, 20_000),
    eagerPolls: 5,
    retryMs: random.integer(250, 1000),
    trackedEndpoints: random.chance(0.2) ? 2 : 10_000,
    maxPrefetch: random.pick([20, 500]),
  }
  if (shape === 'tight')
    return {
      ...common,
      total: random.integer(7, 14),
      degraded: random.integer(2, 6),
      perWorkspace: random.integer(3, 7),
      leased: random.integer(60, 80),
      leasedPerWorkspace: random.integer(40, 50),
      perClaim: 60,
    }
  return {
    ...common,
    total: 120,
    degraded: 20,
    perWorkspace: 90,
    leased: 300,
    leasedPerWorkspace: 200,
    perClaim: shape === 'short' ? random.integer(3, 8) : 100,
  }
}

function drawHooks(random: Random, prompt: boolean, moment: () => number): HookPlan[] {
  const workspaces = random.integer(1, 3)
  const manner = () => {
    if (prompt) return 'prompt'
    return random.weighted<MannerName>([
      ['prompt', 6],
      ['slow', 1],
      ['tooLate', 1],
      ['hanging', 2],
      ['rejecting', 2],
      ['flaky', 2],
    ])
  }
  return Array.from({ length: random.integer(2, 7) }, (_, i) => {
    const first = manner()
    const later = random.chance(0.3) ? manner() : first
    return {
      workspaceId: `w${random.integer(1, workspaces)}`,
      // The order of the ids is not the order of creation.
      id: `h${random.integer(0, 9)}${i}`,
      behavior: { first, later, changesAt: moment() },
    }
  })
}

function drawActions(
  random: Random,
  hooks: readonly HookPlan[],
  start: number,
  moment: () => number,
): readonly Action[] {
  const { workspaceId: crowded } = random.pick(hooks)
  const big = random.chance(0.3)
  const actions: Action[] = []
  for (const workspaceId of new Set(hooks.map((one) => one.workspaceId))) {
    const hangs = hooks.some(
      ({ workspaceId: its, behavior: { first, later } }) =>
        its === workspaceId && (holdsLong(first) || holdsLong(later)),
    )
    // A workspace with hanging receivers gets no more events than it can handle within the simulated time.
    let left = hangs ? 20 : 60
    while (left > 0) {
      const events = Math.min(
        left,
        random.weighted([
          [1, 6],
          [random.integer(2, 8), 3],
          [14, 2],
        ]),
      )
      actions.push({ kind: 'events', at: moment(), workspaceId, events })
      left -= events
      if (random.chance(0.08)) break
    }
    if (big && !hangs && workspaceId === crowded)
      actions.push({ kind: 'events', at: moment(), workspaceId, events: random.integer(60, 150) })
  }
  for (const { id: webhookId } of hooks) {
    const forgottenAfterMs = random.integer(100, 30_000)
    if (random.chance(0.12)) actions.push({ kind: 'unsubscribe', at: moment(), webhookId, forgottenAfterMs })
    if (random.chance(0.08)) actions.push({ kind: 'loseScope', at: moment(), webhookId, forgottenAfterMs })
    if (random.chance(0.2)) {
      const forMs = random.integer(1, 180) * 1000
      actions.push({ kind: 'rest', at: moment(), webhookId, forMs, disabled: random.chance(0.3) })
    }
    if (random.chance(0.08)) actions.push({ kind: 'erase', at: moment(), webhookId })
    for (
      let i = random.weighted([
        [0, 3],
        [1, 1],
        [4, 1],
      ]);
      i > 0;
      i--
    )
      actions.push({ kind: 'redeliver', at: moment(), webhookId })
  }
  if (random.chance(0.3)) actions.push({ kind: 'events', at: start + 1, workspaceId: crowded, events: 3 })
  return actions
}

function drawFaults(random: Random, moment: () => number): readonly Fault[] {
  const faults: Fault[] = []
  const some = (draw: () => Fault, most: number) => {
    if (random.chance(0.5)) return
    for (let i = random.integer(1, most); i > 0; i--) faults.push(draw())
  }
  some(() => ({ kind: 'kill', at: moment(), awayMs: random.integer(0, 40_000) }), 3)
  some(() => ({ kind: 'stop', at: moment(), awayMs: random.integer(0, 10_000) }), 3)
  some(() => ({ kind: 'join', at: moment() }), 1)
  some(() => ({ kind: 'pause', at: moment(), forMs: pauseMs(random) }), 4)
  some(() => ({ kind: 'outage', at: moment(), forMs: random.integer(500, 30_000) }), 3)
  some(
    () => ({
      kind: 'slow',
      at: moment(),
      forMs: random.integer(5000, 60_000),
      upToMs: random.integer(300, 6000),
    }),
    3,
  )
  some(
    () => ({
      kind: 'lossy',
      at: moment(),
      forMs: random.integer(10_000, 120_000),
      chance: random.next() * 0.6,
    }),
    3,
  )
  return faults
}

/** About the length of a lease, much longer, or as short as a garbage collection. */
const pauseMs = (random: Random): number =>
  random.weighted([
    [random.integer(100, 3000), 2],
    [random.integer(8000, 22_000), 3],
    [random.integer(60_000, 180_000), 1],
  ])
