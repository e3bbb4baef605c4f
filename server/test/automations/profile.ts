import type { DeedKind } from './deeds.ts'
import type { Taste } from './definitions.ts'
import type { Fault, Grain } from './lockstep.ts'

/** The parameters of a life. Each profile makes one kind of bug show sooner. */
export interface Profile {
  people: number
  automations: number
  engines: number
  workspaces: readonly (readonly [number, number])[]
  /** How many lanes an engine leases at a time. */
  lanes: number
  /** Whether the first workspace always has something for the engine at the end. */
  isBusy: boolean
  /** Whether the first automation of each workspace always throws. */
  isPoisoned: boolean
  /** Whether each step fails a few times before it succeeds. */
  isFlaky: boolean
  /** How many random choices to make before the faults stop. */
  choices: number
  /** How far the clocks of engines differ, and those of the processes that serve people. */
  skewMs: number
  personSkewMs: number
  faults: number
  faultKinds: readonly Fault['kind'][]
  /** How much time passes at once, in milliseconds, with weights. */
  passes: readonly (readonly [number, number])[]
  grains: readonly (readonly [Grain, number])[]
  taste: Partial<Taste>
  deeds: Partial<Record<DeedKind, number>>
}

export const plain: Profile = {
  people: 2,
  automations: 2,
  engines: 2,
  workspaces: [
    [1, 4],
    [2, 1],
  ],
  lanes: 32,
  isBusy: false,
  isPoisoned: false,
  isFlaky: false,
  choices: 60,
  skewMs: 400,
  personSkewMs: 400,
  faults: 0.2,
  faultKinds: ['kill', 'error', 'stall', 'stall', 'lost'],
  passes: [
    [500, 8],
    [5_000, 3],
    [60_000, 3],
    [600_000, 3],
    [3_600_000, 1],
    [30 * 3_600_000, 0.3],
  ],
  grains: [
    ['transaction', 6],
    ['commit', 2],
    ['statement', 1],
  ],
  taste: { webhooks: 0.7 },
  deeds: {
    enroll: 8,
    reply: 2,
    stop: 0.7,
    book: 1,
    stage: 2,
    tag: 3,
    owner: 1,
    erase: 0.4,
    pause: 1.5,
    resume: 2,
    cancel: 0.5,
    disable: 0.7,
    enable: 1.4,
    publish: 1,
    deal: 2,
    move: 1,
    migrate: 0.7,
    respond: 2,
    withdraw: 0.7,
  },
}
