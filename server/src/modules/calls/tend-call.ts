import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import type { FileStore } from '../files/public.ts'
import { openAccount } from '../senders/public.ts'
import { type CallRow, isOver, isToBeCopied, isWaiting, lacksResult } from './call.ts'
import { changeCall } from './change-call.ts'
import { dialCall, endAsFailed } from './dial-call.ts'
import { lockWithContact } from './lock-person.ts'
import { lookForCall } from './look-for-call.ts'
import { notifyOwner } from './notify-owner.ts'
import type { CallDependencies, ProviderAccount, VoiceCarrier } from './ports.ts'
import { findCall, queueCallRemovals, saveCall, saveNextLookAtCall } from './queries.ts'
import { copyRecording } from './recordings/copy-recording.ts'
import { analysisMs, askAgainMs, isGivenUp, nextLookup, recordingGivenUpMs } from './schedule.ts'

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
  if (call === undefined) return
  const account = call.connection_id === null ? undefined : await openAccount(ctx, call.connection_id)
  const carrier = account && voice[account.provider]
  if (account === undefined || carrier === undefined) return endWithoutProvider(ctx, call)
  if (isOver(call)) return finish(ctx, { account, carrier, files }, call)
  if (isWaiting(call)) return dialCall(ctx, { account, carrier }, id)
  await lookForCall(ctx, { account, carrier }, call)
  await waitFurther(ctx, id)
}

/**
 * Completes a call that is over, and copies its recording. The provider is asked once for what no report brought, and again for a day if
 * it cannot be reached.
 */
async function finish(
  ctx: Ctx,
  dependencies: { account: ProviderAccount; carrier: VoiceCarrier; files: FileStore },
  call: CallRow,
): Promise<void> {
  const { id, ended_at } = call
  const at = ctx.clock.now()
  const ended = new Date(ended_at ?? call.updated_at)
  const isAsking = lacksResult(call) && later(ended, analysisMs) <= at
  const isFound = isAsking && (await lookForCall(ctx, dependencies, call))
  if (isFound) await ctx.transaction(async (tx) => saveCall(tx, id, { asked_at: at.toISOString() }))
  const isExpected = await complete(ctx, id)
  // What was found has been queued.
  if (isToBeCopied(call)) return copyRecording(ctx, dependencies, call)
  if (isExpected || isFound) return
  const isMissing = isAsking && at < later(ended, recordingGivenUpMs)
  await lookNext(ctx, id, isMissing ? later(at, askAgainMs) : null)
}

const lookNext = (ctx: Ctx, id: string, at: Date | null): Promise<void> =>
  ctx.transaction(async (tx) => saveNextLookAtCall(tx, id, at))

async function endWithoutProvider(ctx: Ctx, call: CallRow): Promise<void> {
  const isOpen = !isOver(call) && call.completed_at === null
  if (isOpen) return ctx.transaction((tx) => endDisconnected(tx, call.id))
  if (await complete(ctx, call.id)) return
  await ctx.transaction(async (tx) => {
    const over = await lockWithContact(tx, call.id)
    // No one can ask for its recording.
    if (over !== undefined && isToBeCopied(over))
      await changeCall(tx, over, { recording_error: 'unavailable' })
    saveNextLookAtCall(tx, call.id, null)
  })
}

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

/**
 * A call that is not over is looked for again, less and less often. One that began and is not found is of unknown outcome; one that is
 * given up is complete, too.
 */
const waitFurther = (ctx: Ctx, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const call = await lockWithContact(tx, id)
    if (call === undefined || isOver(call)) return
    const at = tx.clock.now()
    const isTheirs = call.provider_call_id !== null
    const sought = { began: new Date(call.began_at ?? call.created_at), isTheirs }
    saveNextLookAtCall(tx, id, nextLookup(sought, at))
    if (isGivenUp(sought, at)) {
      const completed_at = call.completed_at ?? at.toISOString()
      await changeCall(tx, call, { status: 'unknown', completed_at })
      if (call.erased_at !== null) queueCallRemovals(tx, [call], at.toISOString())
    } else if (call.status === 'queued' && !isTheirs) await changeCall(tx, call, { status: 'unknown' })
  })
