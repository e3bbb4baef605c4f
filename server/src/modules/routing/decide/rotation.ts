import type { RoutingMethod, Rule } from '../rules/rule.ts'
import type { Agent, Cursor } from './decision.ts'
import { weightOf } from './eligibility.ts'
import { turnsByWeight } from './weighted-rotation.ts'

const rotatingMethods = ['round_robin', 'weighted', 'least_recently_assigned', 'least_loaded'] as const
export type RotatingMethod = (typeof rotatingMethods)[number]

/** Whether the method keeps a rotation. */
export const isRotating = (method: RoutingMethod | null): method is RotatingMethod =>
  rotatingMethods.some((one) => one === method)

/** The input of a rotation. */
export interface Turn {
  /** At least one. */
  eligible: readonly Agent[]
  /** The whole pool. The state drops agents outside it. */
  pool: readonly Agent[]
  weights: Rule['weights']
  cursor: Cursor
}

export interface Rotation {
  /** Ids of the eligible agents in the order of their turns. */
  order: readonly string[]
  /** The state after the first agent has taken the lead. Keeps the state of other methods. */
  cursor: Cursor
}

/** The rotations, as pure functions. */
export const turnsOf: Record<RotatingMethod, (turn: Turn) => Rotation> = {
  /** By id, starting after the last pick. A returning agent resumes their old place and does not catch up. */
  round_robin: ({ eligible, cursor }) => {
    const ids = eligible.map(({ id }) => id).sort(byText)
    const { after = '' } = cursor
    const next = ids.findIndex((id) => id > after)
    const order = next === -1 ? ids : [...ids.slice(next), ...ids.slice(0, next)]
    return { order, cursor: { ...cursor, after: order[0] ?? after } }
  },

  /** In proportion to the weights; see `weighted-rotation.ts`. */
  weighted: ({ eligible, pool, weights, cursor }) => {
    const shares = eligible.map(({ id }) => ({ id, weight: weightOf(weights, id) }))
    const { order, owed } = turnsByWeight(
      shares,
      pool.map(({ id }) => id),
      cursor.owed ?? {},
    )
    return { order, cursor: { ...cursor, owed } }
  },

  /** The longest wait first. A returning agent gets one lead and then goes last. */
  least_recently_assigned: ({ eligible, cursor }) => ({
    order: eligible.toSorted(byWait).map(({ id }) => id),
    cursor,
  }),

  /**
   * The fewest open leads first, with a brake: within a window of as many consecutive picks as there are eligible agents (at least
   * 3, at most 500), no agent gets more than two while others had fewer. An agent without leads thus catches up at twice the normal
   * rate instead of all at once.
   */
  least_loaded: ({ eligible, pool, cursor }) => {
    const lately = cursor.lately ?? []
    const window = Math.min(Math.max(eligible.length, 3), rememberedPicks)
    const sated = recentlyPickedTwice(lately.slice(0, window - 1))
    const isSated = ({ id }: Agent) => Number(sated.has(id))
    const order = eligible
      .toSorted((a, b) => isSated(a) - isSated(b) || a.open - b.open || byWait(a, b))
      .map(({ id }) => id)
    const kept = Math.min(Math.max(pool.length, 3), rememberedPicks)
    return { order, cursor: { ...cursor, lately: [...order.slice(0, 1), ...lately].slice(0, kept) } }
  },
}

const rememberedPicks = 500

/** The ids that occur at least twice. */
function recentlyPickedTwice(picks: readonly string[]): Set<string> {
  const once = new Set<string>()
  return new Set(picks.filter((id) => once.has(id) || !once.add(id)))
}

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** Sorts the longest wait first. Agents who never had a lead come first of all. */
const byWait = (a: Agent, b: Agent): number =>
  compare(a.last_assigned_at ?? -Infinity, b.last_assigned_at ?? -Infinity) || byText(a.id, b.id)

const compare = (a: number, b: number) => (a < b ? -1 : Number(a > b))
