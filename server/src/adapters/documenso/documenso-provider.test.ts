import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { ProviderAccount } from '../../modules/documents/ports.ts'
import { documensoProvider } from './documenso-provider.ts'

let respond: [status: number, body: string]
const server = createServer((request, response) =>
  request.resume().once('end', () => response.writeHead(respond[0]).end(respond[1])),
)
const egress = createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback' })
const documenso = documensoProvider({
  egress,
  clock: systemClock,
  simulatedUrl: () => expect.unreachable(),
  origin: () => 'https://gable.example',
})
let account: ProviderAccount

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  account = {
    id: 'cmi8h4y3k0002d5f7g9h1j3k5',
    workspaceId: 'cmi8h0s4a0000b3n7m1k5v9z2',
    provider: 'documenso',
    name: 'own',
    settings: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    simulated: false,
    secrets: ['token secret'],
  }
})
afterAll(async () => {
  await egress[Symbol.asyncDispose]()
  server.close()
})

test.for([
  ['a proxy before it', '<h1>nginx</h1>', 'provider_unavailable'],
  ['no one', '', 'provider_unavailable'],
  ['Documenso', '{"message":"Envelope not found","code":"NOT_FOUND"}', 'document_not_found'],
] as const)(
  'if %s returns 404, a document is gone only by the word of Documenso',
  async ([, body, fault]) => {
    respond = [404, body]
    for (const called of [documenso.read, documenso.discard, documenso.openFile])
      expect(await called(account, 'envelope_a')).toMatchObject({ fault })
  },
)
