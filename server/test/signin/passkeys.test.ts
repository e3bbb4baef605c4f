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

/** Somebody with a passkey, and their browser. */
async function owner(options?: { counts: boolean }) {
  const person = await it.person()
  const visitor = await it.signedIn(person)
  const device = authenticator(options)
  expect(await addPasskey(it, visitor, device)).toMatchObject({ status: 303, location: '/account/passkeys' })
  return { person, visitor, device }
}

test('a passkey signs in without an address being typed, with one of each kind of authenticator', async () => {
  for (const counts of [true, false]) {
    const { device } = await owner({ counts })
    for (let n = 0; n < 2; n++) {
      const visitor = it.visitor()
      expect(await usePasskey(it, visitor, device)).toMatchObject({
        status: 303,
        location: '/sign-in/done?return_to=%2Fsettings',
      })
      expect(await isKnown(visitor)).toBe(true)
    }
  }
})

test('a passkey that is made must be found without a name, and its use must be verified', async () => {
  const { visitor } = await owner()
  expect(asked(await visitor.get('/account/passkeys'))).toMatchObject({
    rp: { id: 'localhost' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    timeout: 300_000,
  })
  expect(asked(await it.visitor().get('/sign-in'))).toMatchObject({
    rpId: 'localhost',
    userVerification: 'required',
    allowCredentials: [],
  })
})

describe('is refused', () => {
  const mischiefs: Record<string, Mischief> = {
    'another origin': { origin: 'http://localhost:1' },
    'the origin by number': { origin: 'http://127.0.0.1' },
    'another relying party': { rpId: 'gable.example' },
    'another challenge': { challenge: Buffer.alloc(32).toString('base64url') },
    'nobody verified': { flags: 1 },
    'nobody there': { flags: 4 },
  }
  test.each(Object.entries(mischiefs))('a new passkey with %s', async (_, mischief) => {
    const visitor = await it.signedIn(await it.person())
    const refused = await addPasskey(it, visitor, authenticator(), mischief)
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('The answer of the passkey was not good.')
    expect((await visitor.get('/account/passkeys')).body).toContain('You have none yet.')
  })

  test.each(
    Object.entries({
      ...mischiefs,
      'the answer of a creation': { type: 'webauthn.create' },
      'a false signature': { forged: true },
      'the name of another person': {
        userHandle: Buffer.from('cmi8hb7w40007m2n6c8v0b3x5').toString('base64url'),
      },
      'no name of a person': { userHandle: undefined },
    } satisfies Record<string, Mischief>),
  )('a sign-in with %s', async (_, mischief) => {
    const { device } = await owner()
    const visitor = it.visitor()
    const refused = await usePasskey(it, visitor, device, mischief)
    expect(refused.status).toBe(401)
    expect(refused.body).toContain('The answer of the passkey was not good.')
    expect(isSignedIn(visitor)).toBe(false)
    // What was wrong once is no reason to refuse what is right.
    expect((await usePasskey(it, visitor, device)).status).toBe(303)
  })

  test('what is no answer', async () => {
    for (const answer of ['{', 'null', '[]', '{"id":1}', '{"id":"x"}', 'x'.repeat(60_000)]) {
      const visitor = it.visitor()
      await visitor.get('/sign-in')
      expect((await visitor.post('/sign-in', { answer })).status).toBe(401)
    }
  })

  test('a passkey that nobody has, or has no more', async () => {
    const stranger = await usePasskey(it, it.visitor(), authenticator())
    const { visitor, device } = await owner()
    await act(visitor, '/account/passkeys', { do: 'remove', id: device.id })
    const removed = await usePasskey(it, it.visitor(), device)
    for (const { status, body } of [stranger, removed]) {
      expect(status).toBe(401)
      expect(body).toContain('This passkey is not known here, or was removed.')
    }
  })

  test('a count that stays or goes back, and it stays where it was', async () => {
    const { device } = await owner()
    const signs = async (counter: number) => (await usePasskey(it, it.visitor(), device, { counter })).status
    expect([await signs(7), await signs(7), await signs(6), await signs(0), await signs(8)]).toEqual([
      303, 401, 401, 401, 303,
    ])
  })

  test('a count that two bring at once, but for one of them', async () => {
    const { device } = await owner()
    const statuses = await Promise.all(
      Array.from(
        { length: 8 },
        async () => (await usePasskey(it, it.visitor(), device, { counter: 9 })).status,
      ),
    )
    expect(statuses.toSorted()).toEqual([303, ...Array.from({ length: 7 }, () => 401)])
  })

  test('an answer that was given before, and one of sixteen at once is not', async () => {
    const { device } = await owner({ counts: false })
    const visitor = it.visitor()
    const answer = device.sign(asked<SignOptions>(await visitor.get('/sign-in')), it.here.url)
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const statuses = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const { status } = await browser(it.here).post('/sign-in', { answer }, { cookie })
        return status
      }),
    )
    expect(statuses.toSorted()).toEqual([303, ...Array.from({ length: 15 }, () => 401)])
  })

  test('a passkey that another person brings to confirm who they are', async () => {
    const [{ visitor }, stranger] = [await owner(), await owner()]
    const options = asked<SignOptions>(await visitor.get('/sign-in/confirm'))
    const answer = stranger.device.sign(options, it.here.url)
    const refused = await act(visitor, '/sign-in/confirm', { answer })
    expect(refused.status).toBe(401)
    expect(refused.body).toContain('This passkey is somebody else’s.')
  })

  test('a passkey that somebody has already', async () => {
    const { device } = await owner()
    const again = await addPasskey(it, await it.signedIn(await it.person()), device)
    expect(again.body).toContain('This passkey is known already.')
  })
})

test('a passkey confirms who one is, for one of their own', async () => {
  const { visitor, device } = await owner()
  it.app.clock.advance(11 * 60_000)
  expect((await visitor.get('/account/passkeys')).location).toBe(
    '/sign-in/confirm?return_to=%2Faccount%2Fpasskeys',
  )
  const options = asked<SignOptions & { allowCredentials: { id: string }[] }>(
    await visitor.get('/sign-in/confirm'),
  )
  expect(options.allowCredentials).toMatchObject([{ id: device.id }])
  const answer = device.sign(options, it.here.url)
  const confirmed = await act(visitor, '/sign-in/confirm', { answer, return_to: '/account/passkeys' })
  expect(confirmed).toMatchObject({ status: 303, location: '/account/passkeys' })
  expect((await visitor.get('/account/passkeys')).status).toBe(200)
})

test('a challenge lasts five minutes', async () => {
  for (const [ms, status] of [
    [300_000 - 1000, 303],
    [300_000, 401],
    [300_000 + 1000, 401],
  ] as const) {
    const { device } = await owner()
    const visitor = it.visitor()
    const options = asked<SignOptions>(await visitor.get('/sign-in'))
    it.app.clock.advance(ms)
    expect((await visitor.post('/sign-in', { answer: device.sign(options, it.here.url) })).status).toBe(
      status,
    )
  }
})

test('at the number of an address there are none, and the account says where there are', async () => {
  const person = await it.person()
  const visitor = browser(it.app)
  await signIn(visitor, person)
  expect((await browser(it.app).get('/sign-in')).body).not.toContain('data-passkey')
  const { body } = await visitor.get('/account/passkeys')
  expect(body).not.toContain('data-passkey')
  expect(body).toContain(`<a href="${it.here.url}/account/passkeys">`)
})
