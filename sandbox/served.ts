import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

export interface CarrierRequest {
  method: string
  /** The decoded path segments. */
  path: readonly string[]
  query: URLSearchParams
  form: URLSearchParams
  body: string
  headers: IncomingHttpHeaders
}

/** A response, or no response: the connection is reset or left open. */
export type Served =
  | { status: number; headers: Record<string, string>; body: string | Buffer }
  | 'reset'
  | 'hang'

export const json = (status: number, value: unknown): Served => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

export const notFound: Served = { status: 404, headers: {}, body: 'Not found.' }

/** A longer body resets the connection. */
const maxBody = 262_144

export async function readRequest(request: IncomingMessage): Promise<CarrierRequest | undefined> {
  const url = URL.parse(request.url ?? '/', 'http://localhost')
  if (url === null) return undefined
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) {
    body += String(chunk)
    if (body.length > maxBody) return undefined
  }
  return {
    method: request.method ?? 'GET',
    path: url.pathname.slice(1).split('/').map(decoded),
    query: url.searchParams,
    form: new URLSearchParams(body),
    body,
    headers: request.headers,
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function write(response: ServerResponse, served: Served): void {
  if (served === 'hang') return
  if (served === 'reset') response.destroy()
  else response.writeHead(served.status, served.headers).end(served.body)
}
