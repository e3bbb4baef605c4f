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
 * credential they are rejected before the database is asked. A body is read once the connection is there, and the request says that
 * it is signed.
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

/** How the headers begin with which providers sign what they post. */
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
