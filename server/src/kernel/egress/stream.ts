import { performance } from 'node:perf_hooks'
import type { Target } from './address.ts'
import type { Connections } from './connections.ts'
import type { StreamRequest, StreamedReply } from './egress.ts'
import { EgressError, reasonOf } from './failure.ts'

/** Bytes allowed for the response headers, in addition to the body. */
const slack = 1_048_576

const watchMs = 1_000

export async function stream(
  connections: Connections,
  { origin, path }: Target,
  { method, headers, body, maxBytes }: Omit<StreamRequest, 'url'>,
  idleMs: number,
): Promise<StreamedReply> {
  const connection = connections.acquire(origin, maxBytes + slack)
  const stop = new AbortController()
  let moved = -1
  let movedAt = performance.now()
  const watch = setInterval(() => {
    const { bytesRead = 0, bytesWritten = 0 } = connection.socket ?? {}
    if (bytesRead + bytesWritten !== moved) {
      moved = bytesRead + bytesWritten
      movedAt = performance.now()
    } else if (performance.now() - movedAt > idleMs)
      stop.abort(new EgressError(`nothing moved for ${idleMs / 1000} s`))
  }, watchMs).unref()
  const end = (isComplete: boolean) => {
    clearInterval(watch)
    if (isComplete) connections.release(connection)
    else connections.destroyConnection(connection)
  }
  try {
    const response = await connection.client.request({
      path,
      method,
      headers,
      body: body ?? null,
      signal: stop.signal,
    })
    response.body.once('close', () => end(response.body.readableEnded))
    // A body that is not read may be destroyed, which is an error of its own. A reader sees every other one.
    response.body.on('error', () => undefined)
    return { status: response.statusCode, headers: response.headers, body: response.body }
  } catch (error) {
    end(false)
    throw new EgressError(reasonOf(error), { cause: error })
  }
}
