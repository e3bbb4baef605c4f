import { expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { EgressOptions } from '#kernel/egress/egress.ts'
import { readAllowList } from '#kernel/egress/rules.ts'
import { startCanary } from './canary.ts'
import { hostileUrls } from './hostile-urls.ts'
import { post } from './posting.ts'

/** Resolves every name to this machine. */
const resolve: EgressOptions['resolve'] = async () => [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

const strict: EgressOptions = { allowHttp: 'none', allowPrivate: 'none', resolve }

const corpus = (port: number) =>
  hostileUrls.map(([why, url]) => ({ why, url: url.replaceAll('PORT', String(port)) }))

test('no hostile URL is accepted, and posting to it opens no connection', async () => {
  await using canary = await startCanary()
  await using egress = createEgress(strict)
  const urls = corpus(canary.port)
  expect(urls.length).toBeGreaterThan(200)
  for (const { why, url } of urls) {
    const fault = await egress.inspect(url)
    expect(fault, `${why}: ${url}`).toEqual(expect.any(String))
    const exchange = await post(egress, url)
    expect(exchange, `${why}: ${url}`).toMatchObject({
      status: null,
      ok: false,
      answer: null,
      failure: fault,
    })
  }
  expect(canary.connections).toBe(0)
})

test('hostile URLs require DNS resolution only if their names are public', async () => {
  await using egress = createEgress(strict)
  const asked = hostileUrls.filter(([, url]) => egress.issueOf(url.replaceAll('PORT', '8443')) === undefined)
  expect(new Set(asked.map(([why]) => why))).toEqual(
    new Set([
      'name with an address in it',
      'name with an address in hex',
      'public name',
      'name with an underscore',
      'name that looks like two',
      'IDN to here',
      'IDN to here, encoded',
    ]),
  )
})

test('a rejected URL calls back once, asynchronously', async () => {
  await using egress = createEgress(strict)
  const failures: (string | null)[] = []
  egress.post({ url: 'https://10.0.0.1/', headers: {}, body: '' }, (one) => void failures.push(one.failure))
  expect(failures).toEqual([])
  await new Promise(setImmediate)
  expect(failures).toEqual(['the address is not public'])
})

test('the canary detects connections', async () => {
  await using canary = await startCanary()
  await using egress = createEgress({ ...strict, allowHttp: 'loopback', allowPrivate: 'loopback' })
  const exchanges = await Promise.all(corpus(canary.port).map(({ url }) => post(egress, url)))
  expect(exchanges.filter(({ ok }) => ok)).toEqual([])
  expect(canary.connections).toBeGreaterThan(20)
})

test.for([
  ['http://127.0.0.1/', undefined],
  ['http://localhost:8080/hook', undefined],
  ['https://a.localhost/', undefined],
  ['https://[::1]:8443/', undefined],
  ['http://127.8.9.10/', undefined],
  ['http://hooks.example.com/', 'http:// is not allowed here, use https://'],
  ['http://8.8.8.8/', 'http:// is not allowed here, use https://'],
  ['https://10.0.0.1/', 'the address is not public'],
  ['https://0.0.0.0/', 'the address is not public'],
  ['https://[::ffff:127.0.0.1]/', 'the address is not public'],
  ['https://n8n:5678/', 'the address is not public'],
  ['http://2130706433/', 'the host name is not valid'],
  ['https://user:secret@127.0.0.1/', 'the address has a user name or a password'],
] as const)('if loopback is allowed, the issue with %s is: %s', async ([url, fault]) => {
  await using egress = createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback' })
  expect(egress.issueOf(url)).toBe(fault)
})

const listed = 'sign.internal:3000, 10.1.2.3:8443,[fd00::5]:443, 10.2.0.0/16,fd01::/16'

test.for([
  ['http://sign.internal:3000/api', undefined],
  ['https://SIGN.internal:3000/api', undefined],
  ['https://sign.internal:3001/', undefined],
  ['http://sign.internal:3001/', 'http:// is not allowed here, use https://'],
  ['http://10.1.2.3:8443/', undefined],
  ['https://10.1.2.3/', 'the address is not public'],
  ['https://[fd00::5]/', undefined],
  ['https://[fd00::5]:444/', 'the address is not public'],
  ['https://10.2.255.255:1/', undefined],
  ['http://10.2.0.1/', 'http:// is not allowed here, use https://'],
  ['https://10.3.0.1/', 'the address is not public'],
  ['https://[::ffff:10.2.0.1]/', 'the address is not public'],
  ['https://[fd01::9]/', undefined],
  ['https://127.0.0.1/', 'the address is not public'],
  ['https://167903233/', 'the host name is not valid'],
] as const)('if EGRESS_ALLOW is a list, the issue with %s is: %s', async ([url, fault]) => {
  const allow = readAllowList(listed)
  if (typeof allow === 'string') throw new Error(allow)
  await using egress = createEgress({ ...strict, allow })
  expect(egress.issueOf(url)).toBe(fault)
})

test('a name that is not on the list may only have addresses that are in its networks', async () => {
  const allow = readAllowList(listed)
  if (typeof allow === 'string') throw new Error(allow)
  const addresses = new Map([
    ['within.internal', ['10.2.0.1', 'fd01::1']],
    ['without.internal', ['10.3.0.1']],
    ['both.internal', ['10.2.0.1', '10.3.0.1']],
    ['sign.internal', ['10.3.0.1']],
  ])
  await using egress = createEgress({
    ...strict,
    allow,
    resolve: async (name) =>
      (addresses.get(name) ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  })
  const issues = ['within', 'without', 'both', 'sign'].map((name) =>
    egress.inspect({ host: `${name}.internal`, port: 3000 }),
  )
  const no = 'the address is not public'
  expect(await Promise.all(issues)).toEqual([undefined, no, no, undefined])
  expect(await egress.inspect({ host: 'sign.internal', port: 3001 })).toBe(no)
})

test.for([
  'http://n8n:5678/webhook/1',
  'http://10.0.0.1/',
  'https://nas.local/',
  'http://[fd00::1]:8080/',
  'http://192.168.1.20:3000/hook',
])('if all addresses are allowed, accepts %s', async (url) => {
  await using egress = createEgress({ allowHttp: 'all', allowPrivate: 'all' })
  expect(egress.issueOf(url)).toBeUndefined()
})

test.for([
  'https://hooks.example.com',
  'https://hooks.example.com/',
  'https://HOOKS.Example.com/Path',
  'https://hooks.example.com:443/',
  'https://hooks.example.com:8443/a/b?c=d&e=f',
  'https://hooks.example.com:65535/',
  'https://hooks.example.com?token=abc',
  'https://hooks.example.com/a@b',
  'https://hooks.example.com/a:b//c',
  'https://hooks.example.com/%00%0d%0a',
  'https://hooks.example.com/../../etc',
  'https://hooks.example.com/?url=http://127.0.0.1/',
  'https://hooks.example.com/ü/日本',
  'https://a.co/',
  'https://1.example.com/',
  'https://1password.example.com/',
  'https://127.0.0.1.example.com/',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://local.example/',
  'https://my-site.example-host.co.uk/',
  'https://my_site.example.com/',
  'https://a--b.example.com/',
  'https://xn--bcher-kva.example/',
  'https://bücher.example/',
  'https://BÜCHER.example/',
  'https://例え.テスト/',
  `https://${'a'.repeat(63)}.example.com/`,
  'https://8.8.8.8/',
  'https://1.1.1.1:8443/hook',
  'https://[2606:4700:4700::1111]/',
  'https://[2606:4700:4700:0:0:0:0:1111]:8443/',
  'https://[2A00:1450:4001::200E]/',
  `https://hooks.example.com/${'x'.repeat(2022)}`,
])('accepts the public address %s', async (url) => {
  await using egress = createEgress(strict)
  expect(egress.issueOf(url)).toBeUndefined()
})

test.for([
  `https://hooks.example.com/${'x'.repeat(2023)}`,
  `https://hooks.example.com/${'x'.repeat(1_000_000)}`,
  `https://${'a'.repeat(64)}.example.com/`,
  `https://${'a.'.repeat(130)}example.com/`,
  `https://${'1'.repeat(2000)}/`,
  `https://[${'0:'.repeat(900)}1]/`,
])('rejects a URL that is too long', async (url) => {
  await using egress = createEgress(strict)
  expect(egress.issueOf(url)).toEqual(expect.any(String))
})
