import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import type { Clock } from '#kernel/clock.ts'
import type { Egress, StreamedReply } from '#kernel/egress/egress.ts'
import { beginningOf } from '../replies.ts'

/** A bucket with the Amazon S3 protocol. */
export interface S3Bucket {
  /** The origin. The bucket name goes in the path. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

interface Sent {
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Readable
  sha256?: string
}

/** Sends signed requests about objects; the key of the bucket itself is empty. */
export function s3Client(
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Bucket,
  { egress, clock, maxBytes }: { egress: Egress; clock: Clock; maxBytes: number },
) {
  return async (
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    { query = {}, headers = {}, body, sha256 = emptySha256 }: Sent = {},
  ): Promise<StreamedReply> => {
    const url = new URL(`${endpoint}/${bucket}/${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
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
}

/** The bucket responded with an error. */
export class BucketError extends Error {
  readonly code: string

  constructor(status: number, code: string | undefined) {
    super(code === undefined ? `status ${status}` : `${code} (status ${status})`)
    this.code = code ?? String(status)
  }
}

export const isMissing = (error: unknown) =>
  error instanceof BucketError && ['NoSuchKey', '404'].includes(error.code)

const emptySha256 = createHash('sha256').digest('hex')

export async function requireSuccess(reply: StreamedReply): Promise<void> {
  if (reply.status < 200 || reply.status > 299) throw await bucketErrorOf(reply)
  await beginningOf(reply)
}

/** The error for a failed response. Includes only the bucket's error code: its message quotes names and keys. */
export async function bucketErrorOf(reply: StreamedReply): Promise<Error> {
  const code = await codeIn(reply)
  return reply.status < 500 && reply.status !== 429
    ? new BucketError(reply.status, code)
    : new Error(`The bucket responded with ${code ?? 'no reason'} (status ${reply.status}).`)
}

/** The code of an error, such as NoSuchBucket. */
const codeIn = async (reply: StreamedReply) => /<Code>(\w{1,100})<\/Code>/.exec(await beginningOf(reply))?.[1]
