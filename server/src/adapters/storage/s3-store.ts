import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import type { Clock } from '#kernel/clock.ts'
import type { Egress, StreamedReply } from '#kernel/egress/egress.ts'
import { isId } from '#kernel/ids.ts'
import type { Log } from '#kernel/log.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import type { FilePlace, FileStore } from '../../modules/files/ports.ts'
import { removeLeftOvers, writeNewFile } from './write-file.ts'

/** A bucket with the Amazon S3 protocol. */
export interface S3Bucket {
  /** The origin. The bucket name goes in the path. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

interface S3Options {
  egress: Egress
  clock: Clock
  log: Log
  /** Where files are buffered: their length and hash must be sent before their content. */
  waitingFolder: string
}

/** The largest file to read back. */
const maxBytes = 5 * 2 ** 30

const maxErrorBytes = 65_536

/** Stores files as objects named `<workspace>/<file>`. */
export function s3Store(bucket: S3Bucket, { egress, clock, log, waitingFolder }: S3Options): FileStore {
  const urlOf = (key: string) => `${bucket.endpoint}/${bucket.bucket}/${key}`
  const keyOf = ({ workspaceId, fileId }: FilePlace) => {
    if (!isId(workspaceId) || !isId(fileId)) throw new Error('A file is found by ids.')
    return `${workspaceId}/${fileId}`
  }

  async function send(
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    { headers = {}, body, sha256 = emptySha256 }: Sent = {},
  ): Promise<StreamedReply> {
    const { accessKeyId, secretAccessKey, region } = bucket
    const signed = await new AwsV4Signer({
      method,
      url: urlOf(key),
      headers: { 'x-amz-content-sha256': sha256 },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      datetime: clock
        .now()
        .toISOString()
        .replaceAll(/[:-]|\.\d{3}/g, ''),
    }).sign()
    return egress.stream({
      method,
      url: signed.url.href,
      headers: { ...Object.fromEntries(signed.headers), ...headers },
      ...(body && { body }),
      maxBytes,
    })
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
      if (reply.status === (range === undefined ? 200 : 206)) return reply.body
      const error = await errorOf(reply)
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

interface Sent {
  headers?: Record<string, string>
  body?: Readable
  sha256?: string
}

/** The bucket responded with an error. */
class BucketError extends Error {
  readonly code: string

  constructor(status: number, code: string | undefined) {
    super(code === undefined ? `status ${status}` : `${code} (status ${status})`)
    this.code = code ?? String(status)
  }
}

const isMissing = (error: unknown) =>
  error instanceof BucketError && ['NoSuchKey', '404'].includes(error.code)

const emptySha256 = createHash('sha256').digest('hex')

async function* hashed(content: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}

async function requireSuccess(reply: StreamedReply): Promise<void> {
  if (reply.status < 200 || reply.status > 299) throw await errorOf(reply)
  for await (const _ of reply.body);
}

/** The error for a failed response. Includes only the bucket's error code: its message quotes names and keys. */
async function errorOf(reply: StreamedReply): Promise<Error> {
  const code = await codeIn(reply)
  return reply.status < 500 && reply.status !== 429
    ? new BucketError(reply.status, code)
    : new Error(`The bucket responded with ${code ?? 'no reason'} (status ${reply.status}).`)
}

/** The code of an error, such as NoSuchBucket. */
async function codeIn({ body }: StreamedReply): Promise<string | undefined> {
  let text = ''
  for await (const chunk of body) {
    text += String(chunk)
    if (text.length > maxErrorBytes) break
  }
  return /<Code>(\w{1,100})<\/Code>/.exec(text)?.[1]
}
