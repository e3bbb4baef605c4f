import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import type { FileStore } from '../files/public.ts'
import { findRestoredAt } from '../installation/public.ts'
import { asReceived } from '../messages/public.ts'
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
 * Advances a call by what it needs next: placing it, looking it up at the provider, completing it, or copying its
 * recording. Safe to run twice.
 */
export async function processCall(
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
 * Completes a finished call and copies its recording. Asks the provider once for results that no report delivered, and
 * retries for a day if it is unreachable.
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
  // If the lookup found a recording, recording that report has already queued its copy.
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
    // Without credentials, the recording can't be fetched.
    if (over !== undefined && isToBeCopied(over))
      await changeCall(tx, over, { recording_error: 'unavailable' })
    saveNextLookAtCall(tx, call.id, null)
  })
}

/**
 * Fails an unfinished call of a disconnected connection. Without credentials, Gable can neither place nor look up the
 * call, and accepts no report about it.
 */
async function endDisconnected(tx: Tx, id: string): Promise<void> {
  const call = await lockWithContact(tx, id)
  if (call === undefined || isOver(call)) return
  const message = 'The connection was disconnected before the call was over.'
  await endAsFailed(tx, call, { code: 'connection_disconnected', carrier_code: null, message })
  if (call.erased_at !== null) queueCallRemovals(tx, [call], tx.clock.now().toISOString())
}

/** Completes a call if no analysis arrived within a minute after its end. Returns true while one may still come. */
const complete = (ctx: Ctx, id: string): Promise<boolean> =>
  ctx.transaction(async (inTime) => {
    const call = await lockWithContact(inTime, id)
    if (call === undefined || call.completed_at !== null || call.ended_at === null) return false
    const tx = asReceived(inTime, new Date(call.ended_at), await findRestoredAt(ctx.directory))
    const at = tx.clock.now()
    if (later(new Date(call.ended_at), analysisMs) > at) return true
    await notifyOfMissed(tx, await changeCall(tx, call, { completed_at: at.toISOString() }))
    if (call.erased_at !== null) queueCallRemovals(tx, [call], at.toISOString())
    return false
  })

/** Emails the owner about a caller whose call no member answered. */
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
 * Schedules the next lookup of an unfinished call, at growing intervals. A call that began but isn't found gets the
 * status `unknown`. A call that Gable gives up on is also completed.
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
