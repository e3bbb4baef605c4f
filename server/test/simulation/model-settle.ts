import type { Settlement } from '../../src/modules/deliveries/dispatcher/ports.ts'
import type { AttemptOutcome } from '../../src/modules/deliveries/dispatcher/schedule.ts'
import type { QueueModel } from './queue-model.ts'

interface Settleable {
  webhookId: string
  id: string
  attempt: number
  failing: boolean
  claimedUntil: number
}

/**
 * Settles like queue.ts: first the rows, then the health of endpoints. Returns which settlements were written and which
 * came too late.
 */
export function settleInModel<S extends Settlement<Settleable, AttemptOutcome>>(
  queue: QueueModel,
  worker: string,
  settlements: readonly S[],
): { written: S[]; late: S[] } {
  const written: S[] = []
  const late: S[] = []
  for (const settlement of settlements) {
    const { delivery, result } = settlement
    const stood = queue.settle(worker, {
      ...delivery,
      status: result?.next.status ?? 'pending',
      dueAt: result?.next.dueAt ?? 0,
      made: result !== undefined,
    })
    if (stood) written.push(settlement)
    else late.push(settlement)
  }
  recordHealth(queue, settlements)
  return { written, late }
}

/** Saves the last result of each endpoint, unless the claim already stated it. */
function recordHealth(
  queue: QueueModel,
  settlements: readonly Settlement<Settleable, AttemptOutcome>[],
): void {
  const seen = new Map<string, { failing: boolean; changed: boolean }>()
  for (const { delivery, result } of settlements) {
    if (result === undefined) continue
    const failing = !result.outcome.ok
    const changed = failing || delivery.failing || seen.get(delivery.webhookId)?.changed === true
    seen.set(delivery.webhookId, { failing, changed })
  }
  for (const [webhookId, { failing, changed }] of seen) if (changed) queue.recordHealth(webhookId, failing)
}
