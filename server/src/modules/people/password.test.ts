import { execFile } from 'node:child_process'
import { argon2Sync } from 'node:crypto'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ValidationFailed } from '#kernel/errors.ts'
import { hashPassword, isDated, isPassword, requirePassword } from './password.ts'

const email = 'ada.reyes@lantern.example'

describe('a password', () => {
  test.each([
    ['nine signs', 'k7#mQ2!xZ', 'must have at least 10 characters'],
    [
      'nine characters of two units each',
      '🏠🔑🚪🪟🛏️🛁🚿🪴'.slice(0, 16),
      'must have at least 10 characters',
    ],
    ['ten signs', 'k7#mQ2!xZa', undefined],
    ['words', 'correct horse battery staple', undefined],
    ['letters alone', 'lighthousekeeper', undefined],
    ['another script', 'пароль не для всех', undefined],
    ['256 characters', 'abcd'.repeat(64), undefined],
    ['257 characters', `${'abcd'.repeat(64)}e`, 'must have at most 256 characters'],
    ['the address', email.toUpperCase(), 'must not be your email address'],
    ['a usual one', 'password123', 'is too common'],
    ['a usual one in capitals', 'PASSWORD123', 'is too common'],
    ['a row of keys', 'qwertyuiop', 'is too common'],
    ['digits in a row', '1234567890', 'is too common'],
    ['one letter', 'aaaaaaaaaaaa', 'is too common'],
    ['three letters', 'abcabcabcabc', 'is too common'],
    ['a control character', 'correct\u0007horse', 'contains a control character or half a surrogate pair'],
    ['half a character', `correct horse\ud83c`, 'contains a control character or half a surrogate pair'],
  ])('of %s', (_, password, fault) => {
    const judge = () => requirePassword(password, email)
    if (fault === undefined) expect(judge).not.toThrow()
    else expect(judge).toThrow(ValidationFailed([{ path: 'password', message: fault }]))
  })
})

test('a hash records its Argon2id parameters: 19 MiB and two passes', async () => {
  const script = `import { hashPassword } from ${JSON.stringify(import.meta.resolve('./password.ts'))}
    process.stdout.write(await hashPassword('the same words'))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  expect(stdout).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await isPassword('the same words', stdout)).toBe(true)
})

test('a hash has its own salt and matches only its exact password', async () => {
  const [one, other] = await Promise.all([hashPassword('the same words'), hashPassword('the same words')])
  expect(one).not.toBe(other)
  expect(await isPassword('the same words', one)).toBe(true)
  for (const wrong of ['the same word', 'The same words', 'the same words ', ''])
    expect(await isPassword(wrong, one)).toBe(false)
})

test('composed and decomposed Unicode forms are the same password', async () => {
  const hash = await hashPassword('Zu\u0308rich am See')
  expect(await isPassword('Z\u00fcrich am See', hash)).toBe(true)
})

test('no password matches a person who has none', async () => {
  for (const guess of ['', 'null', 'correct horse battery staple'])
    expect(await isPassword(guess, null)).toBe(false)
})

test('a hash with other parameters still verifies and is flagged as dated', async () => {
  const [nonce, password] = [Buffer.alloc(16, 7), 'what was hashed last year']
  const tag = argon2Sync('argon2id', {
    message: password,
    nonce,
    tagLength: 32,
    memory: 8192,
    passes: 3,
    parallelism: 1,
  })
  const bare = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const dated = `$argon2id$v=19$m=8192,t=3,p=1$${bare(nonce)}$${bare(tag)}`
  expect([await isPassword(password, dated), isDated(dated)]).toEqual([true, true])
  expect(isDated(await hashPassword(password))).toBe(false)
})
