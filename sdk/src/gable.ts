import { List } from './list.js'
import { type Resources, kinds, routes } from './resources.js'
import { type CallOptions, type Credential, type Send, createTransport } from './transport.js'

interface Connection {
  /** Of the server, such as `https://gable.example`. In a page of the server itself, it may be left out. */
  baseUrl?: string
  /** Milliseconds that each try of a request may take. 30,000 by default. */
  timeout?: number
  /** Milliseconds after the start of a call in which it may be tried again. 60,000 by default; 0: never. */
  retryFor?: number
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch
}

/** One of the three credentials. */
export type GableOptions = Connection &
  (
    | { apiKey: string; accessToken?: never; session?: never }
    /** Of an app: the token, or a function that returns it, such as that of `GableOAuth`. */
    | { accessToken: string | AccessToken; apiKey?: never; session?: never }
    /** The session of a person who has signed in to this server, for its own pages. */
    | { session: Session; apiKey?: never; accessToken?: never }
  )

/** Returns an access token; a newer one than `rejected`, which the server no longer accepts. */
export type AccessToken = (rejected?: string) => Promise<string>

export interface Session {
  /** The workspace to act in. `me` needs none. */
  workspaceId?: string
}

/** A client of the API: one method for each operation. */
export type Gable = Resources

function createGable({
  baseUrl = '',
  timeout = 30_000,
  retryFor = 60_000,
  fetch: own,
  ...credentials
}: GableOptions): Gable {
  const send: Send = createTransport({
    url: `${originOf(baseUrl)}/v1`,
    timeout,
    retryFor,
    // Browsers insist that fetch is called as a function of the window.
    fetch: own ?? ((input, init) => fetch(input, init)),
    credential: credentialOf(credentials as GableOptions, () => send({ method: 'GET', path: '/me' })),
  })
  const client: Tree = {}
  addMethods(client, send)
  return client as unknown as Gable
}

/** `new Gable({ apiKey, baseUrl })`. It holds no connections, and needs no end. */
export const Gable = createGable as unknown as new (options: GableOptions) => Gable

/** The address without its version and slashes at the end. */
export const originOf = (baseUrl: string): string => baseUrl.replace(/\/*(v1\/*)?$/, '')

function credentialOf(
  { apiKey, accessToken, session }: GableOptions,
  retrieveMe: () => Promise<{ body: unknown }>,
): Credential {
  if (session !== undefined) return sessionCredential(session, retrieveMe)
  if (typeof accessToken !== 'function') {
    const authorization = apiKey === undefined ? `Bearer ${accessToken}` : `token ${apiKey}`
    return { headers: async () => ({ authorization }) }
  }
  let token: string | undefined
  return {
    headers: async () => ({ authorization: `Bearer ${(token = await accessToken())}` }),
    renew: () => accessToken(token),
  }
}

/** The CSRF token is read once, and again when the session has changed. The cookie is the browser's. */
function sessionCredential(
  { workspaceId = '' }: Session,
  retrieveMe: () => Promise<{ body: unknown }>,
): Credential {
  let csrf: string | undefined
  return {
    async headers(method, path) {
      if (method === 'GET' && path === '/me') return {}
      csrf ??= ((await retrieveMe()).body as { csrf_token: string }).csrf_token
      return { 'gable-workspace': workspaceId, 'x-csrf-token': csrf }
    },
    renew: async () => (csrf = undefined),
  }
}

interface Tree {
  [name: string]: Tree | Method
}

type Method = (...args: unknown[]) => unknown

/** Adds a method for each operation. */
function addMethods(client: Tree, send: Send): void {
  for (const route of routes.split('|')) {
    const [path = '', letters = ''] = route.split(' ')
    const words = path
      .split('/')
      .filter((word) => word !== '*')
      .map((word) =>
        word.replace(/\.\w+$/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      )
    for (const letter of letters) {
      const [method = '', verb, flags = ''] = (kinds.split('|')[letter.charCodeAt(0) - 97] ?? '').split(' ')
      const names = [...words, ...(verb ? [verb] : [])]
      const leaf = names.pop() ?? ''
      let noun = client
      for (const name of names) noun = (noun[name] ??= {}) as Tree
      noun[leaf] = methodOf(method, path, flags, send)
    }
  }
}

function methodOf(method: string, template: string, flags: string, send: Send): Method {
  const [takesQuery, takesBody] = [flags.includes('q'), flags.includes('b')]
  return (...args) => {
    const path = template.replaceAll('*', () => {
      const id = args.shift()
      if (typeof id !== 'string' || id === '') throw new TypeError(`${method} /${template} takes an ID.`)
      return encodeURIComponent(id)
    })
    const input = takesQuery || takesBody ? (args.shift() as object | undefined) : undefined
    const options = (args.shift() ?? {}) as CallOptions
    const { idempotencyKey: _, ifMatch: _1, timeout: _2, retryFor: _3, signal: _4, ...query } = options
    const request = {
      method,
      path: `/${path}`,
      query: takesQuery ? input : query,
      ...(takesBody ? { body: input ?? {} } : {}),
      readOnly: flags.includes('s'),
    }
    if (flags.includes('p'))
      return new List((cursor) =>
        send(cursor === undefined ? request : { ...request, query: { ...input, cursor } }, options),
      )
    return send(request, options).then(({ body }) => body)
  }
}
