import { type Socket, createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { type Answer, type DecodedPacket, TRUNCATED_RESPONSE, decode, encode } from 'dns-packet'
import type { EgressOptions } from '#kernel/egress/egress.ts'
import { ask } from '#kernel/egress/names.ts'

type Resolve = NonNullable<EgressOptions['resolve']>

/** A name server's reply: addresses and aliases, or a failure. */
export type Reply = readonly (string | { alias: string; of: string })[] | 'rejected' | 'truncated' | 'none'

export interface NameServer extends AsyncDisposable {
  /** Resolves names with this server, in the way that Gable resolves them with the system's servers. */
  resolve: Resolve
  /** The queries in order, such as `A hooks.example.com`. */
  asked: string[]
}

/** A DNS server over UDP on loopback. `reply` receives the number of earlier queries for the same name and type. */
export async function startNameServer(
  reply: (name: string, type: 'A' | 'AAAA', before: number) => Reply,
): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, { address, port }) => {
    const query = decode(message)
    const question = query.questions?.[0]
    if (question === undefined || (question.type !== 'A' && question.type !== 'AAAA')) return
    const key = `${question.type} ${question.name}`
    const said = reply(question.name, question.type, asked.filter((one) => one === key).length)
    asked.push(key)
    if (said !== 'none') socket.send(packet(query, question.name, said), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    asked,
    resolve: resolveAt(socket),
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

const resolveAt =
  (socket: Socket): Resolve =>
  async (hostname) => {
    const resolver = new Resolver({ timeout: 1_500, tries: 2 })
    resolver.setServers([`127.0.0.1:${socket.address().port}`])
    return ask(resolver, hostname)
  }

function packet(query: DecodedPacket, name: string, said: Exclude<Reply, 'none'>): Buffer {
  const base = { type: 'response' as const, id: query.id ?? 0, questions: query.questions ?? [] }
  if (said === 'rejected') return encode({ ...base, flags: 5 })
  if (said === 'truncated') return encode({ ...base, flags: TRUNCATED_RESPONSE })
  const alias = said.find((one) => typeof one !== 'string')
  const owner = alias === undefined ? name : alias.alias
  const responses = said.map((one): Answer => {
    if (typeof one !== 'string') return { type: 'CNAME', name: one.of, data: one.alias, ttl: 0 }
    return { type: one.includes(':') ? 'AAAA' : 'A', name: owner, data: one, ttl: 0 }
  })
  // NXDOMAIN
  return encode({ ...base, answers: responses, flags: said.length === 0 ? 3 : 0 })
}
