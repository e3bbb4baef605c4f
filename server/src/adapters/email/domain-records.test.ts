import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { isDomainAuthenticated } from './domain-records.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
const other = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
const pem = (key: typeof privateKey) => String(key.export({ type: 'pkcs8', format: 'pem' }))
const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const pkcs1 = publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')
const otherKey = other.export({ type: 'spki', format: 'der' }).toString('base64')

const settings = { dkim_domain: 'lantern.example', dkim_selector: 'gable' }
const signing = (privatePem: string) => ({
  smtp: { host: 'mail.lantern.example', port: 465, secure: true },
  imap: null,
  dkim: { domain: 'lantern.example', selector: 'gable', privateKey: privatePem },
})
const complete: Record<string, string[]> = {
  'lantern.example': ['site-verification=1', 'v=spf1 include:_spf.mail.example -all'],
  'gable._domainkey.lantern.example': [`v=DKIM1; k=rsa; p=${p}`],
  '_dmarc.lantern.example': ['v=DMARC1; p=quarantine; rua=mailto:dmarc@lantern.example'],
}
const key = 'gable._domainkey.lantern.example'
type Records = Record<string, string[] | Error>
const lookupIn = (records: Records) => async (name: string) => {
  const found = records[name] ?? []
  if (found instanceof Error) throw found
  return found
}
const authenticated = (
  records: Records,
  address = 'office@lantern.example',
  email = signing(pem(privateKey)),
) => isDomainAuthenticated(lookupIn(records), { settings, email }, address)

test.for<[string, Records, boolean]>([
  ['all three', complete, true],
  [
    'a key with spaces, as PKCS #1',
    { ...complete, [key]: [`k=rsa; p=${pkcs1.slice(0, 9)} ${pkcs1.slice(9)}`] },
    true,
  ],
  ['no SPF', { ...complete, 'lantern.example': ['site-verification=1'] }, false],
  ['another version of SPF', { ...complete, 'lantern.example': ['v=spf10 -all'] }, false],
  ['no DKIM key', { ...complete, [key]: [] }, false],
  ['a revoked DKIM key', { ...complete, [key]: ['v=DKIM1; p='] }, false],
  ['the key of someone else', { ...complete, [key]: [`v=DKIM1; p=${otherKey}`] }, false],
  ['no DMARC', { ...complete, '_dmarc.lantern.example': [] }, false],
  ['no such domain', {}, false],
])('the authentication check is correct for a domain with %s', async ([, records, expected]) => {
  expect(await authenticated(records)).toBe(expected)
})

test('an Ed25519 key is compared by its 32 raw bytes', async () => {
  const pair = generateKeyPairSync('ed25519')
  const raw = pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
  const records = { ...complete, [key]: [`v=DKIM1; k=ed25519; p=${raw}`] }
  expect(await authenticated(records, undefined, signing(pem(pair.privateKey)))).toBe(true)
})

test('any published key is accepted if we do not hold the private key', async () => {
  const records = { ...complete, [key]: [`v=DKIM1; p=${otherKey}`] }
  const lookup = lookupIn(records)
  expect(await isDomainAuthenticated(lookup, { settings }, 'office@lantern.example')).toBe(true)
})

test('a subdomain inherits DMARC but needs its own SPF record', async () => {
  const within = 'office@mail.lantern.example'
  expect(await authenticated(complete, within)).toBe(false)
  expect(await authenticated({ ...complete, 'mail.lantern.example': ['v=spf1 -all'] }, within)).toBe(true)
})

test('without DKIM settings, or for an unrelated domain, the result is undefined', async () => {
  const lookup = lookupIn(complete)
  expect(await isDomainAuthenticated(lookup, { settings: {} }, 'office@lantern.example')).toBeUndefined()
  expect(await authenticated(complete, 'office@oak.example')).toBeUndefined()
})

test.for(Object.keys(complete))('a failed lookup of %s is an error', async (name) => {
  await expect(authenticated({ ...complete, [name]: new Error('ETIMEOUT') })).rejects.toThrow('ETIMEOUT')
})
