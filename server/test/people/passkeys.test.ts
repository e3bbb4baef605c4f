import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Mischief, type SignOptions, authenticator } from '../support/authenticator.ts'
import { browser } from '../support/browser.ts'
import {
  type Scene,
  act,
  addPasskey,
  asked,
  isKnown,
  isSignedIn,
  scene,
  signIn,
  usePasskey,
} from './scene.ts'

let it: Scene
beforeAll(async () => {
  it = await scene()
})
afterAll(() => it[Symbol.asyncDispose]())

/** A person with a passkey, their browser, and the authenticator. */
async function owner(options?: { counts: boolean }) {
  const person = await it.person()
  const user = await it.requireSession(person)
  const device = authenticator(options)
  expect(await addPasskey(it, user, device)).toMatchObject({ status: 303, location: '/account/passkeys' })
  return { person, user, device }
}

test('a passkey signs in without an address, from authenticators with and without a counter', async () => {
  for (const counts of [true, false]) {
    const { device } = await owner({ counts })
    for (let n = 0; n < 2; n++) {
      const user = it.user()
      expect(await usePasskey(it, user, device)).toMatchObject({
        status: 303,
        location: '/sign-in/done?return_to=%2Fsettings',
      })
      expect(await isKnown(user)).toBe(true)
    }
  }
})

test('passkeys must be discoverable and require user verification', async () => {
  const { user } = await owner()
  expect(asked(await user.get('/account/passkeys'))).toMatchObject({
    rp: { id: 'localhost' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    timeout: 300_000,
  })
  expect(asked(await it.user().get('/sign-in'))).toMatchObject({
    rpId: 'localhost',
    userVerification: 'required',
    allowCredentials: [],
  })
})

describe('rejects', () => {
  const mischiefs: Record<string, Mischief> = {
    'another origin': { origin: 'http://localhost:1' },
    'the origin by number': { origin: 'http://127.0.0.1' },
    'another relying party': { rpId: 'gable.example' },
    'another challenge': { challenge: Buffer.alloc(32).toString('base64url') },
    'no user verification': { flags: 1 },
    'no user presence': { flags: 4 },
  }
  test.each(Object.entries(mischiefs))('a new passkey with %s', async (_, mischief) => {
    const user = await it.requireSession(await it.person())
    const rejected = await addPasskey(it, user, authenticator(), mischief)
    expect(rejected.status).toBe(400)
    expect(rejected.body).toContain('The passkey could not be verified.')
    expect((await user.get('/account/passkeys')).body).toContain('You have no passkeys yet.')
  })

  test.each(
    Object.entries({
      ...mischiefs,
      'the response of a registration': { type: 'webauthn.create' },
      'a false signature': { forged: true },
      'the name of another person': {
        userHandle: Buffer.from('cmi8hb7w40007m2n6c8v0b3x5').toString('base64url'),
      },
      'no name of a person': { userHandle: undefined },
    } satisfies Record<string, Mischief>),
  )('a sign-in with %s', async (_, mischief) => {
    const { device } = await owner()
    const user = it.user()
    const rejected = await usePasskey(it, user, device, mischief)
    expect(rejected.status).toBe(401)
    expect(rejected.body).toContain('The passkey could not be verified.')
    expect(isSignedIn(user)).toBe(false)
    // A rejected response does not block a valid one.
    expect((await usePasskey(it, user, device)).status).toBe(303)
  })

  test('an invalid response', async () => {
    for (const credential of ['{', 'null', '[]', '{"id":1}', '{"id":"x"}', 'x'.repeat(60_000)]) {
      const user = it.user()
      await user.get('/sign-in')
      expect((await user.post('/sign-in', { answer: credential })).status).toBe(401)
    }
  })

  test('an unknown or removed passkey', async () => {
    const outsider = await usePasskey(it, it.user(), authenticator())
    const { user, device } = await owner()
    await act(user, '/account/passkeys', { do: 'remove', id: device.id })
    const removed = await usePasskey(it, it.user(), device)
    for (const { status, body } of [outsider, removed]) {
      expect(status).toBe(401)
      expect(body).toContain('This passkey is unknown or was removed.')
    }
  })

  test('a counter that does not increase, without storing it', async () => {
    const { device } = await owner()
    const signs = async (counter: number) => (await usePasskey(it, it.user(), device, { counter })).status
    expect([await signs(7), await signs(7), await signs(6), await signs(0), await signs(8)]).toEqual([
      303, 401, 401, 401, 303,
    ])
  })

  test('all but one of eight concurrent sign-ins with the same counter', async () => {
    const { device } = await owner()
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await usePasskey(it, it.user(), device, { counter: 9 })).status),
    )
    expect(statuses.toSorted()).toEqual([303, ...Array.from({ length: 7 }, () => 401)])
  })

  test('all but one of sixteen concurrent uses of the same response', async () => {
    const { device } = await owner({ counts: false })
    const user = it.user()
    const credential = device.sign(asked<SignOptions>(await user.get('/sign-in')), it.here.url)
    const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const statuses = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const { status } = await browser(it.here).post('/sign-in', { answer: credential }, { cookie })
        return status
      }),
    )
    expect(statuses.toSorted()).toEqual([303, ...Array.from({ length: 15 }, () => 401)])
  })

  test('another person’s passkey when confirming an identity', async () => {
    const [{ user }, outsider] = [await owner(), await owner()]
    const options = asked<SignOptions>(await user.get('/sign-in/confirm'))
    const credential = outsider.device.sign(options, it.here.url)
    const rejected = await act(user, '/sign-in/confirm', { answer: credential })
    expect(rejected.status).toBe(401)
    expect(rejected.body).toContain('This passkey belongs to another person.')
  })

  test('a passkey that is already registered', async () => {
    const { device } = await owner()
    const again = await addPasskey(it, await it.requireSession(await it.person()), device)
    expect(again.body).toContain('This passkey was already added.')
  })
})

test('a person can confirm their identity with one of their own passkeys', async () => {
  const { user, device } = await owner()
  it.app.clock.advance(11 * 60_000)
  expect((await user.get('/account/passkeys')).location).toBe(
    '/sign-in/confirm?return_to=%2Faccount%2Fpasskeys',
  )
  const options = asked<SignOptions & { allowCredentials: { id: string }[] }>(
    await user.get('/sign-in/confirm'),
  )
  expect(options.allowCredentials).toMatchObject([{ id: device.id }])
  const credential = device.sign(options, it.here.url)
  const confirmed = await act(user, '/sign-in/confirm', {
    answer: credential,
    return_to: '/account/passkeys',
  })
  expect(confirmed).toMatchObject({ status: 303, location: '/account/passkeys' })
  expect((await user.get('/account/passkeys')).status).toBe(200)
})

test('a challenge expires after five minutes', async () => {
  for (const [ms, status] of [
    [300_000 - 1000, 303],
    [300_000, 401],
    [300_000 + 1000, 401],
  ] as const) {
    const { device } = await owner()
    const user = it.user()
    const options = asked<SignOptions>(await user.get('/sign-in'))
    it.app.clock.advance(ms)
    expect((await user.post('/sign-in', { answer: device.sign(options, it.here.url) })).status).toBe(status)
  }
})

test('passkeys are not offered at an IP address, and the account page links to where they are', async () => {
  const person = await it.person()
  const user = browser(it.app)
  await signIn(user, person)
  expect((await browser(it.app).get('/sign-in')).body).not.toContain('data-passkey')
  const { body } = await user.get('/account/passkeys')
  expect(body).not.toContain('data-passkey')
  expect(body).toContain(`<a href="${it.here.url}/account/passkeys">`)
})
