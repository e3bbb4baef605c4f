/*
 * Proportional rotation without drift.
 *
 * What an agent is owed is the sum of their shares so far, less the leads they got. Each lead pays everybody eligible
 * their share of it and takes one whole lead from whoever gets it. So long as nobody comes or goes, what anybody is owed
 * stays between -1 and 1, after every single lead: the rotation is within one lead of the exact proportion at any time.
 * That is the fairness of proportionate scheduling (Baruah, Cohen, Plaxton, Varvel 1996): an agent's next lead must not
 * come before their share has begun to cover it, and is due when it covers it whole; of those whose lead may come, the
 * one that is due first gets it. On one queue that keeps every due date. Smooth weighted round robin, which is simpler
 * and better known, does not: with weights 5, 5, 5, 5, 1, 1, 1 it is off by more than one lead.
 *
 * Whoever is away is neither paid nor charged. They come back to what they were owed, which is at most one lead.
 */

interface Share {
  id: string
  /** Above 0. */
  weight: number
}

/** Sums of fractions are not exact; what differs by less is the same. */
const epsilon = 1e-9

/**
 * Whose turn it is, first to last, and what everybody is owed once the first has got the lead. What is owed to agents
 * who are not in the pool is forgotten.
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
  /** What they are owed when this lead is shared out, in leads. */
  due: number
  /** Whether their next lead may come now: their share has begun to cover it. */
  open: boolean
  /** In how many leads, this one included, it must have come. */
  deadline: number
}

const claimOf = (id: string, share: number, owed: number): Claim => ({
  id,
  due: owed + share,
  open: owed + share > epsilon,
  deadline: Math.ceil((1 - owed) / share - epsilon),
})

/** When agents have come and gone, nobody's lead may be due yet; then whoever is closest to it gets this one. */
function byTurn(a: Claim, b: Claim): number {
  if (a.open !== b.open) return a.open ? -1 : 1
  return (a.open ? a.deadline - b.deadline : 0) || rounded(b.due) - rounded(a.due) || (a.id < b.id ? -1 : 1)
}

const rounded = (amount: number) => Math.round(amount / epsilon)

/** With agents who come and go it can pass one lead, and is cut there, so that nobody is flooded who comes back. */
const bounded = (owed: number) => Math.min(1, Math.max(-1, owed))

const owedTo = (owed: Readonly<Record<string, number>>, id: string) =>
  Object.hasOwn(owed, id) ? (owed[id] ?? 0) : 0
