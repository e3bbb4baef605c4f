import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

export interface RawAnswer {
  status: number
  headers: Headers
  text: string
}

/** Sends bytes as they are and reads all that comes back until the server closes the connection. */
export async function exchange(address: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.setTimeout(5000, () => socket.destroy(new Error('The server neither answers nor closes.')))
  socket.write(bytes)
  return parse(await text(socket))
}

export interface RawRequest {
  method: string
  /** Sent as it is; a client library would tidy it up. */
  path: string
  headers?: Record<string, string>
  body?: unknown
}

/** One request with its path and headers letter by letter. */
export function sendVerbatim(
  address: string,
  { method, path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
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

function parse(answer: string): RawAnswer {
  const at = answer.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = answer.slice(0, at).split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1)]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, text: answer.slice(at + 4) }
}
