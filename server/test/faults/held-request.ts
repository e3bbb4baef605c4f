import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'

export interface HeldRequest {
  /** Sends the body; answers what came back. */
  finish(): Promise<{ status: number | undefined; body: unknown }>
}

/** A POST whose headers the server has let in, and whose body it still waits for. */
export async function holdRequest(url: string, key: string, body: unknown): Promise<HeldRequest> {
  const text = JSON.stringify(body)
  const held = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `token ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      expect: '100-continue',
    },
  })
  const answer = new Promise<HeldAnswer>((resolve, reject) => {
    held.on('error', reject)
    held.on('response', (response) =>
      json(response).then((value) => resolve({ status: response.statusCode, body: value }), reject),
    )
  })
  // Whoever never finishes it does not ask how it ended.
  answer.catch(() => undefined)
  held.flushHeaders()
  await once(held, 'continue')
  return {
    finish() {
      held.end(text)
      return answer
    },
  }
}

type HeldAnswer = Awaited<ReturnType<HeldRequest['finish']>>
