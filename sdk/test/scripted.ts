import { Gable, type GableOptions } from 'gable'

export interface Sent {
  method: string
  url: string
  headers: Headers
  body: unknown
}

export type Reply = Response | Error | ((sent: Sent) => Response | Promise<Response>)

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers })

export const failure = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  more: object = {},
) =>
  json({ error: { code, message: `A message about ${code}.`, request_id: 'req_1', ...more } }, status, {
    'x-request-id': 'req_1',
    ...headers,
  })

/** A `fetch` that gives these replies in turn, the last one forever, and records what was sent. */
export function scripted(...replies: Reply[]) {
  const sent: Sent[] = []
  const send: typeof fetch = async (input, init = {}) => {
    const { method = 'GET', headers, body } = init
    const request = {
      method,
      url: String(input),
      headers: new Headers(headers),
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : body,
    }
    sent.push(request)
    const reply = replies[Math.min(sent.length, replies.length) - 1]
    if (reply instanceof Error) throw reply
    init.signal?.throwIfAborted()
    return typeof reply === 'function' ? reply(request) : (reply?.clone() ?? json({}))
  }
  return { sent, fetch: send }
}

/** A client with a key, whose server gives these replies. */
export function clientOf(...replies: Reply[]) {
  const { sent, fetch: send } = scripted(...replies)
  const options: GableOptions = { apiKey: 'gbl_key_1', baseUrl: 'https://gable.example/', fetch: send }
  return { sent, gable: new Gable(options) }
}
