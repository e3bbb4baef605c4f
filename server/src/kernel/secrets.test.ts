import { expect, test } from 'vitest'
import { keyRing } from './secrets.ts'

const older = 'the older secret, long enough to be one'
const newer = 'the newer secret, long enough to be one'

test('what the older secret sealed, a ring with the newer one in front opens; without it, none does', () => {
  const sealed = keyRing([older]).seal('things', 'whsec_ä', 'here')
  expect(sealed.includes('whsec')).toBe(false)
  expect(keyRing([newer, older]).open('things', sealed, 'here')).toBe('whsec_ä')
  expect(() => keyRing([newer]).open('things', sealed, 'here')).toThrow('No secret')
})

test('the mark tells what the newest secret sealed', () => {
  const ring = keyRing([newer, older])
  const mark = ring.sealMark('things')
  expect(ring.seal('things', 'text', 'here').subarray(0, mark.length)).toEqual(mark)
  expect(keyRing([older]).seal('things', 'text', 'here').subarray(0, mark.length)).not.toEqual(mark)
})

test('what is sealed opens only for its purpose, in its place and unaltered', () => {
  const ring = keyRing([newer])
  const sealed = ring.seal('things', 'text', 'here')
  expect(() => ring.open('others', sealed, 'here')).toThrow('No secret')
  expect(() => ring.open('things', sealed, 'there')).toThrow('authenticate')
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed)
    altered[at] = (altered[at] ?? 0) ^ 1
    expect(() => ring.open('things', altered, 'here'), `byte ${at}`).toThrow(/authenticate|No secret/)
  }
})

test('the same text is never sealed to the same bytes', () => {
  const ring = keyRing([newer])
  expect(ring.seal('things', 'text', 'here')).not.toEqual(ring.seal('things', 'text', 'here'))
})

test('an empty ring neither signs nor seals', () => {
  expect(() => keyRing([]).sign('things', 'text')).toThrow('empty')
  expect(() => keyRing([]).seal('things', 'text', 'here')).toThrow('empty')
})
