import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as the server received it. */
export interface Arrived {
  from: string
  to: string[]
  /** The user that was signed in. */
  user: string | undefined
  /** Whether it came over TLS. */
  secure: boolean
  raw: string
  /** By lower-case name, unfolded. Encoded words are not decoded. */
  headers: Map<string, string[]>
  /** Decoded. */
  body: string
}

export interface MailServer extends AsyncDisposable {
  port: number
  /** smtp://127.0.0.1:port */
  url: string
  arrived: Arrived[]
  /** Names and passwords of all login attempts, right or wrong. */
  logins: string[]
  connections: number
}

export interface MailServerOptions extends SMTPServerOptions {
  /** Error replies, each for one command. After the last one, the server accepts everything. */
  rejections?: { to: 'connection' | 'sender' | 'recipient' | 'message'; code: number; text: string }[]
  /** The only valid login, as `name:password`. */
  login?: string
}

/** A mail server on 127.0.0.1. By default, it has no TLS, accepts every mail, and requires no login. */
export async function mailServer({
  rejections = [],
  login,
  ...more
}: MailServerOptions = {}): Promise<MailServer> {
  const state: MailServer = {
    port: 0,
    url: '',
    arrived: [],
    logins: [],
    connections: 0,
    [Symbol.asyncDispose]: close,
  }
  const verdict = (to: string) => {
    if (rejections[0]?.to !== to) return null
    const { code = 0, text: words = '' } = rejections.shift() ?? {}
    return Object.assign(new Error(words), { responseCode: code })
  }
  const server = new SMTPServer({
    disabledCommands: more.key === undefined ? ['STARTTLS'] : [],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      state.connections += 1
      done(verdict('connection'))
    },
    onAuth({ username, password }, _session, done) {
      state.logins.push(`${username}:${password}`)
      if (state.logins.at(-1) === login) return done(null, { user: username })
      return done(Object.assign(new Error('Authentication failed'), { responseCode: 535 }))
    },
    onMailFrom: (_address, _session, done) => done(verdict('sender')),
    onRcptTo: (_address, _session, done) => done(verdict('recipient')),
    onData(stream, { envelope, user, secure }, done) {
      const take = (raw: string) => {
        const rejection = verdict('message')
        if (rejection !== null) return done(rejection)
        state.arrived.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          user: user as string | undefined,
          secure,
          raw,
          ...read(raw),
        })
        return done(null)
      }
      text(stream).then(take, done)
    },
    ...more,
  })
  // Ignores errors of clients that disconnect early, as in some tests.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  state.port = (server.server.address() as AddressInfo).port
  state.url = `smtp://127.0.0.1:${state.port}`
  return state

  async function close(): Promise<void> {
    await new Promise<void>((resolve) => server.close(resolve))
  }
}

/** Parses the headers and body of a mail. Decodes quoted-printable (RFC 5322, 2.2; RFC 2045, 6.7). */
function read(raw: string): Pick<Arrived, 'headers' | 'body'> {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n(?=[ \t])/g, '')
    .split('\r\n')
  const named = Map.groupBy(lines, (line) => line.slice(0, line.indexOf(':')).toLowerCase())
  const headers = [...named].map(
    ([name, all]) => [name, all.map((line) => line.slice(line.indexOf(':') + 1).trim())] as const,
  )
  const body = raw.slice(end + 4)
  const quoted = named.get('content-transfer-encoding')?.[0]?.includes('quoted-printable') === true
  return { headers: new Map(headers), body: quoted ? decoded(body.replaceAll('=\r\n', '')) : body }
}

const decoded = (quoted: string) =>
  decodeURIComponent(quoted.replaceAll('%', '%25').replaceAll(/=([0-9A-F]{2})/g, '%$1'))

/** Decodes encoded words (RFC 2047). */
export const plainWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : decoded(word.replaceAll('_', ' ')),
    )
