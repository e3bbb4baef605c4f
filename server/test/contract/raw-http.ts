import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

export interface RawResponse {
  status: number
  headers: Headers
  text: string
}

/** Sends bytes as they are. Reads until the server closes the connection. */
export async function exchange(address: string, bytes: string | Buffer): Promise<RawResponse> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.setTimeout(30_000, () => socket.destroy(new Error('The server neither responds nor closes.')))
  socket.write(bytes)
  return parse(await text(socket))
}

export interface RawRequest {
  method: string
  /** Sent as it is. A client library would normalize it. */
  path: string
  headers?: Record<string, string>
  body?: unknown
}

/** Sends a request with exactly this path and these headers. */
export function sendVerbatim(
  address: string,
  { method, path, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
  const sent = Buffer.from(body === undefined ? '' : JSON.stringify(body))
  const lines = Object.entries({
    host: 'gable.example',
    connection: 'close',
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(sent.length) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return exchange(
    address,
    Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), sent]),
  )
}

function parse(response: string): RawResponse {
  const at = response.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = response.slice(0, at).split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1)]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, text: response.slice(at + 4) }
}
