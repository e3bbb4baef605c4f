import { expect, test } from 'vitest'
import { isAtHome, isFromHome } from '../../src/modules/mail/trap-visitor.ts'
import { sendVerbatim } from '../contract/raw-http.ts'
import { type TestApp, type TestAppOptions, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'
import { answering, attempt, queue } from './scene.ts'

/** Asks for a page as a browser on this machine does, unless the headers say something else. */
const visit = ({ url }: TestApp, path: string, headers: Record<string, string> = {}) =>
  sendVerbatim(url, { method: 'GET', path, headers: { host: new URL(url).host, ...headers } })

/** Where the trap of this server is. */
const trapOf = ({ trapPage }: TestApp) => new URL(trapPage ?? '').pathname

async function trapped(app: TestApp, parts: Parameters<typeof queue>[1] = {}): Promise<string> {
  const id = await queue(app, parts)
  await attempt(app, id, {})
  return id
}

const emptyTrap = async (name: string, options: TestAppOptions = {}) =>
  testApp({ databaseUrl: await freshDatabase(name), ...options })

test('the trap says that it is empty, and then lists its mails, newest first', async () => {
  await using app = await emptyTrap('trap_list')
  expect((await visit(app, trapOf(app))).text).toContain('No mail has been sent yet')
  const ids = [
    await trapped(app, { to: 'ada@lantern.example' }),
    await trapped(app, { to: 'eda@lantern.example' }),
  ]
  const { status, headers, text: body } = await visit(app, trapOf(app))
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect([...body.matchAll(/href="\/mail\/[\w-]{43}\/(c\w+)"/g)].map(([, id]) => id)).toEqual(
    ids.toReversed(),
  )
  expect(body.indexOf('eda@lantern.example')).toBeLessThan(body.indexOf('ada@lantern.example'))
  expect(body).not.toContain('gbl_welcome')
})

test('a mail is shown with the links that lead to this server, and with others as text', async () => {
  await using app = await testApp()
  const own = `${app.url}/welcome?a=1&b=2`
  const others = [
    'https://evil.example/',
    `${app.url}.evil.example/`,
    `${app.url.replace('127.0.0.1', 'a@evil.example')}/`,
    'javascript:alert(1)',
  ]
  const id = await trapped(app, { text: `Hello,\n\n${own}.\n\n${others.join('\n')}` })
  const { status, text: body } = await visit(app, `${trapOf(app)}/${id}`)
  const hrefs = [...body.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => href)
  expect(status).toBe(200)
  expect(hrefs).toEqual([own.replaceAll('&', '&amp;'), trapOf(app)])
  for (const other of others) expect(body).toContain(`\n${other}`)
})

test('markup in a mail is text', async () => {
  await using app = await testApp()
  const hostile = `<script>alert('x')</script>"><img src=x onerror=alert(1)>`
  const id = await trapped(app, { to: hostile, subject: hostile, text: `${hostile} ${app.url}/"><b>x</b>` })
  for (const path of [trapOf(app), `${trapOf(app)}/${id}`]) {
    const { text: body } = await visit(app, path)
    expect(body).toContain('&lt;script&gt;')
    expect(body).not.toMatch(/<script|<img|<b>/)
  }
})

test('what is queued or has failed is not in the trap, nor is what never was', async () => {
  await using app = await emptyTrap('trap_others')
  const [queued, failed] = [await queue(app), await queue(app)]
  await attempt(app, failed, answering({ kind: 'refused', answer: '550', code: '550' }))
  for (const id of [queued, failed, 'c'.padEnd(25, '0'), 'nothing', '%00', '..%2fmail'])
    expect((await visit(app, `${trapOf(app)}/${id}`)).status).toBe(404)
  expect((await visit(app, trapOf(app))).text).toContain('No mail has been sent yet')
})

const visitors: [string, Record<string, string>, number][] = [
  ['a browser on this machine', {}, 200],
  ['another name of this machine', { host: 'localhost' }, 200],
  ['the same in capitals, with a port', { host: 'LocalHost:8080' }, 200],
  ['a name below localhost', { host: 'gable.localhost:80' }, 200],
  ['an address of IPv6', { host: '[::1]:8080' }, 200],
  ['any address of this machine', { host: '127.3.2.1:8080' }, 200],
  ['a site that calls this machine its own', { host: 'evil.example' }, 404],
  ['the same with a port', { host: 'evil.example:8080' }, 404],
  ['a name that begins like this machine', { host: '127.0.0.1.evil.example' }, 404],
  ['a name that begins like localhost', { host: 'localhost.evil.example' }, 404],
  ['a name in front of the address', { host: 'evil.example@127.0.0.1' }, 404],
  ['an address of the network', { host: '192.168.0.10:8080' }, 404],
  ['every address', { host: '0.0.0.0:8080' }, 404],
  ['an empty Host', { host: '' }, 404],
  ['a proxy that says for whom', { 'x-forwarded-for': '203.0.113.9' }, 404],
  ['a proxy that claims this machine', { 'x-forwarded-for': '127.0.0.1' }, 404],
  ['a proxy by the standard', { forwarded: 'for=127.0.0.1' }, 404],
  ['a proxy that gives its name', { via: '1.1 proxy' }, 404],
]

test.for(visitors)('%s: %o gets %i', async ([, headers, expected]) => {
  await using app = await testApp()
  const id = await trapped(app)
  for (const path of [trapOf(app), `${trapOf(app)}/${id}`]) {
    const { status, text: body } = await visit(app, path, headers)
    expect(status).toBe(expected)
    if (expected === 404) expect(body).not.toContain('lantern')
  }
})

const loopback = ['127.0.0.1', '127.8.9.1', '::1']
const elsewhere = [
  '192.168.0.10',
  '10.0.0.1',
  '203.0.113.9',
  'fe80::1',
  '2001:db8::1',
  '',
  '::ffff:203.0.113.9',
]

test('only a peer on this machine gets to see it', () => {
  const headers = { host: '127.0.0.1:8080' }
  expect(loopback.map((address) => isFromHome({ address, headers }))).toEqual(loopback.map(() => true))
  expect(elsewhere.map((address) => isFromHome({ address, headers }))).toEqual(elsewhere.map(() => false))
  expect(isFromHome({ address: '127.0.0.1', headers: {} })).toBe(false)
})

const setups: [Parameters<typeof isAtHome>[0], boolean][] = [
  [{ host: '127.0.0.1', trustProxy: 0 }, true],
  [{ host: '::1', trustProxy: 0 }, true],
  [{ host: 'localhost', trustProxy: 0, publicUrl: undefined }, true],
  [{ host: '127.0.0.1', trustProxy: 0, publicUrl: 'http://localhost:8080' }, true],
  [{ host: '127.0.0.1', trustProxy: 0, publicUrl: 'http://[::1]:8080' }, true],
  [{ host: '127.0.0.1', trustProxy: 0, publicUrl: 'https://gable.example' }, false],
  [{ host: '127.0.0.1', trustProxy: 1 }, false],
  [{ host: '0.0.0.0', trustProxy: 0 }, false],
  [{ host: '::', trustProxy: 0 }, false],
  [{ host: '192.168.0.10', trustProxy: 0 }, false],
  [{ host: 'gable.example', trustProxy: 0 }, false],
]

test.for(setups)('a server that is set up as %o is at home: %s', ([setup, expected]) => {
  expect(isAtHome(setup)).toBe(expected)
})

test('whoever does not know its address does not find it, not even on this machine', async () => {
  await using app = await testApp()
  const id = await trapped(app)
  const other = trapOf(app).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
  const wrong = ['/mail', '/mail/', `/mail/${id}`, `/mail/x/${id}`, other, `${other}/${id}`, `/mail//${id}`]
  for (const path of wrong) {
    const { status, text } = await visit(app, path)
    expect([path, status]).toEqual([path, 404])
    expect(text).not.toContain(trapOf(app))
    expect(text).not.toContain('lantern')
  }
})

test('where mails go out there is no trap to look into', async () => {
  await using app = await testApp({ smtp: { url: 'smtp://127.0.0.1:1', from: 'gable@brokerage.example' } })
  const id = await trapped(app)
  expect(app.trapPage).toBeUndefined()
  for (const path of ['/mail', `/mail/${id}`]) expect((await visit(app, path)).status).toBe(404)
})

test('the trap takes nothing but questions', async () => {
  await using app = await testApp()
  expect((await fetch(app.trapPage ?? '', { method: 'POST', body: 'x' })).status).toBe(405)
})
