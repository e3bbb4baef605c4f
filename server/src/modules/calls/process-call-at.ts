import { Type } from 'typebox'
import type { Tx } from '#kernel/context.ts'
import { job } from '#kernel/jobs/job.ts'
import { saveNextLookAtCall } from './queries.ts'

/**
 * The job's name and payload, for code that enqueues it. The worker registers the real handler, which needs the
 * providers.
 */
export const processCallJob = job('process-call', {
  payload: Type.Object({ call_id: Type.String() }),
  handle: async () => undefined,
})

/** Schedules a check of the call at this time. */
export function processCallAt(tx: Tx, callId: string, at: Date): void {
  saveNextLookAtCall(tx, callId, at)
  tx.enqueue(processCallJob, { call_id: callId }, { runAt: at })
}
