import type { SecureContextOptions } from 'node:tls'
import { generate } from 'selfsigned'

export interface Certificates {
  /** The authority's certificate in PEM. */
  ca: string
  /** Issues a certificate for a host. */
  issue(host: string, options?: { notBeforeDate: Date; notAfterDate: Date }): Promise<SecureContextOptions>
}

const keys = { keyType: 'ec', algorithm: 'sha256' } as const

export async function certificateAuthority(): Promise<Certificates> {
  const authority = await generate([{ name: 'commonName', value: 'Authority of the tests' }], {
    ...keys,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  })
  return {
    ca: authority.cert,
    async issue(host, options) {
      const { private: key, cert } = await generate([{ name: 'commonName', value: host }], {
        ...keys,
        ...options,
        ca: { key: authority.private, cert: authority.cert },
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
      })
      return { key, cert }
    },
  }
}

export async function selfSigned(host: string): Promise<SecureContextOptions> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: host }], keys)
  return { key, cert }
}
