import { Secret, TOTP } from 'otpauth'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Authenticator, CreateOptions, Mischief, SignOptions } from '../support/authenticator.ts'
import { type Browser, type Person, type Visited, browser, personIn } from '../support/browser.ts'

export interface Scene extends AsyncDisposable {
  app: TestApp
  workspace: TestWorkspace
  /** The server by its name: passkeys do not work at the number of an address. */
  here: { url: string }
  person(): Promise<Person>
  visitor(): Browser
  /** A browser that has signed in just now. */
  signedIn(person: Person): Promise<Browser>
  /** An older browser with the same cookies: it does not say from which site a form comes. */
  plain(visitor: Browser): {
    post(
      path: string,
      fields: Record<string, string>,
      headers: Record<string, string>,
    ): Promise<{ status: number; body: string }>
  }
}

export async function scene(options: Parameters<typeof testApp>[0] = {}): Promise<Scene> {
  const app = await testApp(options)
  const workspace = await app.workspace()
  const here = { url: `http://localhost:${new URL(app.url).port}` }
  return {
    app,
    workspace,
    here,
    person: () => personIn(workspace),
    visitor: () => browser(here),
    async signedIn(person) {
      const visitor = browser(here)
      await signIn(visitor, person)
      if (!isSignedIn(visitor)) throw new Error('Not signed in.')
      return visitor
    },
    plain: ({ cookies }) => ({
      async post(path, fields, headers) {
        const response = await fetch(here.url + path, {
          method: 'POST',
          redirect: 'manual',
          headers: {
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            ...headers,
          },
          body: new URLSearchParams(fields),
        })
        return { status: response.status, body: await response.text() }
      },
    }),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

export const sessionCookie = '__Host-gable_session'

export const isSignedIn = ({ cookies }: Browser) => cookies.has(sessionCookie)

/** Whether the server takes the browser for somebody. */
export const isKnown = async (visitor: Browser) => (await visitor.get('/account')).status === 200

export const signIn = (visitor: Browser, { email, password }: Pick<Person, 'email' | 'password'>) =>
  visitor.submit('/sign-in', { email, password })

/** Statuses of so many attempts in a row with a wrong password, each in the browser that `visitor` gives. */
export async function wrongPasswords(
  visitor: () => Browser,
  count: number,
  email: string,
): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n++)
    statuses.push((await visitor().post('/sign-in', { email, password: 'a wrong one' })).status)
  return statuses
}

export const times = (count: number, status: number) => Array.from({ length: count }, () => status)

/** What comes with each form of this browser. */
export async function csrfOf(visitor: Browser): Promise<string> {
  const { body } = await visitor.get('/account')
  const [, csrf] = /name="csrf" value="([^"]+)"/.exec(body) ?? []
  if (csrf === undefined) throw new Error(`No form: ${body}`)
  return csrf
}

/** Posts with what the browser's own forms would bring. */
export const act = async (visitor: Browser, path: string, fields: Record<string, string>) =>
  visitor.post(path, { csrf: await csrfOf(visitor), ...fields })

/** What a page with a form for passkeys asks of the browser. */
export function asked<T>({ body }: Visited): T {
  const [, options] = /data-options="([^"]+)"/.exec(body) ?? []
  if (options === undefined) throw new Error(`Nothing is asked: ${body}`)
  return JSON.parse(options.replaceAll('&quot;', '"')) as T
}

export async function addPasskey(
  { here }: Scene,
  visitor: Browser,
  device: Authenticator,
  mischief?: Mischief,
): Promise<Visited> {
  const options = asked<CreateOptions>(await visitor.get('/account/passkeys'))
  const answer = device.create(options, here.url, mischief)
  return act(visitor, '/account/passkeys', { do: 'add', name: 'A laptop', answer })
}

/** Signs in by passkey. */
export async function usePasskey(
  { here }: Scene,
  visitor: Browser,
  device: Authenticator,
  mischief?: Mischief,
): Promise<Visited> {
  const options = asked<SignOptions>(await visitor.get('/sign-in'))
  return visitor.post('/sign-in', { answer: device.sign(options, here.url, mischief) })
}

/** The code that an app with this key shows at a moment. */
export const codeAt = (key: string, at: Date): string =>
  TOTP.generate({ secret: Secret.fromBase32(key), timestamp: at.getTime() })

export interface SecondStep {
  key: string
  recoveryCodes: string[]
}

/** Turns the second step on. Its first code is used up by that, and is of the present time step. */
export async function turnOnSecondStep({ app }: Pick<Scene, 'app'>, visitor: Browser): Promise<SecondStep> {
  const { body } = await act(visitor, '/account/second-step', { do: 'begin' })
  const key = /<code class="secret"[^>]*>([A-Z2-7 ]+)</.exec(body)?.[1]?.replaceAll(' ', '') ?? ''
  const codes = await act(visitor, '/account/second-step', {
    do: 'confirm',
    code: codeAt(key, app.clock.now()),
  })
  const recoveryCodes = /<pre class="secret"[^>]*>([^<]+)</.exec(codes.body)?.[1]?.split('\n') ?? []
  if (recoveryCodes.length === 0) throw new Error(`Not turned on: ${codes.body}`)
  return { key, recoveryCodes }
}
