import type { Agent } from './agent.ts'
import type { Cursor } from './decision.ts'
import { weightOf } from './eligibility.ts'
import type { Method, Rule } from './rule.ts'
import { turnsByWeight } from './weighted-rotation.ts'

const rotatingMethods = ['round_robin', 'weighted', 'least_recently_assigned', 'least_loaded'] as const
export type RotatingMethod = (typeof rotatingMethods)[number]

/** Whether whom it chooses depends on whom it chose before. */
export const isRotating = (method: Method | null): method is RotatingMethod =>
  rotatingMethods.some((one) => one === method)

/** Between whom a rotation chooses. */
export interface Turn {
  /** At least one. */
  eligible: readonly Agent[]
  /** Everybody in the pool: whoever is not is forgotten. */
  pool: readonly Agent[]
  weights: Rule['weights']
  cursor: Cursor
}

export interface Turns {
  /** Whose turn it is now, who would be next if they were not there, and so on. */
  order: readonly string[]
  /** Where the rotation stands once the first of them has got the lead. What other methods keep there stays. */
  cursor: Cursor
}

/** Whose turn it is. A pure function of what it is given. */
export const turnsOf: Record<RotatingMethod, (turn: Turn) => Turns> = {
  /** By id, on from whoever was last. Whoever was away takes their place again, and nothing is made up for. */
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

  /** Whoever has waited longest. One lead, and whoever was away is the latest. */
  least_recently_assigned: ({ eligible, cursor }) => ({
    order: eligible.toSorted(byWait).map(({ id }) => id),
    cursor,
  }),

  /**
   * Whoever has the fewest open leads, so long as the last picks were not mostly theirs: of as many picks in a row as
   * there are eligible agents (three at least, 500 at most) nobody gets more than two while somebody else had fewer. So
   * an empty desk fills twice as fast as it otherwise would, and not at once.
   */
  least_loaded: ({ eligible, pool, cursor }) => {
    const lately = cursor.lately ?? []
    const window = Math.min(Math.max(eligible.length, 3), rememberedPicks)
    const sated = satedBy(lately.slice(0, window - 1))
    const isSated = ({ id }: Agent) => Number(sated.has(id))
    const order = eligible
      .toSorted((a, b) => isSated(a) - isSated(b) || a.open - b.open || byWait(a, b))
      .map(({ id }) => id)
    const kept = Math.min(Math.max(pool.length, 3), rememberedPicks)
    return { order, cursor: { ...cursor, lately: [...order.slice(0, 1), ...lately].slice(0, kept) } }
  },
}

const rememberedPicks = 500

/** Who stands there twice or more. */
function satedBy(picks: readonly string[]): Set<string> {
  const once = new Set<string>()
  return new Set(picks.filter((id) => once.has(id) || !once.add(id)))
}

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** Longest without a lead first, before all whoever never had one. */
const byWait = (a: Agent, b: Agent): number =>
  compare(a.last_assigned_at ?? -Infinity, b.last_assigned_at ?? -Infinity) || byText(a.id, b.id)

const compare = (a: number, b: number) => (a < b ? -1 : Number(a > b))
