/*
 * Proportional rotation without drift.
 *
 * An agent's balance is the sum of their shares so far minus the leads they received. Each lead credits every eligible agent
 * with their share and charges one lead to the agent who receives it. While the set of agents does not change, every
 * balance stays between -1 and 1, so the rotation is always within one lead of the exact proportion. This is
 * proportionate fairness (Baruah, Cohen, Plaxton, Varvel 1996): an agent's next lead is released when their share begins
 * to cover it and due when their share covers all of it. Of the released leads, the one due first is assigned. On a single
 * queue, this meets every deadline. Smooth weighted round robin is simpler and better known, but misses some: with the
 * weights 5, 5, 5, 5, 1, 1, 1, it is off by more than one lead.
 *
 * Absent agents are neither credited nor charged. When they return, they keep their balance, which is at most one lead.
 */

interface Share {
  id: string
  /** Above 0. */
  weight: number
}

/** The tolerance for floating-point sums. */
const epsilon = 1e-9

/**
 * Returns the order of turns, and the balances in `owed` after the first agent has received the lead. Drops the balances of agents
 * outside the pool.
 */
export function turnsByWeight(
  shares: readonly Share[],
  pool: readonly string[],
  owed: Readonly<Record<string, number>>,
): { order: string[]; owed: Record<string, number> } {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0)
  const claims = shares.map(({ id, weight }) => claimOf(id, weight / total, owedTo(owed, id)))
  const order = claims.sort(byTurn)
  const paid = new Map(pool.map((id) => [id, owedTo(owed, id)]))
  for (const [i, { id, due }] of order.entries()) paid.set(id, bounded(i === 0 ? due - 1 : due))
  return {
    order: order.map(({ id }) => id),
    owed: Object.fromEntries([...paid].filter(([, amount]) => amount !== 0)),
  }
}

interface Claim {
  id: string
  /** The agent's balance including their share of this lead, in leads. */
  due: number
  /** Whether the agent's next lead is released: their share has begun to cover it. */
  open: boolean
  /** Within how many leads, counting this one, the agent's next lead is due. */
  deadline: number
}

const claimOf = (id: string, share: number, owed: number): Claim => ({
  id,
  due: owed + share,
  open: owed + share > epsilon,
  deadline: Math.ceil((1 - owed) / share - epsilon),
})

/** After agents join or leave, possibly no lead is released; then the highest balance comes first. */
function byTurn(a: Claim, b: Claim): number {
  if (a.open !== b.open) return a.open ? -1 : 1
  return (a.open ? a.deadline - b.deadline : 0) || rounded(b.due) - rounded(a.due) || (a.id < b.id ? -1 : 1)
}

const rounded = (amount: number) => Math.round(amount / epsilon)

/** Caps a balance. It can exceed one lead when agents join and leave, and would flood a returning agent. */
const bounded = (owed: number) => Math.min(1, Math.max(-1, owed))

const owedTo = (owed: Readonly<Record<string, number>>, id: string) =>
  Object.hasOwn(owed, id) ? (owed[id] ?? 0) : 0
