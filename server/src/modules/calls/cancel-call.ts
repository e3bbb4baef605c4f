import type { Ctx, Tx } from '#kernel/context.ts'
import { defineError, found } from '#kernel/errors.ts'
import { type CallRow, isWaiting } from './call.ts'
import { changeCall } from './change-call.ts'
import { CallCancelled } from './events.ts'
import { lockPersonOf } from './lock-person.ts'
import { findCall, lockCall, saveNextLookAtCall } from './queries.ts'

const CallNotCancellable = defineError('call_not_cancellable', 409, () => ({
  message: 'The call has begun or is over, so it cannot be cancelled.',
}))

/** Cancels a call that waits to be placed. 409 `call_not_cancellable` once it has begun, and afterwards. */
export const cancelCall = (ctx: Ctx, id: string): Promise<CallRow> =>
  ctx.transaction(async (tx) => {
    // A call is locked after its person, as when it begins.
    await lockPersonOf(tx, found(await findCall(tx, id)))
    const call = found(await lockCall(tx, id))
    if (!isWaiting(call)) throw CallNotCancellable()
    return cancelWaitingCall(tx, call)
  })

/** The same for a call that the caller has locked and found waiting. */
export async function cancelWaitingCall(tx: Tx, call: CallRow): Promise<CallRow> {
  const cancelled = await changeCall(tx, call, { status: 'cancelled' })
  saveNextLookAtCall(tx, call.id, null)
  await tx.emit(CallCancelled, cancelled)
  return cancelled
}
