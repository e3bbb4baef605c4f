import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import {
  type PersonRow,
  addPasskey,
  beginSecondStep,
  confirmSecondStep,
  endSessions,
  findPersonByEmail,
  listPasskeys,
  listSessions,
  removePasskey,
  removeSecondStep,
  renewRecoveryCodes,
  sendReset,
  setPassword,
  startSecondStep,
  startSession,
} from '../../src/modules/people/public.ts'
import type { AuthenticatedPerson } from '../../src/modules/people/sessions.ts'
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
  const row = await findPersonByEmail(it.app.runtime.database.directory, email)
  if (row === undefined) throw new Error('No such person.')
  return row
}

/** The signed-in person, in the form that the use cases expect. */
async function actingIn(row: PersonRow): Promise<AuthenticatedPerson> {
  const [session] = await listSessions(it.app.runtime.database.directory, row.id, it.app.clock.now())
  return { id: row.id, email: row.email, sessionId: session?.id ?? '' }
}

const requestOf = ({ cookies }: Browser): PlainRequest => ({
  method: 'POST',
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
  /** Runs first, while the session is live. */
  prepare?: (user: Browser, row: PersonRow) => Promise<string>
  change: (acting: AuthenticatedPerson, prepared: string, user: Browser) => Promise<unknown>
}

const changes: Record<string, Change> = {
  'a new password': { change: (acting) => setPassword(it.app.runtime, acting, password) },
  'a new passkey': {
    async prepare(user) {
      const options = asked<CreateOptions>(await user.get('/account/passkeys'))
      return authenticator().create(options, it.here.url)
    },
    change: (acting, credential, user) =>
      addPasskey(it.app.runtime, acting, { name: 'A laptop', answer: credential }, requestOf(user)),
  },
  'a passkey taken away': {
    async prepare(user) {
      const device = authenticator()
      await add(it, user, device)
      return device.id
    },
    change: (acting, id) => removePasskey(it.app.runtime, acting, id),
  },
  'a second step': {
    prepare: (_, row) => beginSecondStep(it.app.runtime, row),
    change: (acting, key) => confirmSecondStep(it.app.runtime, acting, codeAt(key, it.app.clock.now())),
  },
  'new recovery codes': {
    prepare: async (user) => (await turnOnSecondStep(it, user)).key,
    change: (acting) => renewRecoveryCodes(it.app.runtime, acting),
  },
  'no second step any more': {
    prepare: async (user) => (await turnOnSecondStep(it, user)).key,
    change: (acting) => removeSecondStep(it.app.runtime, acting),
  },
}

test.each(Object.entries(changes))(
  '%s requires a session that is still active',
  async (_, { prepare, change }) => {
    for (const lives of [false, true]) {
      const person = await it.person()
      const user = await it.requireSession(person)
      const row = await rowOf(person)
      const acting = await actingIn(row)
      const prepared = (await prepare?.(user, row)) ?? ''
      if (!lives) await endSessions(it.app.runtime, row.id)
      const state = async () => [
        await rowOf(person),
        await listPasskeys(it.app.runtime.database.directory, row.id),
      ]
      const before = await state()
      const outcome = await Promise.allSettled([change(acting, prepared, user)])
      expect(outcome).toMatchObject([lives ? { status: 'fulfilled' } : { reason: overtaken }])
      if (!lives) expect(await state()).toEqual(before)
    }
  },
)

test('if a link and a session set a password concurrently, one succeeds, and its password applies', async () => {
  for (let round = 0; round < 8; round++) {
    const person = await it.person()
    const user = await it.requireSession(person)
    const link = await sendReset(it.app.runtime, await rowOf(person))
    const fields = { csrf: await csrfOf(user), password: 'what the session wants' }
    const [byLink, bySession] = await Promise.all([
      it.user().post('/sign-in/reset', { token: link.split('token=')[1] ?? '', password }),
      user.post('/account/password', fields),
    ])
    const outcome = [byLink.status, bySession.status]
    expect([
      [303, 409],
      [303, 303],
      [404, 303],
    ]).toContainEqual(outcome)
    // A session that ended before the request arrived leads to the sign-in page.
    const won = byLink.status === 303 ? password : fields.password
    if (outcome[0] === 303) expect(bySession.location).not.toBe('/account')
    expect((await signIn(it.user(), { ...person, password: won })).status).toBe(303)
  }
})

test('credentials checked before they change can start neither a session nor a second step', async () => {
  const byChange = {
    password: (user: Browser) => act(user, '/account/password', { password }),
    'second step': (user: Browser) => turnOnSecondStep(it, user),
  }
  for (const change of Object.values(byChange)) {
    const person = await it.person()
    const user = await it.requireSession(person)
    const shown = await rowOf(person)
    const browser = { headers: {} }
    await startSecondStep(it.app.runtime, shown)
    await change(user)
    await expect(startSession(it.app.runtime, shown, browser)).rejects.toMatchObject(overtaken)
    await expect(startSecondStep(it.app.runtime, shown)).rejects.toMatchObject(overtaken)
    expect(await startSession(it.app.runtime, await rowOf(person), browser)).toHaveLength(2)
  }
})
