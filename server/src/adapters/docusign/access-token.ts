import { type KeyObject, createPrivateKey, sign } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import type { Egress, Reply } from '#kernel/egress/egress.ts'
import type { Fault, ProviderAccount } from '../../modules/documents/ports.ts'
import { objectOf, objectsIn } from '../replies.ts'

export interface DocusignPlace {
  egress: Egress
  clock: Clock
  /** Replaces DocuSign's own hosts. */
  origin?: string
}

/** An account's API base URL and access token. */
export interface Access {
  /** `https://na4.docusign.net/restapi/v2.1/accounts/…` */
  base: string
  token: string
}

/** Each secret has four parts: the Connect key, integration key, user ID, and private key. */
const partsOf = ({ secrets }: ProviderAccount) => secrets.map((secret) => secret.split(' '))

export const connectKeysOf = (account: ProviderAccount): string[] =>
  partsOf(account).flatMap(([key = '']) => (key === '' ? [] : [key]))

const hostOf = ({ settings }: ProviderAccount) =>
  settings['environment'] === 'demo' ? 'account-d.docusign.com' : 'account.docusign.com'

/** DocuSign's access tokens are valid for an hour; cache them for less. */
const heldMs = 50 * 60_000
const assertionSeconds = 600

interface Held extends Access {
  /** What the token was granted for. */
  usedFor: string
  until: number
}

/** Gets access tokens with the JWT grant, for a user who has consented to the integration key. */
export function createAccess({ egress, clock, origin }: DocusignPlace) {
  const held = new Map<string, Held>()

  async function open(account: ProviderAccount): Promise<Access | Fault> {
    const [, integrationKey = '', userId = '', privateKey = ''] = partsOf(account)[0] ?? []
    const key = keyOf(privateKey)
    if (key === undefined)
      return {
        fault: 'credentials_rejected',
        message: 'The private key of the connection is not an RSA key.',
      }
    const host = hostOf(account)
    const oauth = origin ?? `https://${host}`
    const now = Math.floor(clock.now().getTime() / 1000)
    const claims = {
      iss: integrationKey,
      sub: userId,
      aud: host,
      iat: now,
      exp: now + assertionSeconds,
      scope,
    }
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: jwtOf(claims, key) }
    const granted = await egress.send({
      method: 'POST',
      url: `${oauth}/oauth/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      startMs,
    })
    const { access_token: token } = objectOf(granted)
    if (granted.status !== 200 || typeof token !== 'string' || !/^[!-~]+$/.test(token))
      return tokenFault(granted)
    const info = await egress.send({
      method: 'GET',
      url: `${oauth}/oauth/userinfo`,
      headers: { authorization: `Bearer ${token}` },
      startMs,
    })
    const { accounts } = objectOf(info)
    if (info.status === 401 || info.status === 403) return docusignFault(info)
    if (info.status !== 200 || !Array.isArray(accounts)) return unusable(info)
    const found = objectsIn(accounts).find(
      ({ account_id: id }) => typeof id === 'string' && id.toLowerCase() === account.name.toLowerCase(),
    )
    const base = String(found?.['base_uri'])
    // Send the token only to DocuSign's hosts, whatever the response contains.
    if (base !== origin && !/^https:\/\/[a-z\d-]+\.docusign\.net$/.test(base))
      return { fault: 'credentials_rejected', message: 'The user has no account with this ID at DocuSign.' }
    return { base: `${base}/restapi/v2.1/accounts/${encodeURIComponent(account.name)}`, token }
  }

  return {
    async to(account: ProviderAccount): Promise<Access | Fault> {
      const usedFor = usedForOf(account)
      const known = held.get(account.id)
      const now = clock.now().getTime()
      if (known !== undefined && known.usedFor === usedFor && known.until > now) return known
      const opened = await open(account)
      if (!('fault' in opened)) held.set(account.id, { ...opened, usedFor, until: now + heldMs })
      return opened
    },
    /** Drops a token that DocuSign rejected, so that the next call gets a new one. */
    forget: (account: ProviderAccount) => held.delete(account.id),
  }
}

/** The environment, the account, and the credentials. */
const usedForOf = (account: ProviderAccount) =>
  JSON.stringify([hostOf(account), account.name, account.secrets[0]])

export const startMs = 10_000

const scope = 'signature impersonation'

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function jwtOf(claims: object, key: KeyObject): string {
  const text = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`
}

/** Parses the private key. DocuSign generates PKCS#1 keys. */
function keyOf(base64: string): KeyObject | undefined {
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    try {
      return createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type })
    } catch {
      continue
    }
  }
  return undefined
}

/**
 * The fault if no token was granted. `consent_required`: the user has not yet allowed the integration key to act for
 * them.
 */
function tokenFault(reply: Reply): Fault {
  const { error } = objectOf(reply)
  if (typeof error !== 'string' || ![400, 401, 403].includes(reply.status ?? 0)) return unusable(reply)
  const reason =
    error === 'consent_required'
      ? 'The user has not allowed the integration key to act for them.'
      : 'DocuSign rejects the integration key, the user ID, or the private key.'
  return { fault: 'credentials_rejected', message: reason }
}

/** A response that says nothing about the credentials, such as the page of a gateway. */
const unusable = ({ status, failure }: Pick<Reply, 'status' | 'failure'>): Fault => ({
  fault: 'provider_unavailable',
  message: `DocuSign: ${failure ?? `a response that cannot be used, status ${status}`}.`,
})

export const noSuchEnvelope: Fault = {
  fault: 'document_not_found',
  message: 'DocuSign has no such envelope.',
}

/** The fault for a failed request. Includes DocuSign's error code but not its message. */
export function docusignFault(reply: Pick<Reply, 'status' | 'failure' | 'body'>): Fault {
  const { status } = reply
  if (status === 401 || status === 403)
    return { fault: 'credentials_rejected', message: 'DocuSign rejects the access token.' }
  if (status === null || status === 429 || status >= 500) return unusable(reply)
  const { errorCode } = objectOf(reply)
  if (errorCode === 'ENVELOPE_DOES_NOT_EXIST') return noSuchEnvelope
  // Without a code, it is not DocuSign that says so: an erasure would believe that nothing is left.
  if (status === 404) return typeof errorCode === 'string' ? noSuchEnvelope : unusable(reply)
  const reason = typeof errorCode === 'string' && /^\w{1,60}$/.test(errorCode) ? `, ${errorCode}` : ''
  return { fault: 'rejected', message: `DocuSign rejects the request: status ${status}${reason}.` }
}
