import type { Runtime } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import { RateLimited } from '#kernel/http/http-errors.ts'
import type { PlainRequest, PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import { minuteCounts, networkOf, windowSeconds } from '../../access/public.ts'
import { type ProviderAccount, openAccount } from '../../senders/public.ts'
import { systemContext } from '../outbox/system-context.ts'
import type { CallbackReport, MessageDependencies } from '../ports.ts'
import { receiveMessage } from './receive-message.ts'
import { recordStatus } from './record-status.ts'

/** Meta reports up to 3 MB at once. */
const maxCallbackBytes = 4 * 1024 * 1024

/** The same for a connection that does not exist: who cannot sign learns nothing. */
const NotFromProvider = defineError('invalid_signature', 403, () => ({
  message: 'The request is not signed by the provider of this connection.',
}))

/**
 * `/callbacks/{provider}/{connection}/…`: what providers report. The response is a success once all of it is committed, so that
 * a provider repeats what was not. Requests that no provider signed count by address, and beyond the limit of requests without a
 * credential they are rejected before the database is asked.
 */
export function callbackRoutes({
  runtime,
  carriers,
  anonymousRateLimit,
}: MessageDependencies): readonly PlainRoute[] {
  const rejected = minuteCounts()
  const seconds = () => runtime.clock.now().getTime() / 1000
  const window = () => Math.floor(seconds() / windowSeconds) * windowSeconds

  async function take(request: PlainRequest): Promise<PlainResponse> {
    const network = networkOf(request.address)
    if (rejected.of(network, window()) >= anonymousRateLimit)
      throw RateLimited(Math.max(1, Math.ceil(window() + windowSeconds - seconds())))
    const account = await findAccount(runtime, request)
    const report = account && carriers[account.provider]?.readCallback(account, callbackOf(runtime, request))
    if (account === undefined || report === undefined) {
      rejected.add(network, window())
      throw NotFromProvider()
    }
    await record(runtime, account, report)
    const { type, body } = report.response ?? { type: 'text/plain', body: '' }
    return { status: 200, headers: { 'content-type': type, 'cache-control': 'no-store' }, body }
  }

  return [
    {
      path: '/callbacks/:provider/:connection/*',
      methods: { GET: take, POST: take },
      maxBodyBytes: maxCallbackBytes,
    },
  ]
}

async function findAccount(
  { database: { directory }, keys, clock }: Runtime,
  { params: { provider, connection = '' } }: PlainRequest,
): Promise<ProviderAccount | undefined> {
  const account = isId(connection) ? await openAccount({ directory, keys, clock }, connection) : undefined
  return account?.provider === provider ? account : undefined
}

/** The URL is the one that the provider was given, whatever Host the request names. */
function callbackOf({ origin }: Runtime, { method, path, query, headers, body }: PlainRequest) {
  return {
    method: method === 'POST' ? ('POST' as const) : ('GET' as const),
    url: origin() + path + (query === '' ? '' : `?${query}`),
    path: path.split('/').slice(4).join('/'),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value?.[0]]),
    ),
    body,
  }
}

async function record(
  runtime: Runtime,
  account: ProviderAccount,
  { messages, statuses }: CallbackReport,
): Promise<void> {
  const ctx = systemContext(runtime, account.workspaceId)
  for (const one of messages) await receiveMessage(ctx, account, one)
  for (const one of statuses) await recordStatus(ctx, account, one)
}
