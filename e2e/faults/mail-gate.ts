import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A mail as it was taken. */
export interface TakenMail {
  messageId: string
  raw: string
}

export type MailPlace = 'before the content' | 'before the response'

/** A mail server that takes everything, and holds a mail where a test says so. */
export interface MailGate extends AsyncDisposable {
  port: number
  taken: TakenMail[]
  /** Holds the next mail. The promise resolves when it is held, with a function that lets it go on. */
  hold(place: MailPlace): Promise<() => void>
}

export async function startMailGate(): Promise<MailGate> {
  const taken: TakenMail[] = []
  let place: MailPlace | undefined
  let held = Promise.withResolvers<() => void>()
  const passes = async (here: MailPlace) => {
    if (place !== here) return
    place = undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    held.resolve(resolve)
    await promise
  }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username }, _session, done) => done(null, { user: username ?? '' }),
    async onRcptTo(_address, _session, done) {
      await passes('before the content')
      done()
    },
    onData(stream, _session, done) {
      const take = async (bytes: Buffer) => {
        const raw = bytes.toString('latin1')
        taken.push({ messageId: /^Message-ID: (.*)\r$/im.exec(raw)?.[1] ?? '', raw })
        await passes('before the response')
        done()
      }
      // What ends before its end is no mail.
      buffer(stream).then(take, done)
    },
  })
  // Clients that are killed are part of it.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    hold(where) {
      place = where
      held = Promise.withResolvers()
      return held.promise
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
