import type { Tx } from '#kernel/context.ts'
import { type CallRow, callRecord } from './call.ts'
import type { CallPatch } from './change-call.ts'
import { changeCall } from './change-call.ts'
import { CallCreated } from './events.ts'
import { insertCall } from './queries.ts'

/**
 * Inserts a call and emits its events. The call may already be over: some providers report only the end. `placedBy` is
 * the member who sees a call that has neither a contact nor a `member_id`. `lookAt` is when `process-call` should next
 * check it.
 */
export async function addCall(
  tx: Tx,
  { transcript, completed_at = null, ...known }: CallPatch,
  { lookAt = null, placedBy = null }: { lookAt?: Date | null; placedBy?: string | null } = {},
): Promise<CallRow> {
  const row: CallRow = { ...callRecord.create({}, tx.clock.now()), ...known }
  insertCall(tx, row, row.member_id ?? placedBy, lookAt)
  await tx.emit(CallCreated, row)
  return changeCall(tx, row, { completed_at, ...(transcript && { transcript }) })
}
