import type { Callback, CallbackReport, ProviderAccount } from '../../modules/messages/ports.ts'
import { callbackReader } from '../callback-body.ts'
import { isOneOf } from '../compare.ts'
import { signingSecretsOf, verifyTokenOf } from './account.ts'
import { readPayload } from './payload.ts'
import { isSignedByMeta } from './signature.ts'

const readBody = callbackReader(readPayload, import.meta.resolve('./payload.ts'))

/**
 * Reads a callback. Returns undefined if none of the account's app secrets signed it. A GET is Meta's verification of
 * the URL: it must present the verify token, and gets its challenge back.
 */
export function readWhatsAppCallback(
  account: ProviderAccount,
  { method, url, headers, body }: Callback,
): CallbackReport | undefined | Promise<CallbackReport> {
  const appSecrets = signingSecretsOf(account)
  if (method === 'GET') {
    const query = URL.parse(url)?.searchParams
    const expected = appSecrets.map((secret) => verifyTokenOf(secret, account))
    if (query?.get('hub.mode') !== 'subscribe') return undefined
    if (!isOneOf(expected, query.get('hub.verify_token') ?? '')) return undefined
    const challenge = query.get('hub.challenge') ?? ''
    return { statuses: [], messages: [], response: { type: 'text/plain', body: challenge } }
  }
  if (!isSignedByMeta(appSecrets, headers['x-hub-signature-256'] ?? '', body)) return undefined
  return readBody(body, (payload) => ({ ...payload, response: null }))
}
