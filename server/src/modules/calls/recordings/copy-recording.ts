import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { type FileStore, FileTooLarge, reserveFile, storeFile } from '../../files/public.ts'
import type { CallRow } from '../call.ts'
import { changeCall } from '../change-call.ts'
import { lockWithContact } from '../lock-person.ts'
import type { ProviderAccount, VoiceCarrier } from '../ports.ts'
import { saveNextLookAtCall } from '../queries.ts'
import { recordingGivenUpMs, recordingRetryMs } from '../schedule.ts'

const maxBytes = 200 * 2 ** 20

/** The content is not one of the recording types. */
class NotARecording extends Error {}

/** Media types, recognized by the first bytes. */
const types: readonly [mediaType: string, extension: string, is: (start: Buffer) => boolean][] = [
  [
    'audio/wav',
    'wav',
    (start) => start.toString('latin1', 0, 4) === 'RIFF' && start.toString('latin1', 8, 12) === 'WAVE',
  ],
  [
    'audio/mpeg',
    'mp3',
    (start) =>
      start.toString('latin1', 0, 3) === 'ID3' || (start[0] === 0xff && ((start[1] ?? 0) & 0xe0) === 0xe0),
  ],
  ['audio/ogg', 'ogg', (start) => start.toString('latin1', 0, 4) === 'OggS'],
]

/**
 * Copies a finished call's recording from the provider to the file store. Safe to run twice and concurrently with an
 * erasure. Retries for a day if the recording can't be read.
 */
export async function copyRecording(
  ctx: Ctx,
  { account, carrier, files }: { account: ProviderAccount; carrier: VoiceCarrier; files: FileStore },
  call: CallRow,
): Promise<void> {
  const { id, recording_source: source } = call
  if (source === null) return
  try {
    const given = await carrier.fetchRecording(account, source)
    if (given === 'not_of_provider') {
      ctx.log.warn({ callId: id }, 'a recording is at no address of its provider')
      return await recordFault(ctx, call, given)
    }
    await using content = await peek(given)
    const type = types.find(([, , is]) => is(content.start))
    if (type === undefined) throw new NotARecording('The content is no recording.')
    const fileId = await placeFor(ctx, id, type)
    if (fileId === null) return
    if (await storeFile(ctx, files, fileId, async () => content.rest, maxBytes))
      await recordStored(ctx, id, fileId)
  } catch (error) {
    await recordFault(ctx, call, reasonOf(error))
    ctx.log.warn({ callId: id, err: error }, 'a recording was not copied')
  }
}

/** Returns the first bytes, and an iterable over the whole content. */
async function peek(content: AsyncIterable<Buffer>) {
  const iterator = content[Symbol.asyncIterator]()
  let start: Buffer = Buffer.alloc(0)
  let isOver = false
  while (start.length < 12 && !isOver) {
    const { done = false, value } = await iterator.next()
    isOver = done
    if (!done) start = Buffer.concat([start, value])
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield start
    if (!isOver) yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { start, rest: whole(), [Symbol.asyncDispose]: async () => void (await iterator.return?.()) }
}

/**
 * Reserves the recording's file and saves its ID before the content is stored. Null if the recording must not be
 * stored.
 */
const placeFor = (
  ctx: Ctx,
  id: string,
  [media_type, extension]: (typeof types)[number],
): Promise<string | null> =>
  ctx.transaction(async (tx) => {
    const call = await lockWithContact(tx, id)
    if (call === undefined || call.erased_at !== null || call.recording_source === null) return null
    if (call.recording_file_id !== null) return call.recording_file_id
    const file = reserveFile(tx, { name: `${id}.${extension}`, media_type, scope: 'calls:read' })
    await changeCall(tx, call, { recording_file_id: file })
    return file
  })

const recordStored = (ctx: Ctx, id: string, fileId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const call = await lockWithContact(tx, id)
    if (call?.recording_file_id !== fileId) return
    await changeCall(tx, call, { recording_stored_at: tx.clock.now().toISOString() })
    if (call.completed_at !== null) saveNextLookAtCall(tx, id, null)
  })

type RecordingError = NonNullable<CallRow['recording_error']>

/** Why a retry is pointless, or null if a retry may work. */
function reasonOf(error: unknown): RecordingError | null {
  if (error instanceof FileTooLarge) return 'too_large'
  return error instanceof NotARecording ? 'not_a_recording' : null
}

const recordFault = (ctx: Ctx, seen: CallRow, reason: RecordingError | null): Promise<void> =>
  ctx.transaction(async (tx) => {
    const call = await lockWithContact(tx, seen.id)
    // The provider has reported a different URL since then.
    if (call === undefined || call.recording_source !== seen.recording_source) return
    const at = tx.clock.now()
    const isLate = call.ended_at !== null && later(new Date(call.ended_at), recordingGivenUpMs) < at
    const recording_error = reason ?? (isLate ? 'unavailable' : null)
    await changeCall(tx, call, { recording_error })
    // An incomplete call is already scheduled for a check.
    if (call.completed_at !== null)
      saveNextLookAtCall(tx, call.id, recording_error === null ? later(at, recordingRetryMs) : null)
  })
