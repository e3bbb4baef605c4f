import type { Tx } from '#kernel/context.ts'
import { defineFollowUp } from '#kernel/jobs/follow-up.ts'
import { listDueCalls, saveNextLookAtCall } from './queries.ts'

export const callFollowUp = defineFollowUp('process-call', { listDue: listDueCalls })

/** Schedules a check of the call at this time. */
export function processCallAt(tx: Tx, callId: string, at: Date): void {
  saveNextLookAtCall(tx, callId, at)
  callFollowUp.queue(tx, callId, { runAt: at })
}
