import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { keyRing } from '#kernel/secrets.ts'
import {
  bounceAddress,
  messageIdHeader,
  readAddressToken,
  readMessageIdHeader,
  readUnsubscribeToken,
  replyAddress,
  unsubscribeToken,
} from './tokens.ts'

const older = 'the older secret, long enough to be one'
const newer = 'the newer secret, long enough to be one'
const owner = { keys: keyRing([newer, older]), workspaceId: newId(new Date()) }
const id = newId(new Date())

describe('an address with a token', () => {
  const reply = replyAddress(owner, 'sales+x@lantern.example', id)
  const bounce = bounceAddress(owner, 'sales@lantern.example', id)

  test('is read back in any letter case', () => {
    const read = { kind: 'reply', conversationId: id, address: 'sales+x@lantern.example' }
    expect(readAddressToken(owner, reply)).toEqual(read)
    expect(readAddressToken(owner, reply.toUpperCase())).toEqual(read)
    expect(readAddressToken(owner, bounce)).toEqual({
      kind: 'bounce',
      attemptId: id,
      address: 'sales@lantern.example',
    })
  })

  test('made with an older secret is read back', () => {
    const before = { ...owner, keys: keyRing([older]) }
    expect(readAddressToken(owner, replyAddress(before, 'a@b.example', id))).toMatchObject({
      conversationId: id,
    })
  })

  test.for([
    ['without one', 'sales@lantern.example'],
    ['of another kind', reply.replace('+r-', '+b-')],
    ['of an unknown kind', reply.replace('+r-', '+q-')],
    ['for another id', reply.replace(id, newId(new Date()))],
    ['cut short', reply.replace('@', '').replace(/.(?=lantern)/, '@')],
    ['with one more letter', reply.replace('@', 'a@')],
  ])('%s is rejected', ([, address]) => {
    expect(readAddressToken(owner, address ?? '')).toBeUndefined()
  })

  test('of another workspace is rejected', () => {
    expect(readAddressToken({ ...owner, workspaceId: newId(new Date()) }, reply)).toBeUndefined()
  })

  test('has at most 64 characters before the @; a longer address is left unchanged', () => {
    const longest = `${'x'.repeat(23)}@lantern.example`
    expect(replyAddress(owner, longest, id).indexOf('@')).toBe(64)
    expect(replyAddress(owner, `x${longest}`, id)).toBe(`x${longest}`)
  })
})

describe('an unsubscribe token', () => {
  const wish = { workspaceId: owner.workspaceId, messageId: id, address: 'sam@reyes.example' }
  const token = unsubscribeToken(owner.keys, wish)

  test('is stable, hides the address, and is read back', () => {
    expect(unsubscribeToken(owner.keys, wish)).toBe(token)
    expect(Buffer.from(token, 'base64url').toString()).not.toContain('reyes')
    expect(readUnsubscribeToken(owner.keys, token)).toEqual(wish)
  })

  test('made with an older secret is read back only while that secret is in the key ring', () => {
    const before = unsubscribeToken(keyRing([older]), wish)
    expect(readUnsubscribeToken(owner.keys, before)).toEqual(wish)
    expect(readUnsubscribeToken(keyRing([newer]), before)).toBeUndefined()
  })

  test('that is altered, truncated, or made with another secret is rejected', () => {
    const bytes = Buffer.from(token, 'base64url')
    for (const place of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[place] = (changed[place] ?? 0) ^ 1
      expect(readUnsubscribeToken(owner.keys, changed.toString('base64url'))).toBeUndefined()
    }
    for (const short of ['', 'x', token.slice(0, 30)])
      expect(readUnsubscribeToken(owner.keys, short)).toBeUndefined()
    const foreign = unsubscribeToken(keyRing(['another secret, long enough to be one']), wish)
    expect(readUnsubscribeToken(owner.keys, foreign)).toBeUndefined()
  })
})

test('a Message-ID is read back however a reply quotes it, and a foreign one is not', () => {
  const header = messageIdHeader(id, 'sales@lantern.example')
  expect(header).toBe(`<${id}@lantern.example>`)
  for (const quoted of [header, ` ${header} `, header.toUpperCase(), header.slice(1, -1)])
    expect(readMessageIdHeader(quoted)).toBe(id)
  for (const strange of ['', '<a@b>', `<${id}>`, `<${id}x@lantern.example>`, `${header}${header}`])
    expect(readMessageIdHeader(strange)).toBeUndefined()
})
