import { domainToASCII } from 'node:url'
import { getDomain } from 'tldts'

/**
 * The domain that an organization registered, by the Public Suffix List: `lantern.example` for `mail.lantern.example`.
 * Undefined for an IP address, a public suffix, and what is not a domain.
 */
export const organizationalDomain = (host: string): string | undefined =>
  getDomain(domainToASCII(host), { extractHostname: false, allowPrivateDomains: true }) ?? undefined
