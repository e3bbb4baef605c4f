import type { Tx } from '#kernel/context.ts'
import { type CallRow, callRecord } from './call.ts'
import type { CallPatch } from './change-call.ts'
import { changeCall } from './change-call.ts'
import { CallCreated } from './events.ts'
import { insertCall } from './queries.ts'

/**
 * Adds a call with its events: also one that is over already, of which a provider reports the end alone. `placedBy`: the
 * member who sees it if it is of no contact; otherwise the one who talks. `lookAt`: when to look at it next.
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
