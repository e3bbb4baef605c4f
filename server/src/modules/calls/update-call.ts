import type { Static } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { defineError, orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { isWithheld } from '../messages/public.ts'
import { type CallRow, type callRecord, isOver } from './call.ts'
import { changeCall } from './change-call.ts'
import { lockPersonOf } from './lock-person.ts'
import { findCall, lockCall } from './queries.ts'
import { actOnResult } from './speech/act-on-speech.ts'

const CallErased = defineError('call_erased', 409, () => ({
  message: 'The content of this call has been erased.',
}))

const CallNotOver = defineError('call_not_over', 409, () => ({ message: 'The call is not over yet.' }))

const SummaryWithheld = defineError('forbidden', 403, () => ({
  message:
    'This call belongs to a contact of a colleague. Only people who see the contact can write its summary.',
}))

/**
 * Applies a person's update to a call: its summary, and its disposition, which has the same effects as if the person
 * had said it in the call. Throws 409 if the call is not over or was erased.
 */
export const updateCall = (ctx: Ctx, id: string, patch: Static<typeof callRecord.Patch>): Promise<CallRow> =>
  ctx.transaction(async (tx) => {
    const all = tx.unrestricted()
    // Lock the person before the call, in the same order as when a call begins.
    const person = await lockPersonOf(all, orNotFound(await findCall(tx, id)))
    const before = requireMatch(ctx, orNotFound(await lockCall(tx, id)))
    if (before.erased_at !== null) throw CallErased()
    if (!isOver(before)) throw CallNotOver()
    const { summary } = patch
    if (summary !== undefined && isWithheld(before, ctx)) throw SummaryWithheld()
    const source =
      summary === undefined || summary === before.summary
        ? {}
        : { summary_source: summary === null ? null : ('person' as const) }
    const after = await changeCall(all, before, { ...patch, ...source })
    if ((patch.disposition ?? null) !== null)
      await actOnResult(all, { before, after, spoken: 'none', ...person })
    return orNotFound(await findCall(all, id))
  })
