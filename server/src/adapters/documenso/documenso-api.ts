import type { Egress, Reply } from '#kernel/egress/egress.ts'
import type { Fault, ProviderAccount } from '../../modules/documents/ports.ts'
import { objectOf } from '../replies.ts'

export interface DocumensoPlace {
  egress: Egress
  /** The origin of the simulated carrier, for simulated accounts. */
  simulatedUrl: (account: Pick<ProviderAccount, 'workspaceId'>) => string
}

/** A secret is an API token and a webhook secret, separated by a space. The current secret comes first. */
const partsOf = ({ secrets }: ProviderAccount) => secrets.map((secret) => secret.split(' '))

const tokenOf = (account: ProviderAccount): string => partsOf(account)[0]?.[0] ?? ''

/**
 * The secrets that an account's callbacks may carry. The simulated provider uses the API token as its webhook secret.
 */
export const webhookSecretsOf = (account: ProviderAccount): string[] =>
  partsOf(account)
    .map(([token = '', secret = '']) => (account.simulated ? token : secret))
    .filter((secret) => secret !== '')

/** The base URL of the account's API: Documenso's own servers, or a self-hosted instance. */
const baseOf = (account: ProviderAccount, simulatedUrl: DocumensoPlace['simulatedUrl']): string => {
  if (account.simulated) return `${simulatedUrl(account)}/api/v2`
  const { url } = account.settings
  return `${typeof url === 'string' ? url : 'https://app.documenso.com'}/api/v2`
}

const startMs = 10_000

/**
 * Calls the API: GET without a body, otherwise POST with JSON. `multipart` sends the JSON as the form part `payload`.
 */
export function callDocumenso(
  { egress, simulatedUrl }: DocumensoPlace,
  account: ProviderAccount,
  path: string,
  body?: object,
  { multipart = false } = {},
): Promise<Reply> {
  const common = { url: baseOf(account, simulatedUrl) + path, startMs }
  const headers = { authorization: tokenOf(account), accept: 'application/json' }
  if (body === undefined) return egress.send({ ...common, method: 'GET', headers })
  const text = JSON.stringify(body)
  const sent = multipart
    ? { type: `multipart/form-data; boundary=${boundary}`, text: payloadPart(text) }
    : { type: 'application/json', text }
  return egress.send({
    ...common,
    method: 'POST',
    headers: { ...headers, 'content-type': sent.type },
    body: sent.text,
  })
}

const boundary = 'gable-documenso-payload'

/** JSON escapes line breaks, so the payload can't contain the boundary line. */
const payloadPart = (json: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="payload"\r\n\r\n${json}\r\n--${boundary}--\r\n`

const maxFileBytes = 100 * 2 ** 20

/** Streams a file from the API. */
export const downloadFromDocumenso = (
  { egress, simulatedUrl }: DocumensoPlace,
  account: ProviderAccount,
  path: string,
) =>
  egress.stream({
    method: 'GET',
    url: baseOf(account, simulatedUrl) + path,
    headers: { authorization: tokenOf(account) },
    maxBytes: maxFileBytes,
  })

export const isSuccess = ({ status }: { status: number | null }): boolean =>
  status !== null && status >= 200 && status < 300

/** The fault for a failed request. Omits Documenso's message, which may quote the document. */
export function faultOf(reply: Pick<Reply, 'status' | 'failure' | 'body'>, missing: Fault['fault']): Fault {
  const { status, failure } = reply
  if (status === 401 || status === 403)
    return { fault: 'credentials_rejected', message: 'Documenso rejects the API token.' }
  const { code, message } = objectOf(reply)
  // The 404 of a proxy before it says nothing: an erasure would believe that nothing is left.
  const isSaid = typeof code === 'string' || typeof message === 'string'
  if (status === 404 && isSaid)
    return { fault: missing, message: 'Documenso has no such document or template.' }
  if (status === null || status === 404 || status === 429 || status >= 500)
    return { fault: 'provider_unavailable', message: `Documenso: ${failure ?? `status ${status}`}.` }
  const reason = typeof code === 'string' && /^\w{1,60}$/.test(code) ? `, ${code}` : ''
  return { fault: 'rejected', message: `Documenso rejects the request: status ${status}${reason}.` }
}
