import type { Ctx, Tx } from '#kernel/context.ts'
import { defineError, orNotFound } from '#kernel/errors.ts'
import { type CallRow, isWaiting } from './call.ts'
import { changeCall } from './change-call.ts'
import { CallCancelled } from './events.ts'
import { lockPersonOf } from './lock-person.ts'
import { findCall, lockCall, saveNextLookAtCall } from './queries.ts'

const CallNotCancellable = defineError('call_not_cancellable', 409, () => ({
  message: 'The call has begun or is over, so it cannot be cancelled.',
}))

/** Cancels a call that is waiting to be placed. Throws 409 `call_not_cancellable` once the call has begun. */
export const cancelCall = (ctx: Ctx, id: string): Promise<CallRow> =>
  ctx.transaction(async (tx) => {
    // Lock the person before the call, in the same order as when a call begins.
    await lockPersonOf(tx, orNotFound(await findCall(tx, id)))
    const call = orNotFound(await lockCall(tx, id))
    if (!isWaiting(call)) throw CallNotCancellable()
    return cancelWaitingCall(tx, call)
  })

/** Cancels a call that the caller has locked and found to be waiting. */
export async function cancelWaitingCall(tx: Tx, call: CallRow): Promise<CallRow> {
  const cancelled = await changeCall(tx, call, { status: 'cancelled' })
  saveNextLookAtCall(tx, call.id, null)
  await tx.emit(CallCancelled, cancelled)
  return cancelled
}
