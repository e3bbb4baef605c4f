import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'

/** What Postfix asks about (SMTPD_POLICY_README): a recipient at RCPT, a mail at END-OF-MESSAGE, before it is queued. */
export interface Question {
  protocol_state: string
  sender: string
  recipient: string
  sasl_username: string
  [attribute: string]: string
}

export interface Policy extends AsyncDisposable {
  port: number
  /** What to say of the next questions; undefined for nothing against it. At first nothing is against anything. */
  decide: (question: Question) => Promise<string | undefined> | string | undefined
  asked: Question[]
}

/** Says what Postfix is to do: `450 4.2.1 Busy`, `550 5.7.1 Spam`, or nothing until a promise resolves. */
export async function startPolicy(): Promise<Policy> {
  const policy: Policy = {
    port: 0,
    decide: () => undefined,
    asked: [],
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let unread = ''
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.setEncoding('utf8').on('data', async (chunk: string) => {
      unread += chunk
      for (let end = unread.indexOf('\n\n'); end !== -1; end = unread.indexOf('\n\n')) {
        const lines = unread.slice(0, end).split('\n')
        unread = unread.slice(end + 2)
        const pairs = lines.map((line) => [
          line.slice(0, line.indexOf('=')),
          line.slice(line.indexOf('=') + 1),
        ])
        const question = Object.fromEntries(pairs) as Question
        policy.asked.push(question)
        socket.write(`action=${(await policy.decide(question)) ?? 'DUNNO'}\n\n`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  policy.port = (server.address() as AddressInfo).port
  return policy
}
