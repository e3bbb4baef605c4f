import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '../server-process.ts'

/** The baseline for recordings: serves one file to anyone who requests it. */
await serve(async (file) => {
  const { size } = await stat(file)
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': size })
    createReadStream(file).pipe(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
})
