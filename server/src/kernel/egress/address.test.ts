import { isIP } from 'node:net'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { codePoint } from '#test/support/code-point.ts'
import { isAllowedAddress, readTarget } from './address.ts'

const strict = { allowHttp: 'none', allowPrivate: 'none' } as const

/** Texts that are URLs or almost URLs, composed of parts that may be wrong. */
const nearlyUrl = fc
  .tuple(
    fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:', 'https:/', 'ftp://', '//', ''),
    fc.oneof(fc.constant(''), fc.constantFrom('a@', 'a:b@', '@'), fc.string()),
    fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV4Extended(),
      fc.ipV6().map((ip) => `[${ip}]`),
      fc.nat({ max: 0xffffffff }).map((n) => `0x${n.toString(16)}`),
      fc.constantFrom('localhost', 'ⓛocalhost', 'a.localhost', 'x.internal', 'db', '１２７.0.0.1', '0'),
      fc.string({ unit: codePoint }),
    ),
    fc.oneof(
      fc.constant(''),
      fc.nat({ max: 70_000 }).map((port) => `:${port}`),
      fc.string(),
    ),
    fc.oneof(fc.webPath(), fc.constant('/'), fc.string({ unit: codePoint })),
  )
  .map((parts) => parts.join(''))

const anyText = fc.oneof(nearlyUrl, fc.webUrl({ withQueryParameters: true }), fc.string({ unit: codePoint }))

test('only https URLs to a name with a dot or to a public address are accepted', () => {
  let accepted = 0
  fc.assert(
    fc.property(anyText, (text) => {
      const target = readTarget(text, strict)
      if (typeof target === 'string') return
      accepted += 1
      const { origin, path, hostname } = target
      expect(text.toLowerCase().startsWith('https://')).toBe(true)
      expect(new URL(origin).origin).toBe(origin)
      expect(origin.startsWith('https://')).toBe(true)
      expect(path).toMatch(/^\/[\x21-\x7e]*$/)
      if (isIP(hostname) === 0) expect(hostname).toMatch(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/)
      else expect(ipaddr.parse(hostname).range()).toBe('unicast')
    }),
    { numRuns: 20_000 },
  )
  expect(accepted).toBeGreaterThan(500)
})

test('an IPv4 address embedded in an IPv6 address is never allowed', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      const allowed = isAllowedAddress(ip, 'none')
      expect(typeof readTarget(`https://${ip}/`, strict) === 'object').toBe(allowed)
      for (const disguise of [
        `::ffff:${ip}`,
        `::${ip}`,
        `64:ff9b::${ip}`,
        `64:ff9b:1::${ip}`,
        `::ffff:0:${ip}`,
      ])
        expect(isAllowedAddress(disguise, 'loopback'), disguise).toBe(false)
    }),
  )
})

test('no IPv6 address outside 2000::/3 is public', () => {
  let allowed = 0
  fc.assert(
    fc.property(fc.ipV6(), (ip) => {
      const [first = 0] = ipaddr.parse(ip).toByteArray()
      if (!isAllowedAddress(ip, 'none')) return
      allowed += 1
      expect(first >> 5).toBe(1)
    }),
    { numRuns: 2_000 },
  )
  expect(allowed).toBeGreaterThan(10)
})

test.for(['', 'hooks.example.com', 'localhost', '127.1', '0x7f.1', '1.2.3', '[::1]', '::1%', '8.8.8.8 '])(
  'text that is not an IP address is never allowed: %s',
  (text) => {
    for (const reach of ['none', 'loopback', 'all'] as const)
      expect(isAllowedAddress(text, reach)).toBe(false)
  },
)

test.for([
  ['127.0.0.1', false, true, true],
  ['::1', false, true, true],
  ['10.0.0.1', false, false, true],
  ['fe80::1%eth0', false, false, true],
  ['8.8.8.8', true, true, true],
  ['2606:4700::1111', true, true, true],
] as const)('checks %s against each allowed range', ([address, none, loopback, all]) => {
  expect([
    isAllowedAddress(address, 'none'),
    isAllowedAddress(address, 'loopback'),
    isAllowedAddress(address, 'all'),
  ]).toEqual([none, loopback, all])
})
