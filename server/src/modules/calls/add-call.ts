import type { Tx } from '#kernel/context.ts'
import { type CallRow, callRecord } from './call.ts'
import type { CallPatch } from './change-call.ts'
import { changeCall } from './change-call.ts'
import { CallCreated } from './events.ts'
import { insertCall } from './queries.ts'

/**
 * Inserts a call and emits its events. The call may already be over: some providers report only the end. `lookAt` is when `process-call` should next
 * check it.
 */
export async function addCall(
  tx: Tx,
  { transcript, completed_at = null, ...known }: CallPatch,
  { lookAt = null }: { lookAt?: Date | null } = {},
): Promise<CallRow> {
  const created = { ...callRecord.create({}, tx.clock.now()), ...known }
  const row: CallRow = { ...created, owner_id: created.owner_id ?? created.member_id }
  insertCall(tx, row, lookAt)
  await tx.emit(CallCreated, row)
  return changeCall(tx, row, { completed_at, ...(transcript && { transcript }) })
}
