import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { defineFollowUp } from '#kernel/jobs/follow-up.ts'
import { type FileStore, FileTooLarge, findFile, storeFile } from '../../files/public.ts'
import { openAccount } from '../../senders/public.ts'
import type { StoredMedia } from '../message-media.ts'
import { messageRecord } from '../message.ts'
import type { Carriers, MediaReply } from '../ports.ts'
import { lockMessage, saveMessage } from '../queries.ts'
import { extensionOf, maxMediaBytes, shownBy, typeOf } from './media-types.ts'
import { claimMedia, listMediaDue } from './queries.ts'

const retryMs = 5 * 60_000

/** For how long Gable asks a provider that cannot be reached. */
const givenUpMs = 24 * 60 * 60_000

/** The files of messages that Gable has no copy of yet. */
export const mediaFetches = defineFollowUp('fetch-message-media', { listDue: listMediaDue })

/** `status`: what it says of the file; retrying is pointless. */
class NotStored extends Error {
  readonly status: 'rejected' | 'unavailable'

  constructor(status: NotStored['status']) {
    super(`The file is ${status}.`)
    this.status = status
  }
}

/**
 * Copies the files of a received message from the provider to the file store, each once. Safe to run twice and
 * concurrently with an erasure.
 */
export async function fetchMedia(
  ctx: Ctx,
  { carriers, files }: { carriers: Carriers; files: FileStore },
  messageId: string,
): Promise<void> {
  const claimed = await ctx.transaction((tx) => claimMedia(tx, messageId))
  if (claimed === undefined) return
  const { connection_id, media, created_at } = claimed
  const account = connection_id === null ? undefined : await openAccount(ctx, connection_id)
  const read = account && carriers[account.provider]?.fetchMedia
  const isLate = later(new Date(created_at), givenUpMs) <= ctx.clock.now()
  const fetched = new Map<string, StoredMedia>()
  for (const one of media.filter(({ status }) => status === 'pending')) {
    const source = one.source
    const open =
      account === undefined || read === undefined || source === null
        ? undefined
        : (found: Found) => read(account, source, maxMediaBytes).then((reply) => contentOf(reply, one, found))
    const result =
      open === undefined ? { status: 'unavailable' as const } : await storeOne(ctx, files, one.id, open)
    fetched.set(one.id, {
      ...one,
      ...(result.status === 'pending' && isLate ? { status: 'unavailable' } : result),
    })
  }
  await ctx.transaction(async (tx) => {
    const message = await lockMessage(tx, messageId)
    if (message === undefined || message.erased_at !== null) return
    const after = message.media.map((one) => fetched.get(one.id) ?? one)
    const isOver = after.every(({ status }) => status !== 'pending')
    const changes = {
      media: after.map((one) => (one.status === 'pending' ? one : { ...one, source: null })),
      media_due_at: isOver ? null : later(tx.clock.now(), retryMs).toISOString(),
    }
    const patched = messageRecord.applyPatch(message, changes, tx.clock.now())
    if (patched !== undefined) saveMessage(tx, messageId, patched.changed)
  })
}

type Result = Pick<StoredMedia, 'status'> & Partial<Pick<StoredMedia, 'size' | 'content_type' | 'name'>>

/** What the content shows of a file. */
interface Found {
  media_type?: string
  name?: string
}

async function storeOne(
  ctx: Ctx,
  files: FileStore,
  id: string,
  open: (found: Found) => Promise<AsyncIterable<Buffer>>,
): Promise<Result> {
  try {
    const found: Found = {}
    if (!(await storeFile(ctx, files, id, () => open(found), maxMediaBytes, found)))
      return { status: 'unavailable' }
    const file = orNotFound(await findFile(ctx.db, id))
    return { status: 'stored', size: file.size, content_type: file.media_type, name: file.name }
  } catch (error) {
    if (error instanceof FileTooLarge) return { status: 'rejected' }
    if (error instanceof NotStored) return { status: error.status }
    ctx.log.warn({ fileId: id, err: error }, 'a file of a message was not fetched')
    return { status: 'pending' }
  }
}

type Stated = Pick<StoredMedia, 'content_type' | 'name'>

/** The content, if Gable stores what it is. Records that in `found`. */
async function* checked(
  content: AsyncIterable<Buffer>,
  { content_type, name }: Stated,
  found: Found,
): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0)
  const requireType = (bytes: Buffer) => {
    const type = typeOf(content_type, bytes)
    if (type === undefined) throw new NotStored('rejected')
    if (type === content_type) return
    found.media_type = type
    if (name !== null) found.name = name.replace(/^(\d{1,2})\.[a-z0-9]{1,5}$/, `$1.${extensionOf(type)}`)
  }
  for await (const chunk of content) {
    if (start === undefined) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < shownBy) continue
    requireType(start)
    yield start
    start = undefined
  }
  if (start === undefined) return
  requireType(start)
  yield start
}

function contentOf(reply: MediaReply, stated: Stated, found: Found): AsyncIterable<Buffer> {
  if (reply === 'too_large') throw new NotStored('rejected')
  if (reply === 'gone') throw new NotStored('unavailable')
  return checked(reply, stated, found)
}
