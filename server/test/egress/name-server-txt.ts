import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode } from 'dns-packet'
import { txtLookup } from '#kernel/egress/txt-records.ts'

/** A name server on loopback that says this code, or one TXT record of these parts, and the lookup that asks it. */
export async function startTxtServer(said: number | readonly string[]) {
  const socket = createSocket('udp4')
  socket.on('message', (message, { address, port }) => {
    const { id = 0, questions = [] } = decode(message)
    const base = { type: 'response' as const, id, questions }
    const record = {
      type: 'TXT' as const,
      name: questions[0]?.name ?? '',
      data: typeof said === 'number' ? [] : [...said],
      ttl: 0,
    }
    const packet =
      typeof said === 'number'
        ? { ...base, flags: said }
        : { ...base, answers: said.length === 0 ? [] : [record] }
    socket.send(encode(packet), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    lookup: txtLookup([`127.0.0.1:${socket.address().port}`]),
    [Symbol.dispose]: () => void socket.close(),
  }
}
