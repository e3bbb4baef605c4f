import type { Settlement } from '../../src/modules/deliveries/ports.ts'
import type { Outcome } from '../../src/modules/deliveries/verdict.ts'
import type { QueueModel } from './queue-model.ts'

interface Settleable {
  webhookId: string
  id: string
  attempt: number
  failing: boolean
  claimedUntil: number
}

/** Settles as queue.ts does, rows and then the health of endpoints; answers what was written and what came too late. */
export function settleInModel<S extends Settlement<Settleable, Outcome>>(
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
      status: result?.verdict.status ?? 'pending',
      dueAt: result?.verdict.dueAt ?? 0,
      made: result !== undefined,
    })
    if (stood) written.push(settlement)
    else late.push(settlement)
  }
  noteHealth(queue, settlements)
  return { written, late }
}

/** The last that is known of each endpoint, unless it is what its claim said. */
function noteHealth(queue: QueueModel, settlements: readonly Settlement<Settleable, Outcome>[]): void {
  const seen = new Map<string, { failing: boolean; changed: boolean }>()
  for (const { delivery, result } of settlements) {
    if (result === undefined) continue
    const failing = !result.outcome.ok
    const changed = failing || delivery.failing || seen.get(delivery.webhookId)?.changed === true
    seen.set(delivery.webhookId, { failing, changed })
  }
  for (const [webhookId, { failing, changed }] of seen) if (changed) queue.noteHealth(webhookId, failing)
}
