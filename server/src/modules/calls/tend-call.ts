import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { openAccount } from '../senders/public.ts'
import { findMember } from '../workspaces/public.ts'
import { type CallRow, isOver, isWaiting } from './call.ts'
import { changeCall } from './change-call.ts'
import { dialCall, endAsFailed } from './dial-call.ts'
import { lockWithContact } from './lock-person.ts'
import { notifyOwner } from './notify-owner.ts'
import type { CallDependencies } from './ports.ts'
import { findCall, findCallByProviderId, queueCallRemovals, saveNextLookAtCall } from './queries.ts'
import { copyRecording } from './recordings/copy-recording.ts'
import { recordReport } from './reports/record-report.ts'
import { analysisMs, nextLookup } from './schedule.ts'

/**
 * Does what a call still wants: to be placed, to be looked for at the provider, to be completed, and to have its recording copied. Safe to
 * run twice.
 */
export async function tendCall(
  ctx: Ctx,
  { voice, files }: Pick<CallDependencies, 'voice' | 'files'>,
  id: string,
): Promise<void> {
  const call = await findCall(ctx.db, id)
  const account = call?.connection_id ? await openAccount(ctx, call.connection_id) : undefined
  const carrier = account && voice[account.provider]
  if (call === undefined) return
  if (isOver(call)) {
    const isExpected = await complete(ctx, id)
    if (account === undefined || carrier === undefined) return isExpected ? undefined : forget(ctx, id)
    return copyRecording(ctx, { account, carrier, files }, call, isExpected)
  }
  if (account === undefined || carrier === undefined) return ctx.transaction((tx) => endDisconnected(tx, id))
  if (isWaiting(call)) return dialCall(ctx, { account, carrier }, id)
  const { from, to, began_at } = call
  const since = new Date(began_at ?? call.created_at)
  // It was rung, though the member may have been deactivated since.
  const member = call.member_id === null ? undefined : await findMember(ctx.db, call.member_id)
  const found =
    call.provider_call_id === null && (from === null || to === null)
      ? undefined
      : await carrier.find(account, {
          callId: id,
          providerCallId: call.provider_call_id,
          from: from ?? '',
          to: to ?? '',
          member: member?.phone ?? null,
          direction: call.direction,
          since,
          isAnother: async (sid) => (await findCallByProviderId(ctx.db, account.id, sid)) !== undefined,
        })
  if (found !== undefined) await recordReport(ctx, account, found)
  await waitFurther(ctx, id)
}

/** Has a call not looked at any more. */
const forget = (ctx: Ctx, id: string): Promise<void> =>
  ctx.transaction(async (tx) => saveNextLookAtCall(tx, id, null))

/** Without credentials a call is neither placed nor looked for, and no report of it is accepted. */
async function endDisconnected(tx: Tx, id: string): Promise<void> {
  const call = await lockWithContact(tx, id)
  if (call === undefined || isOver(call)) return
  const message = 'The connection was disconnected before the call was over.'
  await endAsFailed(tx, call, { code: 'connection_disconnected', carrier_code: null, message })
  if (call.erased_at !== null) queueCallRemovals(tx, [call], tx.clock.now().toISOString())
}

/** Publishes that a call is complete, if no analysis came within a minute after its end. True while one may still come. */
const complete = (ctx: Ctx, id: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const call = await lockWithContact(tx, id)
    if (call === undefined || call.completed_at !== null || call.ended_at === null) return false
    const at = tx.clock.now()
    if (later(new Date(call.ended_at), analysisMs) > at) return true
    await notifyOfMissed(tx, await changeCall(tx, call, { completed_at: at.toISOString() }))
    if (call.erased_at !== null) queueCallRemovals(tx, [call], at.toISOString())
    return false
  })

/** Notifies the owner of a caller whom no member answered. */
async function notifyOfMissed(tx: Tx, call: CallRow): Promise<void> {
  const { direction, handled_by, status, disposition, erased_at } = call
  if (direction !== 'INBOUND' || handled_by === 'ai' || status !== 'no_answer' || erased_at !== null) return
  const hasMessage = disposition === 'left_voicemail'
  await notifyOwner(tx, call, (who) => ({
    subject: `${hasMessage ? 'Voicemail' : 'Missed call'} from ${who}`,
    text: [
      `No one answered the call ${call.id} from ${who}.`,
      hasMessage ? 'They left a message. Listen to it in the call.' : 'They left no message.',
    ].join('\n\n'),
  }))
}

/** A call that is not over is looked for again, less and less often. One that began and is not found is of unknown outcome. */
const waitFurther = (ctx: Ctx, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const call = await lockWithContact(tx, id)
    if (call === undefined || isOver(call)) return
    const at = tx.clock.now()
    const next = nextLookup(new Date(call.began_at ?? call.created_at), at, call.status === 'in_progress')
    saveNextLookAtCall(tx, id, next)
    if (isUnclear(call)) await changeCall(tx, call, { status: 'unknown' })
  })

const isUnclear = ({ status, provider_call_id }: CallRow) => status === 'queued' && provider_call_id === null
