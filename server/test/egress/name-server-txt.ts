import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode } from 'dns-packet'
import { txtLookup } from '#kernel/egress/txt-records.ts'

/**
 * Starts a name server on loopback that responds with this error code, or with one TXT record of these parts. Returns
 * it and a lookup that queries it.
 */
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
