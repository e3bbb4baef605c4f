import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { startCanary } from './canary.ts'
import { certificateAuthority } from './certificates.ts'
import { type Reply, startNameServer } from './name-server.ts'
import { post } from './posting.ts'

/** Public addresses. These tests never connect to them. */
const elsewhere = '93.184.215.14'
const elsewhere6 = '2606:4700:4700::1111'

const name = 'hooks.example.com'
const notPublic = 'the address is not public'

test('a name that is public when inspected and private when used is rejected', async () => {
  await using canary = await startCanary()
  await using names = await startNameServer((_name, type, before) => {
    if (type === 'AAAA') return []
    return before === 0 ? [elsewhere] : ['127.0.0.1']
  })
  await using egress = createEgress({ allowHttp: 'none', allowPrivate: 'none', resolve: names.resolve })
  const url = `https://${name}:${canary.port}/`
  expect(await egress.inspect(url)).toBeUndefined()
  expect(await post(egress, url)).toMatchObject({ ok: false, failure: notPublic })
  expect(names.asked.toSorted()).toEqual([`A ${name}`, `A ${name}`, `AAAA ${name}`, `AAAA ${name}`])
  expect(canary.connections).toBe(0)
})

test('connections go to the address that was checked', async () => {
  const { ca, issue } = await certificateAuthority()
  const server = createServer(await issue(name), (_request, response) => response.end('here'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await using canary = await startCanary({ host: '127.0.0.2', port })
  await using names = await startNameServer((_name, type, before) => {
    if (type === 'AAAA') return []
    return before === 0 ? ['127.0.0.1'] : ['127.0.0.2']
  })
  await using egress = createEgress({
    allowHttp: 'none',
    allowPrivate: 'loopback',
    resolve: names.resolve,
    ca,
  })
  const url = `https://${name}:${port}/`
  expect(await post(egress, url)).toMatchObject({ status: 200, answer: 'here' })
  // The connection is still open, so the name is not resolved again.
  expect(await post(egress, url)).toMatchObject({ status: 200, answer: 'here' })
  expect(names.asked.toSorted()).toEqual([`A ${name}`, `AAAA ${name}`])
  expect(canary.connections).toBe(0)
  server.close()
})

test.for<[string, Reply, Reply]>([
  ['loopback', ['127.0.0.1'], []],
  ['a public address before loopback', [elsewhere, '127.0.0.1'], []],
  ['loopback before a public address', ['127.0.0.1', elsewhere], []],
  ['a hundred public addresses and a private one', [...Array(100).fill(elsewhere), '10.0.0.1'], []],
  ['public IPv4 and private IPv6', [elsewhere], ['::1']],
  ['private IPv4 and public IPv6', ['192.168.1.1'], [elsewhere6]],
  ['an alias of loopback', [{ of: name, alias: 'localhost' }, '127.0.0.1'], []],
  ['an alias of a private name', [{ of: name, alias: 'db.internal' }, '10.0.0.1'], []],
  ['unspecified', ['0.0.0.0'], ['::']],
  ['metadata', ['169.254.169.254'], []],
  ['mapped loopback', [], ['::ffff:127.0.0.1']],
  ['mapped loopback beside a public address', [elsewhere], ['::ffff:7f00:1']],
  ['NAT64 of loopback', [], ['64:ff9b::7f00:1']],
  ['6to4 of loopback', [], ['2002:7f00:1::1']],
  ['link-local', [], ['fe80::1']],
  ['unique local', [], ['fd00::1']],
])('rejects a name that resolves to %s', async ([_why, four, six]) => {
  await using canary = await startCanary()
  await using names = await startNameServer((_name, type) => (type === 'A' ? four : six))
  await using egress = createEgress({ allowHttp: 'none', allowPrivate: 'none', resolve: names.resolve })
  const url = `https://${name}:${canary.port}/`
  expect(await egress.inspect(url)).toBe(notPublic)
  expect(await post(egress, url)).toMatchObject({ ok: false, status: null, failure: notPublic })
  expect(canary.connections).toBe(0)
})

test.for<[string, Reply, string]>([
  ['does not exist', [], 'the host name does not resolve'],
  ['is only an alias', [{ of: name, alias: 'localhost' }], 'the host name does not resolve'],
  ['the name server rejects', 'rejected', 'the host name could not be resolved'],
  ['comes in pieces', 'truncated', 'the host name could not be resolved'],
])('a name that %s passes inspection, but posting to it fails', async ([_why, reply, failure]) => {
  await using names = await startNameServer(() => reply)
  await using egress = createEgress({ allowHttp: 'none', allowPrivate: 'none', resolve: names.resolve })
  const url = `https://${name}/`
  expect(await egress.inspect(url)).toBeUndefined()
  expect(await post(egress, url)).toMatchObject({ ok: false, status: null, answer: null, failure })
})

test('a name server that does not reply passes inspection and fails a post within the timeout', async () => {
  await using names = await startNameServer(() => 'none')
  await using egress = createEgress({
    allowHttp: 'none',
    allowPrivate: 'none',
    resolve: names.resolve,
    timeoutMs: 300,
  })
  const begun = performance.now()
  const [fault, exchange] = await Promise.all([
    egress.inspect(`https://${name}/`),
    post(egress, `https://${name}/`),
  ])
  expect(fault).toBeUndefined()
  expect(exchange).toMatchObject({ ok: false, failure: 'no connection within 0.3 s' })
  expect(performance.now() - begun).toBeLessThan(4_000)
})

test('concurrent connections to a name share one query', async () => {
  await using names = await startNameServer((_name, type) => (type === 'A' ? ['127.0.0.1'] : []))
  await using egress = createEgress({ allowHttp: 'none', allowPrivate: 'none', resolve: names.resolve })
  const exchanges = await Promise.all(Array.from({ length: 20 }, () => post(egress, `https://${name}/`)))
  expect(exchanges.every(({ failure }) => failure === notPublic)).toBe(true)
  expect(names.asked.toSorted()).toEqual([`A ${name}`, `AAAA ${name}`])
})
