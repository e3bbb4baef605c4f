import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isReachedLocally, isLocalRequest } from '../../src/modules/mail/local-request.ts'
import { sendVerbatim } from '../contract/raw-http.ts'
import { type TestApp, type TestAppOptions, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'
import { respondingWith, attempt, queue } from './scene.ts'

/** Requests a page as a browser on this machine does, unless `headers` override that. */
const visit = ({ url }: TestApp, path: string, headers: Record<string, string> = {}) =>
  sendVerbatim(url, { method: 'GET', path, headers: { host: new URL(url).host, ...headers } })

const catcherOf = ({ catcherUrl }: TestApp) => new URL(catcherUrl ?? '').pathname

async function caught(app: TestApp, parts: Parameters<typeof queue>[1] = {}): Promise<string> {
  const id = await queue(app, parts)
  await attempt(app, id, {})
  return id
}

const emptyCatcher = async (name: string, options: TestAppOptions = {}) =>
  testApp({ databaseUrl: await freshDatabase(name), ...options })

test('the mail catcher lists emails, newest first, and says if there are none', async () => {
  await using app = await emptyCatcher('catcher_list')
  expect((await visit(app, catcherOf(app))).text).toContain('No mails yet')
  const ids = [
    await caught(app, { to: 'ada@lantern.example' }),
    await caught(app, { to: 'eda@lantern.example' }),
  ]
  const { status, headers, text: body } = await visit(app, catcherOf(app))
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect([...body.matchAll(/href="\/mail\/[\w-]{43}\/(c\w+)"/g)].map(([, id]) => id)).toEqual(
    ids.toReversed(),
  )
  expect(body.indexOf('eda@lantern.example')).toBeLessThan(body.indexOf('ada@lantern.example'))
  expect(body).not.toContain('gbl_welcome')
})

test('an email shows links to this server as links, and others as text', async () => {
  await using app = await testApp()
  const own = `${app.url}/welcome?a=1&b=2`
  const others = [
    'https://evil.example/',
    `${app.url}.evil.example/`,
    `${app.url.replace('127.0.0.1', 'a@evil.example')}/`,
    'javascript:alert(1)',
  ]
  const id = await caught(app, { text: `Hello,\n\n${own}.\n\n${others.join('\n')}` })
  const { status, text: body } = await visit(app, `${catcherOf(app)}/${id}`)
  const hrefs = [...body.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => href)
  expect(status).toBe(200)
  expect(hrefs).toEqual([own.replaceAll('&', '&amp;'), catcherOf(app)])
  for (const other of others) expect(body).toContain(`\n${other}`)
})

test('markup in an email is shown as text', async () => {
  await using app = await testApp()
  const hostile = `<script>alert('x')</script>"><img src=x onerror=alert(1)>`
  const id = await caught(app, { to: hostile, subject: hostile, text: `${hostile} ${app.url}/"><b>x</b>` })
  for (const path of [catcherOf(app), `${catcherOf(app)}/${id}`]) {
    const { text: body } = await visit(app, path)
    expect(body).toContain('&lt;script&gt;')
    expect(body).not.toMatch(/<script|<img|<b>/)
  }
})

test('queued, failed and unknown mails are not in the mail catcher', async () => {
  await using app = await emptyCatcher('catcher_others')
  const [queued, failed] = [await queue(app), await queue(app)]
  await attempt(app, failed, respondingWith({ kind: 'rejected', answer: '550', code: '550' }))
  for (const id of [queued, failed, 'c'.padEnd(25, '0'), 'nothing', '%00', '..%2fmail'])
    expect((await visit(app, `${catcherOf(app)}/${id}`)).status).toBe(404)
  expect((await visit(app, catcherOf(app))).text).toContain('No mails yet')
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

describe('a visitor', () => {
  let app: TestApp
  let id: string

  beforeAll(async () => {
    app = await testApp()
    id = await caught(app)
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test.for(visitors)('%s: %o gets %i', async ([, headers, expected]) => {
    for (const path of [catcherOf(app), `${catcherOf(app)}/${id}`]) {
      const { status, text: body } = await visit(app, path, headers)
      expect(status).toBe(expected)
      if (expected === 404) expect(body).not.toContain('lantern')
    }
  })
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

test('only a peer on this machine can see the mail catcher', () => {
  const headers = { host: '127.0.0.1:8080' }
  expect(loopback.map((address) => isLocalRequest({ address, headers }))).toEqual(loopback.map(() => true))
  expect(elsewhere.map((address) => isLocalRequest({ address, headers }))).toEqual(elsewhere.map(() => false))
  expect(isLocalRequest({ address: '127.0.0.1', headers: {} })).toBe(false)
})

const setups: [Parameters<typeof isReachedLocally>[0], boolean][] = [
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

test.for(setups)('a server configured as %o is reached locally: %s', ([setup, expected]) => {
  expect(isReachedLocally(setup)).toBe(expected)
})

test('the mail catcher cannot be found without its secret path, even on this machine', async () => {
  await using app = await testApp()
  const id = await caught(app)
  const other = catcherOf(app).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
  const wrong = ['/mail', '/mail/', `/mail/${id}`, `/mail/x/${id}`, other, `${other}/${id}`, `/mail//${id}`]
  for (const path of wrong) {
    const { status, text } = await visit(app, path)
    expect([path, status]).toEqual([path, 404])
    expect(text).not.toContain(catcherOf(app))
    expect(text).not.toContain('lantern')
  }
})

test('with a mail server there is no mail catcher', async () => {
  await using app = await testApp({ smtp: { url: 'smtp://127.0.0.1:1', from: 'gable@brokerage.example' } })
  const id = await caught(app)
  expect(app.catcherUrl).toBeUndefined()
  for (const path of ['/mail', `/mail/${id}`]) expect((await visit(app, path)).status).toBe(404)
})

test('the mail catcher returns 405 for POST', async () => {
  await using app = await testApp()
  expect((await fetch(app.catcherUrl ?? '', { method: 'POST', body: 'x' })).status).toBe(405)
})
