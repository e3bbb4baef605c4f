import { Secret, TOTP } from 'otpauth'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Authenticator, CreateOptions, Mischief, SignOptions } from '../support/authenticator.ts'
import { type Browser, type Person, type Visited, browser, personIn } from '../support/browser.ts'

export interface Scene extends AsyncDisposable {
  app: TestApp
  workspace: TestWorkspace
  /** The server's address by host name: passkeys do not work at an IP address. */
  here: { url: string }
  person(): Promise<Person>
  user(): Browser
  /** A browser that has just signed in. */
  requireSession(person: Person): Promise<Browser>
  /** An older browser with the same cookies. It does not send the site that a form comes from. */
  plain(user: Browser): {
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
    user: () => browser(here),
    async requireSession(person) {
      const user = browser(here)
      await signIn(user, person)
      if (!isSignedIn(user)) throw new Error('Not signed in.')
      return user
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

/** Whether the browser is signed in. */
export const isKnown = async (user: Browser) => (await user.get('/account')).status === 200

export const signIn = (user: Browser, { email, password }: Pick<Person, 'email' | 'password'>) =>
  user.submit('/sign-in', { email, password })

/** The statuses of `count` consecutive attempts with a wrong password, each in a browser that `user` returns. */
export async function wrongPasswords(user: () => Browser, count: number, email: string): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n++)
    statuses.push((await user().post('/sign-in', { email, password: 'a wrong one' })).status)
  return statuses
}

export const times = (count: number, status: number) => Array.from({ length: count }, () => status)

/** The CSRF token in every form of this browser. */
export async function csrfOf(user: Browser): Promise<string> {
  const { body } = await user.get('/account')
  const [, csrf] = /name="csrf" value="([^"]+)"/.exec(body) ?? []
  if (csrf === undefined) throw new Error(`No form: ${body}`)
  return csrf
}

/** Posts to a path with the CSRF token that the browser's own forms would send. */
export const act = async (user: Browser, path: string, fields: Record<string, string>) =>
  user.post(path, { csrf: await csrfOf(user), ...fields })

/** The WebAuthn options in a page with a passkey form. */
export function asked<T>({ body }: Visited): T {
  const [, options] = /data-options="([^"]+)"/.exec(body) ?? []
  if (options === undefined) throw new Error(`Nothing is asked: ${body}`)
  return JSON.parse(options.replaceAll('&quot;', '"')) as T
}

export async function addPasskey(
  { here }: Scene,
  user: Browser,
  device: Authenticator,
  mischief?: Mischief,
): Promise<Visited> {
  const options = asked<CreateOptions>(await user.get('/account/passkeys'))
  const credential = device.create(options, here.url, mischief)
  return act(user, '/account/passkeys', { do: 'add', name: 'A laptop', answer: credential })
}

/** Signs in with a passkey. */
export async function usePasskey(
  { here }: Scene,
  user: Browser,
  device: Authenticator,
  mischief?: Mischief,
): Promise<Visited> {
  const options = asked<SignOptions>(await user.get('/sign-in'))
  return user.post('/sign-in', { answer: device.sign(options, here.url, mischief) })
}

/** The code that an authenticator app with this key shows at that time. */
export const codeAt = (key: string, at: Date): string =>
  TOTP.generate({ secret: Secret.fromBase32(key), timestamp: at.getTime() })

export interface SecondStep {
  key: string
  recoveryCodes: string[]
}

/** Turns the second step on. This uses up the code of the current time step. */
export async function turnOnSecondStep({ app }: Pick<Scene, 'app'>, user: Browser): Promise<SecondStep> {
  const { body } = await act(user, '/account/second-step', { do: 'begin' })
  const key = /<code class="secret"[^>]*>([A-Z2-7 ]+)</.exec(body)?.[1]?.replaceAll(' ', '') ?? ''
  const codes = await act(user, '/account/second-step', {
    do: 'confirm',
    code: codeAt(key, app.clock.now()),
  })
  const recoveryCodes = /<pre class="secret"[^>]*>([^<]+)</.exec(codes.body)?.[1]?.split('\n') ?? []
  if (recoveryCodes.length === 0) throw new Error(`Not turned on: ${codes.body}`)
  return { key, recoveryCodes }
}
