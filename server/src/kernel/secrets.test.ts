import { expect, test } from 'vitest'
import { keyRing } from './secrets.ts'

const older = 'the older secret, long enough to be one'
const newer = 'the newer secret, long enough to be one'

test('a ring with a newer secret decrypts older texts, but a ring without the older secret does not', () => {
  const sealed = keyRing([older]).seal('things', 'whsec_ä', 'here')
  expect(sealed.includes('whsec')).toBe(false)
  expect(keyRing([newer, older]).open('things', sealed, 'here')).toBe('whsec_ä')
  expect(() => keyRing([newer]).open('things', sealed, 'here')).toThrow('No secret')
})

test('the mark identifies texts encrypted with the newest secret', () => {
  const ring = keyRing([newer, older])
  const mark = ring.sealMark('things')
  expect(ring.seal('things', 'text', 'here').subarray(0, mark.length)).toEqual(mark)
  expect(keyRing([older]).seal('things', 'text', 'here').subarray(0, mark.length)).not.toEqual(mark)
})

test('a text is decrypted only for its purpose, in its context, and if unaltered', () => {
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

test('encrypting a text twice returns different bytes', () => {
  const ring = keyRing([newer])
  expect(ring.seal('things', 'text', 'here')).not.toEqual(ring.seal('things', 'text', 'here'))
})

test('an empty ring does not sign or encrypt', () => {
  expect(() => keyRing([]).sign('things', 'text')).toThrow('empty')
  expect(() => keyRing([]).seal('things', 'text', 'here')).toThrow('empty')
})

test('a short signature has 13 characters and verifies only its text, purpose, and secret', () => {
  const ring = keyRing([newer, older])
  const signed = ring.signShort('things', 'text')
  expect(signed).toMatch(/^[0-9a-z]{13}$/)
  expect(ring.verifiesShort('things', 'text', signed)).toBe(true)
  expect(ring.verifiesShort('things', 'text', keyRing([older]).signShort('things', 'text'))).toBe(true)
  const strange = ['', 'é'.repeat(13), signed.toUpperCase(), `${signed} `, ring.signShort('things', 'text2')]
  for (const one of strange) expect(ring.verifiesShort('things', 'text', one)).toBe(false)
  expect(ring.verifiesShort('other', 'text', signed)).toBe(false)
  expect(keyRing([older]).verifiesShort('things', 'text', signed)).toBe(false)
})

test('deterministic sealing returns the same bytes for the same text and different ones for others', () => {
  const ring = keyRing([newer])
  const sealed = ring.sealSame('things', 'text', 'here')
  expect(ring.sealSame('things', 'text', 'here')).toEqual(sealed)
  expect(ring.open('things', sealed, 'here')).toBe('text')
  const nonces = [sealed, ring.sealSame('things', 'text2', 'here'), ring.sealSame('things', 'text', 'there')]
  expect(new Set(nonces.map((one) => one.subarray(5, 17).toString('hex'))).size).toBe(3)
})
