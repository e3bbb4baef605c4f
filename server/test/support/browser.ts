import type { App } from '../../src/app.ts'
import { enablePasswordSignIn, findPersonByEmail, startSession } from '../../src/modules/people/public.ts'
import { type MemberRow, type Role, createMember } from '../../src/modules/workspaces/public.ts'
import type { TestWorkspace } from './client.ts'

export interface Visited {
  status: number
  headers: Headers
  body: string
  /** The target of a redirect. Empty otherwise. */
  location: string
}

/** Keeps cookies and sends forms like a browser. Does not follow redirects, except from a link in a mail. */
export interface Browser {
  readonly cookies: ReadonlyMap<string, string>
  get(path: string, headers?: Record<string, string>): Promise<Visited>
  /** Loads a page by a link in a mail. The link redirects to the same page without its token. */
  open(path: string): Promise<Visited>
  /** Posts fields. A list sends its field several times. `submit` adds the page's hidden fields; this does not. */
  post(path: string, fields?: FormFields, headers?: Record<string, string>): Promise<Visited>
  /** Loads a page and posts its form for `action`, with the form's hidden fields and these. */
  submit(page: string, fields: FormFields, action?: string): Promise<Visited>
}

export type FormFields = Readonly<Record<string, string | readonly string[]>>

/** Opens a new browser. `lines`: Set-Cookie values from before. */
export function browser({ url }: { url: string }, lines: readonly string[] = []): Browser {
  const cookies = new Map<string, string>()
  keep(cookies, lines)
  async function send(path: string, init: RequestInit): Promise<Visited> {
    const response = await fetch(url + path, {
      ...init,
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(init.headers as Record<string, string>),
      },
    })
    keep(cookies, response.headers.getSetCookie())
    return {
      status: response.status,
      headers: response.headers,
      body: await response.text(),
      location: response.headers.get('location') ?? '',
    }
  }
  const post: Browser['post'] = (path, fields = {}, headers = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(
        Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
      ).toString(),
    })
  const open: Browser['open'] = async (path) => {
    const first = await send(path, {})
    return first.location === path.split('?', 1)[0] ? send(first.location, {}) : first
  }
  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    open,
    post,
    async submit(path, fields, action = path.split('?', 1)[0] ?? '') {
      const { body, status } = await open(path)
      const form = formOf(body, action)
      if (form === undefined) throw new Error(`${path} (${status}) has no form for ${action}: ${body}`)
      return post(action, { ...hiddenIn(form), ...fields })
    },
  }
}

/** Stores cookies from Set-Cookie values. */
function keep(cookies: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/; Max-Age=0(;|$)/.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}

/** The first form on a page that posts to this path. */
const formOf = (body: string, action: string): string | undefined =>
  body
    .split('<form ')
    .slice(1)
    .map((one) => one.split('</form>', 1)[0] ?? '')
    .find((one) => unescaped(one).includes(`action="${action}"`))

const hiddenIn = (form: string): Record<string, string> =>
  Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)"[^>]* value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, unescaped(value)],
    ),
  )

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

export const aPassword = 'correct horse battery staple'

export interface Person {
  email: string
  password: string
  member: MemberRow
}

let people = 0

/**
 * Adds a person who can sign in as a member of the workspace. With `email`, the person may also be a member of other
 * workspaces.
 */
export async function personIn(
  { ctx }: TestWorkspace,
  role: Role = 'owner',
  email = `person-${process.pid}-${++people}@gable.example`,
): Promise<Person> {
  const member = await createMember(ctx, { name: 'A person', email, role })
  await enablePasswordSignIn(ctx, member, aPassword)
  return { email, password: aPassword, member }
}

/**
 * A browser in which this person has just signed in. Does not use the sign-in page: attempts there are counted by
 * address, and all tests share one address.
 */
export async function signedInBrowser(
  app: Pick<App, 'runtime'> & { url: string },
  { email }: Person,
): Promise<Browser> {
  const person = await findPersonByEmail(app.runtime.database.directory, email)
  if (person === undefined) throw new Error(`No person signs in as ${email}.`)
  return browser(app, await startSession(app.runtime, person, { headers: { 'user-agent': 'node' } }))
}
