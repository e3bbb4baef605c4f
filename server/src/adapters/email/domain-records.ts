import { type KeyObject, createPublicKey } from 'node:crypto'
import type { TxtLookup } from '#kernel/egress/txt-records.ts'
import type { ProviderAccount } from '../../modules/messages/ports.ts'

/**
 * Whether DNS authenticates mail from an address's domain: SPF (RFC 7208), the DKIM key named in the settings (RFC
 * 6376), and DMARC (RFC 7489). If Gable signs, the published key must be the one that it signs with. Returns undefined
 * if the settings name no DKIM key, for example because the mail server signs, or if that key's domain is unrelated to
 * the address's domain. Rejects if a lookup fails.
 */
export async function isDomainAuthenticated(
  lookup: TxtLookup,
  { settings, email }: Pick<ProviderAccount, 'settings' | 'email'>,
  address: string,
): Promise<boolean | undefined> {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const { dkim_domain: signer, dkim_selector: selector } = settings
  if (typeof signer !== 'string' || typeof selector !== 'string') return undefined
  // DNS can't show whether the signature of an unrelated domain aligns.
  const signing = signer.toLowerCase()
  if (!isWithin(domain, signing) && !isWithin(signing, domain)) return undefined
  const [spf, keys, hasDmarc] = await Promise.all([
    lookup(domain),
    lookup(`${selector}._domainkey.${signing}`),
    findDmarc(lookup, domain),
  ])
  const ours = email?.dkim ? createPublicKey(email.dkim.privateKey) : undefined
  return (
    spf.some((record) => /^v=spf1( |$)/i.test(record)) && keys.some((key) => isKey(key, ours)) && hasDmarc
  )
}

const isWithin = (domain: string, parent: string) => domain === parent || domain.endsWith(`.${parent}`)

/** Whether the domain or one of its parents has a DMARC policy. */
async function findDmarc(lookup: TxtLookup, domain: string): Promise<boolean> {
  const labels = domain.split('.')
  for (let first = 0; first < Math.max(labels.length - 1, 1); first++) {
    const records = await lookup(`_dmarc.${labels.slice(first).join('.')}`)
    if (records.some((record) => /^v=DMARC1\s*(;|$)/.test(record))) return true
  }
  return false
}

/** Whether the record holds a key, and Gable's key if given. An empty key is revoked. */
function isKey(record: string, ours: KeyObject | undefined): boolean {
  const tags = new Map(
    record.split(';').map((tag): [string, string] => {
      const [name = '', ...value] = tag.split('=')
      return [name.trim(), value.join('=').replaceAll(/\s/g, '')]
    }),
  )
  const key = tags.get('p') ?? ''
  if (key === '' || (tags.get('v') ?? 'DKIM1') !== 'DKIM1') return false
  return ours === undefined || formsOf(ours).includes(key)
}

/**
 * The forms in which a key may be published: RSA as SubjectPublicKeyInfo or RSAPublicKey, Ed25519 as its 32 bytes (RFC
 * 8463).
 */
function formsOf(key: KeyObject): string[] {
  const spki = key.export({ type: 'spki', format: 'der' })
  const other =
    key.asymmetricKeyType === 'rsa' ? key.export({ type: 'pkcs1', format: 'der' }) : spki.subarray(-32)
  return [spki, other].map((form) => form.toString('base64'))
}
