import type { Runtime } from '#kernel/context.ts'
import type { AppError } from '#kernel/errors.ts'
import { RateLimited } from '#kernel/http/http-errors.ts'
import type { Handle, PlainRequest, PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import type { Dependencies } from '#kernel/module.ts'
import { minuteCounts, networkOf, windowSeconds } from '../access/public.ts'
import { openAccount } from './accounts/credentials.ts'
import { saveCallbackRejected } from './connection-queries.ts'
import type { Callback, Provider, ProviderAccount } from './ports.ts'

type Head = Omit<PlainRequest, 'body'>

export interface CallbackHandling {
  /** Route patterns. Each contains `:connection`, after `:provider` or the provider's name. */
  paths: readonly string[]
  maxBodyBytes: number
  /**
   * The error for a callback that the provider did not sign. It is the same if the connection does not exist, so that a
   * caller who cannot sign learns nothing.
   */
  rejection(): AppError
  /** Handles a callback. Resolves when everything in it is committed. Returns undefined if the provider did not sign it. */
  take(account: ProviderAccount, callback: Callback): Promise<PlainResponse | undefined>
}

/**
 * The routes for provider callbacks. Gable counts requests without a valid signature by client network. A network that
 * exceeds the rate limit for anonymous requests is rejected before any database query. Gable reads the body only if the
 * connection exists and, for a POST, the request has a signature header.
 */
export function callbackRoutes(
  { runtime, anonymousRateLimit }: Pick<Dependencies, 'runtime' | 'anonymousRateLimit'>,
  { paths, maxBodyBytes, rejection, take }: CallbackHandling,
): readonly PlainRoute[] {
  const rejected = minuteCounts()
  const noted = minuteCounts()
  const seconds = () => runtime.clock.now().getTime() / 1000
  const window = () => Math.floor(seconds() / windowSeconds) * windowSeconds

  async function reject({ address }: Head, account: ProviderAccount | undefined): Promise<never> {
    rejected.add(networkOf(address), window())
    if (account !== undefined && noted.add(account.id, window()) === 1)
      await saveCallbackRejected(runtime.database.directory, account, runtime.clock.now())
    throw rejection()
  }

  async function admit(head: Head): Promise<Handle> {
    if (rejected.of(networkOf(head.address), window()) >= anonymousRateLimit)
      throw RateLimited(Math.max(1, Math.ceil(window() + windowSeconds - seconds())))
    const account = await findAccount(runtime, head)
    if (account === undefined || !mayBeSigned(account, head)) return reject(head, account)
    return async (request) => (await take(account, callbackOf(runtime, request))) ?? reject(head, account)
  }

  return paths.map((path) => ({ path, methods: { GET: { admit }, POST: { admit } }, maxBodyBytes }))
}

/** The prefix of the header in which each provider signs its POST requests. */
const signatureHeaders: Readonly<Partial<Record<Provider, string>>> = {
  twilio: 'x-twilio-signature',
  whatsapp: 'x-hub-signature-256',
  documenso: 'x-documenso-secret',
  docusign: 'x-docusign-signature-',
  retell: 'x-retell-signature',
}

const mayBeSigned = ({ provider }: ProviderAccount, { method, headers }: Head): boolean =>
  method !== 'POST' || Object.keys(headers).some((name) => name.startsWith(signatureHeaders[provider] ?? '-'))

async function findAccount(
  { database: { directory }, keys, clock }: Runtime,
  { path, params: { connection = '' } }: Head,
): Promise<ProviderAccount | undefined> {
  const account = isId(connection) ? await openAccount({ directory, keys, clock }, connection) : undefined
  return account?.provider === path.split('/')[2] ? account : undefined
}

/** Builds the URL from the public origin, which is what the provider was given, and not from the request's Host header. */
const callbackOf = ({ origin }: Runtime, { method, path, query, headers, body }: PlainRequest): Callback => ({
  method: method === 'POST' ? 'POST' : 'GET',
  url: origin() + path + (query === '' ? '' : `?${query}`),
  path: path.split('/').slice(4).join('/'),
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value?.[0]]),
  ),
  body,
})
