import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Clock } from '#kernel/clock.ts'
import type { Egress, StreamedReply } from '#kernel/egress/egress.ts'
import { isId } from '#kernel/ids.ts'
import type { Log } from '#kernel/log.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import type { ByteRange, FilePlace, FileStore } from '../../modules/files/ports.ts'
import {
  BucketError,
  type S3Bucket,
  bucketErrorOf,
  isMissing,
  requireSuccess,
  s3Client,
} from './s3-client.ts'
import { removeLeftOvers, writeNewFile } from './write-file.ts'

interface S3Options {
  egress: Egress
  clock: Clock
  log: Log
  /** Where files are buffered: their length and hash must be sent before their content. */
  waitingFolder: string
}

/** The largest file to read back. */
const maxBytes = 5 * 2 ** 30

/** Stores files as objects named `<workspace>/<file>`. */
export function s3Store(bucket: S3Bucket, { egress, clock, log, waitingFolder }: S3Options): FileStore {
  const send = s3Client(bucket, { egress, clock, maxBytes })
  const keyOf = ({ workspaceId, fileId }: FilePlace) => {
    if (!isId(workspaceId) || !isId(fileId)) throw new Error('A file is found by ids.')
    return `${workspaceId}/${fileId}`
  }

  async function put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    await mkdir(waitingFolder, { recursive: true, mode: 0o700 })
    const hash = createHash('sha256')
    const path = await writeNewFile(waitingFolder, hashed(content, hash))
    try {
      const { size } = await stat(path)
      const headers = { 'content-length': String(size) }
      const sent = { headers, body: createReadStream(path), sha256: hash.digest('hex') }
      await requireSuccess(await send('PUT', key, sent))
    } finally {
      await rm(path, { force: true })
    }
  }

  return {
    /** Writes and deletes an object. Besides reading, the keys need no other permissions. */
    async check() {
      const key = 'gable-start-up-check'
      try {
        await mkdir(waitingFolder, { recursive: true, mode: 0o700 })
        await removeLeftOvers(waitingFolder, clock.now())
        await put(key, Readable.from([Buffer.from('This may be removed.')]))
        await requireSuccess(await send('DELETE', key))
      } catch (error) {
        if (!(error instanceof BucketError)) {
          // The bucket may be reachable again before a file is needed, and everything else works without it.
          log.warn({ err: error }, 'the bucket for files cannot be reached')
          return
        }
        throw new OperatorError(
          `The bucket "${bucket.bucket}" at ${bucket.endpoint} rejects files: ${error.message}. Check S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`,
          { cause: error },
        )
      }
    },
    put: (place, content) => put(keyOf(place), content),
    async get(place, range) {
      const headers: Record<string, string> =
        range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` }
      const reply = await send('GET', keyOf(place), { headers })
      if (reply.status === (range === undefined ? 200 : 206) && isOf(reply, range)) return reply.body
      const error = await bucketErrorOf(reply)
      if (isMissing(error)) return undefined
      throw error
    },
    async delete(place) {
      await requireSuccess(await send('DELETE', keyOf(place))).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
    },
  }
}

/** Whether a reply has the part that was asked for. */
const isOf = ({ headers }: StreamedReply, range: ByteRange | undefined) =>
  range === undefined || String(headers['content-range']).startsWith(`bytes ${range.first}-${range.last}/`)

async function* hashed(content: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}
