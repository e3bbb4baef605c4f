import type { Runtime } from '#kernel/context.ts'
import type { AppError } from '#kernel/errors.ts'
import { RateLimited } from '#kernel/http/http-errors.ts'
import type { Handle, PlainRequest, PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { takeTurns } from '#kernel/http/turns.ts'
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
 * The routes for provider callbacks. Gable counts requests without a valid signature by client network. If a network
 * exceeds the rate limit for anonymous requests, Gable rejects its requests without a signature header before any
 * database query, and looks up the connections of the others one at a time: a provider may call back from the same
 * network, as behind a shared proxy. Gable reads the body only if the connection exists and, for a POST, the request
 * has a signature header.
 */
export function callbackRoutes(
  { runtime, anonymousRateLimit }: Pick<Dependencies, 'runtime' | 'anonymousRateLimit'>,
  { paths, maxBodyBytes, rejection, take }: CallbackHandling,
): readonly PlainRoute[] {
  const rejected = minuteCounts()
  const noted = minuteCounts()
  const seconds = () => runtime.clock.now().getTime() / 1000
  const window = () => Math.floor(seconds() / windowSeconds) * windowSeconds
  const inTurn = takeTurns(1)
  const isBeyondLimit = ({ address }: Head) => rejected.of(networkOf(address), window()) >= anonymousRateLimit
  const rateLimited = () => RateLimited(Math.max(1, Math.ceil(window() + windowSeconds - seconds())))

  async function reject(head: Head, account: ProviderAccount | undefined): Promise<never> {
    const error = isBeyondLimit(head) ? rateLimited() : rejection()
    rejected.add(networkOf(head.address), window())
    if (account !== undefined && noted.add(account.id, window()) === 1)
      await saveCallbackRejected(runtime.database.directory, account, runtime.clock.now())
    throw error
  }

  async function admit(head: Head): Promise<Handle> {
    const isBeyond = isBeyondLimit(head)
    if (isBeyond && !hasSignature(head)) throw rateLimited()
    const find = () => findAccount(runtime, head)
    const account = await (isBeyond ? inTurn(networkOf(head.address), find) : find())
    if (account === undefined || (head.method === 'POST' && !hasSignature(head))) return reject(head, account)
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

const hasSignature = ({ path, headers }: Head): boolean => {
  const prefix = signatureHeaders[providerIn(path)] ?? '-'
  return Object.keys(headers).some((name) => name.startsWith(prefix))
}

/** The provider that the path names, if there is such a provider. */
const providerIn = (path: string) => path.split('/')[2] as Provider

async function findAccount(
  { database: { directory }, keys, clock }: Runtime,
  { path, params: { connection = '' } }: Head,
): Promise<ProviderAccount | undefined> {
  const account = isId(connection) ? await openAccount({ directory, keys, clock }, connection) : undefined
  return account?.provider === providerIn(path) ? account : undefined
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
