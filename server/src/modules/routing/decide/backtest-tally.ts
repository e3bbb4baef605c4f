import type { Replayed } from './backtest.ts'
import type { RoutingOutcome } from './decision.ts'

/** How often something happened, and how often it would have with other rules. */
interface WasAndWouldBe {
  was: number
  would_be: number
}

export interface BacktestTally {
  /** All leads, including skipped ones. */
  total: number
  /** Replayed leads with another result. */
  differ: number
  /** Skipped because their facts have been erased. */
  erased: number
  /** Skipped because a person decided first. */
  by_hand: number
  outcomes: Record<RoutingOutcome, WasAndWouldBe>
  members: ({ member_id: string } & WasAndWouldBe)[]
  rules: ({ rule_id: string; name: string } & WasAndWouldBe)[]
}

/** Counts the results of a backtest as they arrive. */
export function openTally() {
  const outcomes: BacktestTally['outcomes'] = {
    assigned: { was: 0, would_be: 0 },
    offered: { was: 0, would_be: 0 },
    pond: { was: 0, would_be: 0 },
    held: { was: 0, would_be: 0 },
    unassigned: { was: 0, would_be: 0 },
  }
  const counts = { total: 0, differ: 0, erased: 0, by_hand: 0 }
  const members = new Map<string, WasAndWouldBe>()
  const rules = new Map<string, { name: string } & WasAndWouldBe>()
  return {
    add({ by_hand, was, would_be, differs }: Replayed): void {
      counts.total++
      if (would_be === null) return void (by_hand ? counts.by_hand++ : counts.erased++)
      if (differs) counts.differ++
      for (const [time, result] of [
        ['was', was],
        ['would_be', would_be],
      ] as const) {
        const { outcome, assignee_id, rule_id, rule_name } = result
        outcomes[outcome][time]++
        if (assignee_id !== null) entry(members, assignee_id, {})[time]++
        if (rule_id !== null) entry(rules, rule_id, { name: rule_name ?? '' })[time]++
      }
    },
    result: (): BacktestTally => ({
      ...counts,
      outcomes,
      members: [...members].map(([member_id, count]) => ({ member_id, ...count })).sort(byCount),
      rules: [...rules].map(([rule_id, count]) => ({ rule_id, ...count })).sort(byCount),
    }),
  }
}

function entry<T extends object>(
  map: Map<string, T & WasAndWouldBe>,
  key: string,
  rest: T,
): T & WasAndWouldBe {
  const count = map.get(key) ?? { ...rest, was: 0, would_be: 0 }
  map.set(key, count)
  return count
}

const byCount = (a: WasAndWouldBe, b: WasAndWouldBe) => b.would_be - a.would_be || b.was - a.was
