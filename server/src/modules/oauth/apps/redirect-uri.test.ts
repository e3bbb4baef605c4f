import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePoint } from '#test/support/code-point.ts'
import { appendTo, matchesRedirectUri, redirectUriIssue } from './redirect-uri.ts'

test.each([
  'https://app.example/callback',
  'https://app.example',
  'https://app.example:8443/a/b?x=1&y=%20',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:3000/callback',
  'http://[::1]/callback',
  'http://localhost:3000/',
  'com.example.app:/callback',
  'com.example.app://callback',
])('accepts the redirect URI %s', (uri) => expect(redirectUriIssue(uri)).toBeUndefined())

test.each([
  '',
  '/callback',
  'app.example/callback',
  'http://app.example/callback',
  'http://127.0.0.1.evil.example/',
  'http://127.0.0.1:80@evil.example/',
  'http://localhost.evil.example/',
  'https://user@app.example/',
  'https://user:password@app.example/',
  'https://app.example/#fragment',
  'https://app.example/#',
  'https://app.example/ a',
  'https://app.example/\n',
  'https:\\\\app.example/',
  'https://app.example;sandbox/',
  'https://app.example,default-src/',
  'https://*/',
  'https://*.example/',
  'https:app.example',
  'https:///app.example',
  'https://',
  'https://app.example/é',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'myapp:/callback',
  `https://app.example/${'x'.repeat(2048)}`,
])('rejects the redirect URI %s', (uri) => {
  expect(redirectUriIssue(uri)).toBeTypeOf('string')
})

const path = fc.webPath().map((one) => (one === '' ? '/' : one))

test('an https redirect URI matches only itself', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ validSchemes: ['https'] }),
      fc.webUrl({ validSchemes: ['https'] }),
      (one, other) => {
        expect(matchesRedirectUri(one, one)).toBe(true)
        expect(matchesRedirectUri(one, other)).toBe(one === other)
      },
    ),
  )
})

test('a redirect URI that differs by one character does not match', () => {
  fc.assert(
    fc.property(path, fc.nat(), fc.stringMatching(/^[!-~]$/), (rest, at, letter) => {
      for (const base of ['https://app.example', 'http://127.0.0.1']) {
        const uri = base + rest
        const place = at % (uri.length + 1)
        const changed = [
          uri.slice(0, place) + letter + uri.slice(place),
          uri.slice(0, place) + uri.slice(place + 1),
          uri.slice(0, place) + letter + uri.slice(place + 1),
        ]
        for (const one of changed) expect(matchesRedirectUri(uri, one)).toBe(one === uri)
      }
    }),
  )
})

test('a loopback redirect URI matches on any port', () => {
  const hosts = fc.constantFrom('127.0.0.1', '[::1]', 'localhost')
  fc.assert(
    fc.property(hosts, path, fc.nat({ max: 65_535 }), fc.nat({ max: 65_535 }), (host, rest, one, other) => {
      const [registered, sent] = [`http://${host}:${one}${rest}`, `http://${host}:${other}${rest}`]
      expect(matchesRedirectUri(registered, sent)).toBe(true)
      expect(matchesRedirectUri(`http://${host}${rest}`, sent)).toBe(true)
      expect(matchesRedirectUri(registered, `${sent}x`)).toBe(false)
      expect(new URL(sent).hostname).toBe(host)
    }),
  )
})

test('every URI that matches a loopback redirect URI has the same host and path', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      '127.0.0.1',
      'localhost',
      '@',
      ':',
      '80',
      '/done',
      '/',
      '\\',
      '?',
      '#',
      '.evil.example',
      'x',
      '%2f',
    ),
    maxLength: 8,
  })
  let matched = 0
  fc.assert(
    fc.property(hostile, (tail) => {
      const sent = `http://127.0.0.1${tail}`
      if (!matchesRedirectUri('http://127.0.0.1/done', sent)) return
      matched += 1
      expect(new URL(sent).hostname).toBe('127.0.0.1')
      expect(sent).toMatch(/^http:\/\/127\.0\.0\.1(:\d+)?\/done$/)
    }),
    { numRuns: 5000 },
  )
  expect(matched).toBeGreaterThan(10)
})

test('response parameters are appended and leave the registered URI unchanged', () => {
  const values = fc.dictionary(
    fc.constantFrom('code', 'state', 'iss', 'error'),
    fc.string({ unit: codePoint, maxLength: 20 }),
    { minKeys: 1 },
  )
  const uris = fc.constantFrom(
    'https://app.example',
    'https://app.example/a?',
    'https://app.example/a?b=%2F+c',
    'https://app.example/a?b&',
    'com.example.app:/done',
    'http://127.0.0.1:1/',
  )
  fc.assert(
    fc.property(uris, values, (uri, parameters) => {
      const location = appendTo(uri, parameters)
      expect(location.startsWith(uri)).toBe(true)
      expect(location).toMatch(/^[!-~]+$/)
      const { searchParams, hash } = new URL(location)
      for (const [name, value] of Object.entries(parameters))
        expect(searchParams.getAll(name)).toEqual([value])
      expect(hash).toBe('')
      expect(new URL(uri).searchParams.size + Object.keys(parameters).length).toBe(searchParams.size)
    }),
  )
})
