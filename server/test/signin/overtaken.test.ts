import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import type { Acting } from '../../src/modules/signin/acting.ts'
import { addPasskey, removePasskey } from '../../src/modules/signin/add-passkey.ts'
import { type PersonRow, findPersonByEmail } from '../../src/modules/signin/people-queries.ts'
import {
  endSessions,
  listPasskeys,
  listSessions,
  sendReset,
  setPassword,
} from '../../src/modules/signin/public.ts'
import {
  beginSecondStep,
  confirmSecondStep,
  removeSecondStep,
  renewRecoveryCodes,
} from '../../src/modules/signin/second-step.ts'
import { startSession } from '../../src/modules/signin/session.ts'
import { startSecondStep } from '../../src/modules/signin/step.ts'
import { type CreateOptions, authenticator } from '../support/authenticator.ts'
import type { Browser, Person } from '../support/browser.ts'
import {
  type Scene,
  act,
  addPasskey as add,
  asked,
  codeAt,
  csrfOf,
  scene,
  signIn,
  turnOnSecondStep,
} from './scene.ts'

let it: Scene
beforeAll(async () => {
  it = await scene()
})
afterAll(() => it[Symbol.asyncDispose]())

const overtaken = { status: 409, code: 'conflict' }
const password = 'another good password'

async function rowOf({ email }: Person): Promise<PersonRow> {
  const row = await findPersonByEmail(it.app.house.database.directory, email)
  if (row === undefined) throw new Error('Nobody.')
  return row
}

/** As the use cases see a visitor. */
async function actingIn(row: PersonRow): Promise<Acting> {
  const [session] = await listSessions(it.app.house.database.directory, row.id, it.app.clock.now())
  return { id: row.id, email: row.email, sessionId: session?.id ?? '' }
}

const requestOf = ({ cookies }: Browser): PlainRequest => ({
  path: '/',
  params: {},
  query: '',
  headers: {
    host: new URL(it.here.url).host,
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  },
  body: Buffer.alloc(0),
  address: '127.0.0.1',
})

interface Change {
  /** What comes before, while the session lives. */
  prepare?: (visitor: Browser, row: PersonRow) => Promise<string>
  change: (acting: Acting, prepared: string, visitor: Browser) => Promise<unknown>
}

const changes: Record<string, Change> = {
  'a new password': { change: (acting) => setPassword(it.app.house, acting, password) },
  'a new passkey': {
    async prepare(visitor) {
      const options = asked<CreateOptions>(await visitor.get('/account/passkeys'))
      return authenticator().create(options, it.here.url)
    },
    change: (acting, answer, visitor) =>
      addPasskey(it.app.house, it.here.url, acting, { name: 'A laptop', answer }, requestOf(visitor)),
  },
  'a passkey taken away': {
    async prepare(visitor) {
      const device = authenticator()
      await add(it, visitor, device)
      return device.id
    },
    change: (acting, id) => removePasskey(it.app.house, acting, id),
  },
  'a second step': {
    prepare: (_, row) => beginSecondStep(it.app.house, row),
    change: (acting, key) => confirmSecondStep(it.app.house, acting, codeAt(key, it.app.clock.now())),
  },
  'new recovery codes': {
    prepare: async (visitor) => (await turnOnSecondStep(it, visitor)).key,
    change: (acting) => renewRecoveryCodes(it.app.house, acting),
  },
  'no second step any more': {
    prepare: async (visitor) => (await turnOnSecondStep(it, visitor)).key,
    change: (acting) => removeSecondStep(it.app.house, acting),
  },
}

test.each(Object.entries(changes))('%s needs a session that lives still', async (_, { prepare, change }) => {
  for (const lives of [false, true]) {
    const person = await it.person()
    const visitor = await it.signedIn(person)
    const row = await rowOf(person)
    const acting = await actingIn(row)
    const prepared = (await prepare?.(visitor, row)) ?? ''
    if (!lives) await endSessions(it.app.house, row.id)
    const state = async () => [
      await rowOf(person),
      await listPasskeys(it.app.house.database.directory, row.id),
    ]
    const before = await state()
    const outcome = await Promise.allSettled([change(acting, prepared, visitor)])
    expect(outcome).toMatchObject([lives ? { status: 'fulfilled' } : { reason: overtaken }])
    if (!lives) expect(await state()).toEqual(before)
  }
})

test('of a link and a session that set a password at once one does, and that is the password then', async () => {
  for (let round = 0; round < 8; round++) {
    const person = await it.person()
    const visitor = await it.signedIn(person)
    const link = await sendReset(it.app.house, await rowOf(person), it.here.url)
    const fields = { csrf: await csrfOf(visitor), password: 'what the session wants' }
    const [byLink, bySession] = await Promise.all([
      it.visitor().post('/sign-in/reset', { token: link.split('token=')[1] ?? '', password }),
      visitor.post('/account/password', fields),
    ])
    const outcome = [byLink.status, bySession.status]
    expect([
      [303, 409],
      [303, 303],
      [404, 303],
    ]).toContainEqual(outcome)
    // A session that has ended before it was asked at all leads to the sign-in.
    const won = byLink.status === 303 ? password : fields.password
    if (outcome[0] === 303) expect(bySession.location).not.toBe('/account')
    expect((await signIn(it.visitor(), { ...person, password: won })).status).toBe(303)
  }
})

test('neither a session nor a second step begins on what somebody has shown before they changed it', async () => {
  const byChange = {
    password: (visitor: Browser) => act(visitor, '/account/password', { password }),
    'second step': (visitor: Browser) => turnOnSecondStep(it, visitor),
  }
  for (const change of Object.values(byChange)) {
    const person = await it.person()
    const visitor = await it.signedIn(person)
    const shown = await rowOf(person)
    const browser = { headers: {} }
    await startSecondStep(it.app.house, shown)
    await change(visitor)
    await expect(startSession(it.app.house, shown, browser)).rejects.toMatchObject(overtaken)
    await expect(startSecondStep(it.app.house, shown)).rejects.toMatchObject(overtaken)
    expect(await startSession(it.app.house, await rowOf(person), browser)).toHaveLength(2)
  }
})
