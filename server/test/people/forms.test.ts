import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { returnTo } from '../../src/modules/account/guards.ts'
import { codePoint } from '../support/code-point.ts'
import { fingerprint } from '../support/database.ts'
import { type Scene, csrfOf, isKnown, scene, sessionCookie } from './scene.ts'

let it: Scene
beforeAll(async () => {
  it = await scene()
})
afterAll(() => it[Symbol.asyncDispose]())

/** The forms of sign-in, invitations and accounts. */
const forms: Record<string, { path: string; fields: Record<string, string>; open?: true }> = {
  'signing in': { path: '/sign-in', fields: { email: 'a@b.example', password: 'x' }, open: true },
  'signing in by passkey': { path: '/sign-in', fields: { answer: '{}' }, open: true },
  'the second step': { path: '/sign-in/second-step', fields: { code: '000000' }, open: true },
  'asking for a link': { path: '/sign-in/forgot', fields: { email: 'a@b.example' }, open: true },
  'setting a password by link': { path: '/sign-in/reset', fields: { token: 'x', password: 'x' }, open: true },
  'accepting an invitation': { path: '/invitation', fields: { token: 'x' } },
  'signing out': { path: '/sign-out', fields: {} },
  'confirming who one is': { path: '/sign-in/confirm', fields: { password: 'correct horse battery staple' } },
  'changing the password': { path: '/account/password', fields: { password: 'another good password' } },
  'beginning a second step': { path: '/account/second-step', fields: { do: 'begin' } },
  'removing a second step': { path: '/account/second-step', fields: { do: 'remove' } },
  'adding a passkey': { path: '/account/passkeys', fields: { do: 'add', name: 'x', answer: '{}' } },
  'removing a passkey': { path: '/account/passkeys', fields: { do: 'remove', id: 'x' } },
  'ending sessions': { path: '/account/sessions', fields: { do: 'end-all' } },
}

const foreign: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://elsewhere.example' },
  { origin: 'http://localhost:1' },
  { origin: 'null' },
]

test.each(Object.entries(forms))(
  '%s from another site’s page is rejected, and nothing changes',
  async (_, { path, fields }) => {
    const user = await it.requireSession(await it.person())
    const csrf = await csrfOf(user)
    const before = await fingerprint(it.app.databaseUrl)
    for (const headers of foreign) {
      const { status, body } = await it.plain(user).post(path, { csrf, ...fields }, headers)
      expect([headers, status]).toEqual([headers, 403])
      expect(body).toContain('This form was not sent from a page of this server')
    }
    expect(await fingerprint(it.app.databaseUrl)).toEqual(before)
  },
)

test.each(Object.entries(forms).filter(([, { open }]) => open === undefined))(
  '%s without its page’s CSRF token is rejected, and nothing changes',
  async (_, { path, fields }) => {
    const [user, outsider] = [
      await it.requireSession(await it.person()),
      await it.requireSession(await it.person()),
    ]
    const before = await fingerprint(it.app.databaseUrl)
    for (const csrf of ['', 'x', await csrfOf(outsider), user.cookies.get(sessionCookie) ?? ''])
      expect((await user.post(path, { csrf, ...fields })).status).toBe(403)
    expect(await fingerprint(it.app.databaseUrl)).toEqual(before)
    expect(await isKnown(user)).toBe(true)
  },
)

test('a form that has control characters or is far too long is rejected', async () => {
  const user = it.user()
  expect((await user.post('/sign-in', { email: 'a\u0000b', password: 'x' })).status).toBe(400)
  expect((await user.post('/sign-in', { email: 'x'.repeat(70_000), password: 'x' })).status).toBe(413)
})

describe('the redirect after a sign-in', () => {
  test.each([
    ['/settings/abc?tab=keys', '/settings/abc?tab=keys'],
    ['', '/settings'],
    ['settings', '/settings'],
    ['https://elsewhere.example/', '/settings'],
    ['//elsewhere.example/', '/settings'],
    ['/\\elsewhere.example', '/settings'],
    ['\\\\elsewhere.example', '/settings'],
    ['/\t/elsewhere.example', '/settings'],
    ['/.//elsewhere.example', '/settings'],
    ['/a/..//elsewhere.example', '/settings'],
    ['/%2F/elsewhere.example', '/%2F/elsewhere.example'],
    ['javascript:alert(1)', '/settings'],
    ['/a\r\nset-cookie: x=y', '/aset-cookie:%20x=y'],
    ['/#//elsewhere.example', '/'],
  ])('%j leads to %j', (wanted, to) => expect(returnTo(wanted)).toBe(to))

  test('stays on this server for any input', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '//',
      '.',
      '..',
      '%2f',
      '%5c',
      '@',
      ':',
      '?',
      '#',
      '\t',
      '\n',
      'a',
      'http:',
      'evil.example',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((some) => some.join('')),
          fc.webUrl(),
          fc.string({ unit: codePoint }),
        ),
        (wanted) => {
          const to = returnTo(wanted)
          const url = new URL(to, 'https://gable.example')
          expect(url.origin).toBe('https://gable.example')
          expect(to).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
        },
      ),
      { numRuns: 5000 },
    )
  })
})
