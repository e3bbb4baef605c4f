import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createConnections } from './connections.ts'

test('does not reconnect to a receiver that responds before the request', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let dialled = 0
  const connections = createConnections((_place, callback) => {
    dialled += 1
    const socket = connect(port, '127.0.0.1')
    // As after a TLS handshake that already includes the first bytes.
    socket.once('readable', () => callback(null, socket))
    return () => socket.destroy()
  })
  const { client } = connections.acquire(`http://127.0.0.1:${port}`)
  const error = await new Promise((resolve) => {
    client.dispatch(
      { path: '/', method: 'POST', body: '{}' },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(undefined),
        onResponseError: (_controller, fault) => resolve(fault.message),
      },
    )
  })
  expect(error).toBe('the connection was closed at once')
  expect(dialled).toBe(1)
  await connections.closeAll()
  server.close()
})
