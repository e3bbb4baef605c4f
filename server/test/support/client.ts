import type { Ctx } from '#kernel/context.ts'
import type { MemberRow } from '../../src/modules/workspaces/public.ts'
import { assertAnnounced } from './contract.ts'
import { mayWrite } from './database.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- each test says itself what it expects of a body
export interface Response<Body = Record<string, any>> {
  status: number
  headers: Headers
  body: Body
}

export interface RequestOptions {
  headers?: Record<string, string>
  body?: unknown
  /** The body as it is, instead of JSON. */
  raw?: string | Uint8Array
}

/** Sends requests to a running server as an integration would. Checks every response against the OpenAPI document. */
export interface Client {
  /** The API key. Undefined for a client without a credential. */
  key: string | undefined
  keyId: string | undefined
  /** The client's workspace, for a client with all scopes. */
  workspace: TestWorkspace | undefined
  /** The headers that it sends with a request. */
  headers(method: string, path: string): Promise<Record<string, string>>
  request(method: string, path: string, options?: RequestOptions): Promise<Response>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  patch(path: string, body?: unknown): Promise<Response>
  delete(path: string): Promise<Response>
}

export interface TestWorkspace {
  id: string
  /**
   * Returns a client with a new key that has these scopes. Without any, the client may do everything: where an
   * endpoint requires a recent sign-in, it acts as an owner who has just signed in.
   */
  credential(...scopes: string[]): Promise<Client>
  /** Returns a client with a new key that sees only what it created. */
  creator(...scopes: string[]): Promise<Client>
  /** Returns a client with a new key that has all scopes and acts for this member. */
  keyFor(memberId: string): Promise<Client>
  member(name?: string): Promise<MemberRow>
  enterTestMode(): Promise<void>
  /** Adds an owner on the first call. Returns a function that returns the headers for the owner's requests. */
  owner(): Promise<() => Promise<Record<string, string>>>
  /** For calling use cases directly. */
  ctx: Ctx
}

export interface ClientOptions {
  key?: string | undefined
  keyId?: string
  workspace?: TestWorkspace
  /** By default, the key in the Authorization header. */
  headers?: Client['headers']
}

export function createClient(
  base: string,
  { key, keyId, workspace, ...options }: ClientOptions = {},
): Client {
  mayWrite()
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `token ${key}` }
  const headersOf = options.headers ?? (async () => authorization)
  const request: Client['request'] = async (method, path, { headers = {}, body, raw } = {}) => {
    mayWrite()
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const url = base + path
    const response = await fetch(url, {
      method,
      headers: {
        ...(await headersOf(method, path)),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent as string }),
      redirect: 'manual',
    })
    const text = await response.text()
    const parsed = text === '' ? {} : (JSON.parse(text) as Response['body'])
    assertAnnounced(method, url, response.status, response.headers, parsed)
    return { status: response.status, headers: response.headers, body: parsed }
  }
  return {
    key,
    keyId,
    workspace,
    headers: headersOf,
    request,
    get: (path, headers = {}) => request('GET', path, { headers }),
    post: (path, body, headers = {}) => request('POST', path, { body: body ?? {}, headers }),
    patch: (path, body) => request('PATCH', path, { body }),
    delete: (path) => request('DELETE', path),
  }
}
