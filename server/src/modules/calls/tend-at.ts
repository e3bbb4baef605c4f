import { Type } from 'typebox'
import type { Tx } from '#kernel/context.ts'
import { job } from '#kernel/jobs/job.ts'
import { saveNextLookAtCall } from './queries.ts'

/** The job by its name, for code that queues it: the worker has the providers. */
export const tending = job('tend-call', {
  payload: Type.Object({ call_id: Type.String() }),
  handle: async () => undefined,
})

/** Has a call looked at then. */
export function tendAt(tx: Tx, callId: string, at: Date): void {
  saveNextLookAtCall(tx, callId, at)
  tx.enqueue(tending, { call_id: callId }, { runAt: at })
}
