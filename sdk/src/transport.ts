import { GableError, errorOf } from './error.js'

/** What a single call may set, as its last argument. */
export interface CallOptions {
  /** For a POST: the key under which it happens once. By default, a random one for each call. */
  idempotencyKey?: string
  /** The `updated_at` of the version that the change is based on: 412 if the record has changed since. */
  ifMatch?: string
  /** Milliseconds that each try may take. */
  timeout?: number
  /** Milliseconds after the start of the call in which it may be tried again. 0: never. */
  retryFor?: number
  signal?: AbortSignal
}

/** How requests are authenticated. */
export interface Credential {
  headers(method: string, path: string): Promise<Record<string, string>>
  /** Called once when a request gets a 401, before it is sent again. */
  renew?(): Promise<unknown>
}

export interface TransportOptions {
  /** Of the API, with its version. */
  url: string
  credential: Credential
  timeout: number
  retryFor: number
  fetch: typeof fetch
}

export interface ApiRequest {
  method: string
  path: string
  query?: object | undefined
  body?: unknown
  /** A POST that changes nothing: it is repeated without a key. */
  readOnly?: boolean
}

/** A response with its JSON body. */
export interface ApiResponse {
  response: Response
  body: unknown
}

export type Send = (request: ApiRequest, options?: CallOptions) => Promise<ApiResponse>

const tries = 3
const backoffMs = 500

const transient: ReadonlySet<number> = new Set([0, 408, 429, 500, 502, 503, 504])

/**
 * Sends requests, and repeats those that are safe to repeat: GET, DELETE, POST with a key or without an effect, and
 * changes with `ifMatch`. A 429 was not carried out, so any request is repeated. Waits with full jitter, and at least for
 * `Retry-After`. Throws `GableError`, or the reason of the caller's signal.
 */
export function createTransport({ url, credential, timeout, retryFor, fetch: send }: TransportOptions): Send {
  return async ({ method, path, query = {}, body, readOnly = false }, options = {}) => {
    const {
      idempotencyKey,
      ifMatch,
      signal,
      timeout: limit = timeout,
      retryFor: patience = retryFor,
    } = options
    const headers: Record<string, string> = {}
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (method === 'POST' && !readOnly) headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID()
    if (ifMatch !== undefined) headers['if-match'] = /^["*]/.test(ifMatch) ? ifMatch : `"${ifMatch}"`
    const isSafe = !/^P(ATCH|UT)$/.test(method) || ifMatch !== undefined
    const lastStart = Date.now() + patience
    let canRenew = credential.renew !== undefined
    for (let attempt = 1; ;) {
      const init: RequestInit = {
        method,
        headers: { ...headers, ...(await credential.headers(method, path)) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }
      try {
        return await exchange(send, url + path + searchOf(query), init, limit, signal)
      } catch (error) {
        if (!(error instanceof GableError)) throw error
        if (error.status === 401 && canRenew) {
          canRenew = false
          await credential.renew?.()
          continue
        }
        const isPassing = transient.has(error.status) || error.code === 'idempotency_in_progress'
        const wait = Math.max(0, (error.retryAt?.getTime() ?? 0) - Date.now())
        const delay = wait + Math.random() * backoffMs * 2 ** attempt
        if (!isPassing || !(isSafe || error.status === 429)) throw error
        if (attempt++ === tries || Date.now() + delay > lastStart) throw error
        await pause(delay, signal)
      }
    }
  }
}

/** One try. Throws `GableError`, or the reason of the caller's signal. */
export async function exchange(
  send: typeof fetch,
  url: string,
  init: RequestInit,
  timeout: number,
  signal?: AbortSignal,
): Promise<ApiResponse> {
  signal?.throwIfAborted()
  const abort = new AbortController()
  const forward = () => abort.abort(signal?.reason)
  signal?.addEventListener('abort', forward)
  const timer = setTimeout(() => abort.abort(new GableError('timeout', 'The server took too long.')), timeout)
  let response: Response
  let text: string
  try {
    response = await send(url, { ...init, signal: abort.signal })
    text = await response.text()
  } catch (cause) {
    if (abort.signal.aborted) throw abort.signal.reason
    throw new GableError('connection_failed', 'The server cannot be reached.', { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', forward)
  }
  const body = parsed(text)
  if (!response.ok) throw errorOf(response, body ?? {})
  if (body === undefined)
    throw new GableError('unreadable_response', 'The response is not JSON.', { response })
  return { response, body }
}

/** Undefined if the text is not JSON. An empty response stands for no members. */
function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return undefined
  }
}

/** A list becomes one parameter, with commas. */
function searchOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop)
  })
