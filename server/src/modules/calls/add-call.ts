import type { Tx } from '#kernel/context.ts'
import { type CallRow, callRecord } from './call.ts'
import type { CallPatch } from './change-call.ts'
import { changeCall } from './change-call.ts'
import { CallCreated } from './events.ts'
import { insertCall } from './queries.ts'

/**
 * Adds a call with its events: also one that is over already, of which a provider reports the end alone. `lookAt`: when to look
 * at it next.
 */
export async function addCall(
  tx: Tx,
  { transcript, completed_at = null, ...known }: CallPatch,
  lookAt: Date | null = null,
): Promise<CallRow> {
  const row: CallRow = { ...callRecord.create({}, tx.clock.now()), ...known }
  insertCall(tx, row, lookAt)
  await tx.emit(CallCreated, row)
  return changeCall(tx, row, { completed_at, ...(transcript && { transcript }) })
}
