import type { Runtime } from '#kernel/context.ts'
import type { AppError } from '#kernel/errors.ts'
import { RateLimited } from '#kernel/http/http-errors.ts'
import type { PlainRequest, PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import type { Dependencies } from '#kernel/module.ts'
import { minuteCounts, networkOf, windowSeconds } from '../access/public.ts'
import { openAccount } from './accounts/credentials.ts'
import type { Callback, ProviderAccount } from './ports.ts'

export interface CallbackHandling {
  /** With `:connection`, and `:provider` or the provider's name before it. */
  paths: readonly string[]
  maxBodyBytes: number
  /** The same for a connection that does not exist: who cannot sign learns nothing. */
  rejection(): AppError
  /** Takes a callback once all of what it says is committed. Undefined if it is not from the provider. */
  take(account: ProviderAccount, callback: Callback): Promise<PlainResponse | undefined>
}

/**
 * Where providers report. Requests that no provider signed count by address, and beyond the limit of requests without a
 * credential they are rejected before the database is asked.
 */
export function callbackRoutes(
  { runtime, anonymousRateLimit }: Pick<Dependencies, 'runtime' | 'anonymousRateLimit'>,
  { paths, maxBodyBytes, rejection, take }: CallbackHandling,
): readonly PlainRoute[] {
  const rejected = minuteCounts()
  const seconds = () => runtime.clock.now().getTime() / 1000
  const window = () => Math.floor(seconds() / windowSeconds) * windowSeconds

  async function handle(request: PlainRequest): Promise<PlainResponse> {
    const network = networkOf(request.address)
    if (rejected.of(network, window()) >= anonymousRateLimit)
      throw RateLimited(Math.max(1, Math.ceil(window() + windowSeconds - seconds())))
    const account = await findAccount(runtime, request)
    const response = account && (await take(account, callbackOf(runtime, request)))
    if (response !== undefined) return response
    rejected.add(network, window())
    throw rejection()
  }

  return paths.map((path) => ({ path, methods: { GET: handle, POST: handle }, maxBodyBytes }))
}

async function findAccount(
  { database: { directory }, keys, clock }: Runtime,
  { path, params: { connection = '' } }: PlainRequest,
): Promise<ProviderAccount | undefined> {
  const account = isId(connection) ? await openAccount({ directory, keys, clock }, connection) : undefined
  return account?.provider === path.split('/')[2] ? account : undefined
}

/** The URL is the one that the provider was given, whatever Host the request names. */
const callbackOf = ({ origin }: Runtime, { method, path, query, headers, body }: PlainRequest): Callback => ({
  method: method === 'POST' ? 'POST' : 'GET',
  url: origin() + path + (query === '' ? '' : `?${query}`),
  path: path.split('/').slice(4).join('/'),
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value?.[0]]),
  ),
  body,
})
