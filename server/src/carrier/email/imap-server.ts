import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { isLoopbackAddress } from '../local-request.ts'
import { type ImapReply, type ImapSession, capability, execute } from './imap-commands.ts'
import type { Mailboxes } from './mailboxes.ts'

/** Limits: the length of a command, a connection's idle time, and the number of connections. */
const maxCommand = 16_384
const restMs = 5 * 60_000
const maxConnections = 50

/** Serves the mailboxes over IMAP on a loopback address, without TLS. */
export async function startImap(
  mailboxes: Mailboxes,
  { host, port }: { host: string; port: number },
): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (!isLoopbackAddress(socket.remoteAddress ?? '')) return void socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.setNoDelay(true)
    socket.setTimeout(restMs, () => socket.destroy())
    serve(mailboxes, socket)
  })
  server.maxConnections = maxConnections
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function serve(mailboxes: Mailboxes, socket: Socket): void {
  const session: ImapSession = { account: undefined, box: undefined }
  let unread = ''
  socket.write(`* OK [${capability}] The simulated carrier\r\n`)
  socket.setEncoding('latin1').on('data', (chunk) => {
    unread += String(chunk)
    for (let read = readCommand(unread); read !== undefined; read = readCommand(unread)) {
      if (read === 'literal') {
        if (unread.endsWith('}\r\n')) socket.write('+ Go on\r\n')
        return
      }
      unread = unread.slice(read.length)
      const [tag = '*', ...words] = read.words
      const reply = words.length === 0 ? undefined : execute(mailboxes, session, words)
      write(socket, tag, reply ?? { untagged: [], result: 'BAD No command' })
      if (words[0]?.toUpperCase() === 'LOGOUT') return void socket.end()
    }
    if (unread.length > maxCommand) socket.destroy()
  })
}

function write(socket: Socket, tag: string, { untagged, result }: ImapReply): void {
  let isWithin = false
  for (const part of untagged) {
    const text = typeof part === 'string'
    socket.write(text && !isWithin ? `* ${part}` : part)
    // A line that announces a literal is followed by the literal and then the rest of the line.
    isWithin = text ? part.endsWith('}\r\n') : true
    if (text && !isWithin) socket.write('\r\n')
  }
  socket.write(`${tag} ${result}\r\n`)
}

/** Parses a command into words without quotes and literal markers. `length` counts everything that was read. */
function readCommand(text: string): { words: string[]; length: number } | 'literal' | undefined {
  const words: string[] = []
  let at = 0
  for (;;) {
    const [token = '', quoted, literal, word, end] =
      /^(?:"((?:[^"\\\r\n]|\\.)*)"|\{(\d{1,4})\+?\}\r\n|([^\s"{]+)|(\r?\n)|[ \t]+)/.exec(text.slice(at)) ?? []
    if (token === '') return /\r?\n/.test(text.slice(at)) ? unreadable(text) : undefined
    at += token.length
    if (end !== undefined) return { words, length: at }
    if (quoted !== undefined) words.push(utf8(quoted.replaceAll(/\\(.)/g, '$1')))
    if (word !== undefined) words.push(word)
    if (literal === undefined) continue
    const length = Number(literal)
    if (text.length < at + length) return 'literal'
    words.push(utf8(text.slice(at, at + length)))
    at += length
  }
}

/** Skips a line that isn't a command. */
function unreadable(text: string) {
  const [line = ''] = /^[^\n]*\n/.exec(text) ?? []
  return { words: [line.split(' ')[0] ?? '*'], length: line.length }
}

const utf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8')
