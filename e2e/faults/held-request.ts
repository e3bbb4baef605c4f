import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'

export interface HeldRequest {
  /** Sends the body and returns the response. */
  finish(): Promise<{ status: number | undefined; body: unknown }>
}

/** A POST whose headers the server has accepted, and whose body it waits for. Its client would use the connection again. */
export async function holdRequest(url: string, key: string, body: unknown): Promise<HeldRequest> {
  const text = JSON.stringify(body)
  const held = request(url, {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
    headers: {
      authorization: `token ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      expect: '100-continue',
    },
  })
  const response = new Promise<HeldResponse>((resolve, reject) => {
    held.on('error', reject)
    held.on('response', (message) =>
      json(message).then((value) => resolve({ status: message.statusCode, body: value }), reject),
    )
  })
  // A caller that never finishes it ignores how it ended.
  response.catch(() => undefined)
  held.flushHeaders()
  await once(held, 'continue')
  return {
    finish() {
      held.end(text)
      return response
    },
  }
}

type HeldResponse = Awaited<ReturnType<HeldRequest['finish']>>
