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

/** A content is none of the types that recordings have. */
class NotARecording extends Error {}

/** Types by what a content begins with. */
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
 * Copies the recording of a call from the provider into the store of files. Safe to run twice, and beside an erasure. What cannot be
 * read now is asked for again for a day. `isWaiting`: whether the call is looked at again anyway.
 */
export async function copyRecording(
  ctx: Ctx,
  { account, carrier, files }: { account: ProviderAccount; carrier: VoiceCarrier; files: FileStore },
  call: CallRow,
  isWaiting: boolean,
): Promise<void> {
  const { id, recording_source: source } = call
  if (source === null || call.recording_stored_at !== null || call.erased_at !== null)
    return isWaiting ? undefined : ctx.transaction(async (tx) => saveNextLookAtCall(tx, id, null))
  try {
    await using content = await peek(await carrier.fetchRecording(account, source))
    const type = types.find(([, , is]) => is(content.start))
    if (type === undefined) throw new NotARecording('The content is no recording.')
    const fileId = await placeFor(ctx, id, type)
    if (fileId === null) return
    if (await storeFile(ctx, files, fileId, async () => content.rest, maxBytes))
      await noteStored(ctx, id, fileId)
  } catch (error) {
    await noteFault(ctx, call, error instanceof FileTooLarge || error instanceof NotARecording)
    ctx.log.warn({ callId: id, err: error }, 'a recording was not copied')
  }
}

/** The first bytes, and the whole again. */
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

/** The file of the recording, noted before its content is there. Null if there is to be none. */
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

const noteStored = (ctx: Ctx, id: string, fileId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const call = await lockWithContact(tx, id)
    if (call?.recording_file_id !== fileId) return
    await changeCall(tx, call, { recording_stored_at: tx.clock.now().toISOString() })
    if (call.completed_at !== null) saveNextLookAtCall(tx, id, null)
  })

const noteFault = (ctx: Ctx, { id, ended_at }: CallRow, isFinal: boolean): Promise<void> =>
  ctx.transaction(async (tx) => {
    // Before, it is looked at to be completed anyway.
    if ((await lockWithContact(tx, id))?.completed_at === null) return
    const at = tx.clock.now()
    const isGivenUp = isFinal || (ended_at !== null && later(new Date(ended_at), recordingGivenUpMs) < at)
    saveNextLookAtCall(tx, id, isGivenUp ? null : later(at, recordingRetryMs))
  })
