import type { Calls } from './calls.ts'
import type { SentMedia } from './message-log.ts'

/** Fetches the files of a message as providers do, without credentials. Undefined if one cannot be read. */
export async function fetchSentMedia(
  calls: Calls,
  urls: readonly string[],
): Promise<SentMedia[] | undefined> {
  const called = await Promise.all(urls.map((url) => calls.send(url, { method: 'GET', timeoutMs: 10_000 })))
  const read = called.flatMap((one) =>
    typeof one === 'string' || one.status !== 200
      ? []
      : { contentType: one.type, name: null, content: Buffer.from(one.body) },
  )
  return read.length === urls.length ? read : undefined
}
