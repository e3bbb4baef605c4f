import type { Egress, Reply } from '#kernel/egress/egress.ts'
import type { Fault, ProviderAccount } from '../../modules/documents/ports.ts'
import { objectOf } from '../replies.ts'

export interface DocumensoPlace {
  egress: Egress
  /** The origin of the simulated carrier, for the accounts that it has. */
  simulatedUrl: () => string
}

/** A secret is an API token and a webhook secret with a space between them, the current one first. */
const partsOf = ({ secrets }: ProviderAccount) => secrets.map((secret) => secret.split(' '))

const tokenOf = (account: ProviderAccount): string => partsOf(account)[0]?.[0] ?? ''

/** What the callbacks of an account carry. The simulated provider has one secret for both. */
export const webhookSecretsOf = (account: ProviderAccount): string[] =>
  partsOf(account)
    .map(([token = '', secret = '']) => (account.simulated ? token : secret))
    .filter((secret) => secret !== '')

/** The API of the account: Documenso's own servers, or those that the operator names. */
const baseOf = (account: ProviderAccount, simulatedUrl: () => string): string => {
  if (account.simulated) return `${simulatedUrl()}/api/v2`
  const { url } = account.settings
  return `${typeof url === 'string' ? url : 'https://app.documenso.com'}/api/v2`
}

const startMs = 10_000

/** Calls the API. With a body it is a POST of JSON; `multipart` sends it as the part `payload` of a form. */
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

/** JSON escapes what could be taken for the end of the part. */
const payloadPart = (json: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="payload"\r\n\r\n${json}\r\n--${boundary}--\r\n`

const maxFileBytes = 100 * 2 ** 20

/** Opens a file of the API. */
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

/** Why a call failed. The words of Documenso are left out: they may quote the document. */
export function faultOf(reply: Pick<Reply, 'status' | 'failure' | 'body'>, missing: Fault['fault']): Fault {
  const { status, failure } = reply
  if (status === 401 || status === 403)
    return { fault: 'credentials_rejected', message: 'Documenso rejects the API token.' }
  if (status === 404) return { fault: missing, message: 'Documenso has no such document or template.' }
  if (status === null || status === 429 || status >= 500)
    return { fault: 'provider_unavailable', message: `Documenso: ${failure ?? `status ${status}`}.` }
  const { code } = objectOf(reply)
  const reason = typeof code === 'string' && /^\w{1,60}$/.test(code) ? `, ${code}` : ''
  return { fault: 'rejected', message: `Documenso rejects the request: status ${status}${reason}.` }
}
