import type { Ctx, Tx } from '#kernel/context.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { findComplianceSettings } from '../compliance/public.ts'
import { listContactPoints } from '../contacts/public.ts'
import { eraseFile } from '../files/public.ts'
import { type CallRow, erasedCall, isWaiting } from './call.ts'
import { changeCall } from './change-call.ts'
import { lockCalledForShare } from './lock-person.ts'
import {
  deleteTranscripts,
  listRetainedBefore,
  lockCallsOf,
  lockRetainedBefore,
  queueCallRemovals,
  saveCall,
} from './queries.ts'

/**
 * Erases the content of all calls with a contact that is being erased, including unlinked calls with the contact's
 * numbers, and cancels the ones waiting to be placed. When a call took place and who talked remain. Recordings become
 * unreadable at commit.
 */
export async function eraseCalls(tx: Tx, contactId: string): Promise<void> {
  const known = await listContactPoints(tx, { contactIds: [contactId], points: [], leaving: contactId })
  const numbers = known
    .filter(({ type, elsewhere }) => type === 'phone' && !elsewhere)
    .map(({ value }) => value)
  const calls = await lockCallsOf(tx, contactId, numbers)
  if (calls.length === 0) return
  const ids = calls.map(({ id }) => id)
  await scrubReplies(tx, ids)
  deleteTranscripts(tx, ids)
  const at = tx.clock.now().toISOString()
  queueCallRemovals(tx, calls, at)
  for (const call of calls) {
    await eraseRecording(tx, call)
    saveCall(tx, call.id, {
      ...erasedCall,
      ...(isWaiting(call) ? { status: 'cancelled' } : {}),
      erased_at: call.erased_at ?? at,
      updated_at: at,
    })
  }
}

async function eraseRecording(tx: Tx, { recording_file_id }: CallRow): Promise<void> {
  if (recording_file_id !== null) await eraseFile(tx, recording_file_id)
}

const dayMs = 24 * 3_600_000
const batchSize = 200

/**
 * Deletes recordings past the workspace's retention period, and queues the removal of the provider's data for all calls
 * of that age, copied or not. Transcripts and summaries stay in Gable. Returns the number of calls.
 */
export async function eraseOldRecordings(ctx: Ctx): Promise<number> {
  const { recording_retention_days: days } = await findComplianceSettings(ctx.db)
  if (days === null) return 0
  const before = firstIdAt(ctx.clock.now().getTime() - days * dayMs)
  for (let removed = 0; ;) {
    const calls = await ctx.transaction(async (tx) => {
      const seen = await listRetainedBefore(tx, before, batchSize)
      await lockCalledForShare(tx, seen)
      const batch = await lockRetainedBefore(tx, before, batchSize)
      await lockCalledForShare(tx, batch, seen)
      const at = tx.clock.now().toISOString()
      queueCallRemovals(tx, batch, at)
      for (const call of batch) {
        await eraseRecording(tx, call)
        const isKept = call.recording_file_id !== null || call.recording_source !== null
        if (isKept) await changeCall(tx, call, { ...noRecording, retention_ended_at: at })
        else saveCall(tx, call.id, { retention_ended_at: at })
      }
      return batch
    })
    removed += calls.length
    if (calls.length < batchSize) return removed
  }
}

const noRecording = { recording_file_id: null, recording_stored_at: null, recording_source: null }
