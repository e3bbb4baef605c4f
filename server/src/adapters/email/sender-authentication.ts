import { organizationalDomain } from '#kernel/organizational-domain.ts'
import type { InboundEmail } from '../../modules/messages/ports.ts'
import { authorOf, headerValues } from './mail-headers.ts'

type Mail = Parameters<typeof authorOf>[0]

/**
 * What the mailbox's own mail server says about the author of a mail (RFC 8601): `none` if it says nothing. Only the
 * topmost `Authentication-Results` with one of its IDs counts: anyone can write headers below it, and other IDs.
 */
export function authenticationOf(mail: Mail, authservIds: readonly string[]): InboundEmail['authentication'] {
  for (const header of headerValues(mail, 'authentication-results')) {
    const read = scan(header)
    if (!authservIds.includes(read.word('').toLowerCase())) continue
    const results = readResults(read)
    const author = domainOf(authorOf(mail)?.address ?? '')
    return results !== undefined && author !== '' && isPass(results, author) ? 'pass' : 'fail'
  }
  return 'none'
}

/**
 * Whether DMARC passes, or the domain has no DMARC policy and SPF or DKIM passes for the same organization. Several
 * results of DMARC must agree: some servers copy what the author chose, such as the envelope's sender, into the header.
 */
function isPass(results: readonly Result[], author: string): boolean {
  const isAligned = (domain = '') => organizationOf(domain) === organizationOf(author)
  const dmarc = results.filter(({ method }) => method === 'dmarc')
  if (dmarc.some(({ result }) => result === 'pass'))
    return dmarc.every(
      ({ result, properties }) =>
        result === 'pass' && isAligned(domainOf(properties.get('header.from') ?? author)),
    )
  if (dmarc.some(({ result }) => result !== 'none')) return false
  return results.some((one) => one.result === 'pass' && isAligned(identityOf(one)))
}

/** The domain that SPF or DKIM authenticates. */
function identityOf({ method, properties }: Result): string | undefined {
  if (method === 'spf') return domainOf(properties.get('smtp.mailfrom') ?? '')
  if (method === 'dkim') return properties.get('header.d') ?? domainOf(properties.get('header.i') ?? '')
  return undefined
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

const organizationOf = (domain: string) => organizationalDomain(domain) ?? domain.toLowerCase()

interface Result {
  method: string
  result: string
  properties: ReadonlyMap<string, string>
}

/** Reads what follows the ID. Undefined if it does not have the form of version 1. */
function readResults(read: ReturnType<typeof scan>): Result[] | undefined {
  const results: Result[] = []
  if (!['', '1'].includes(read.word(''))) return undefined
  while (read.mark(';')) {
    const pairs: [string, string][] = []
    for (let name = read.word('='); name !== ''; name = read.word('=')) {
      if (read.mark('=')) pairs.push([name.toLowerCase(), read.word('')])
      // `none` stands for no results.
      else if (name.toLowerCase() !== 'none' || pairs.length > 0) return undefined
    }
    const [[method = '', result = ''] = [], ...rest] = pairs
    const properties = new Map(rest)
    if (properties.size < rest.length) return undefined
    results.push({ method: method.split('/', 1)[0] ?? '', result: result.toLowerCase(), properties })
  }
  return read.isComplete() ? results : undefined
}

/** Reads words and marks from left to right. Skips white space and comments between them. */
function scan(text: string) {
  let at = 0
  let isUnclosed = false
  const isSpace = () => ' \t\r\n'.includes(text[at] ?? 'none')
  function skip() {
    let depth = 0
    for (; at < text.length && (depth > 0 || isSpace() || text[at] === '('); at++) {
      if (text[at] === '\\') at++
      else if (text[at] === '(') depth++
      else if (text[at] === ')') depth--
    }
    isUnclosed ||= depth > 0
  }
  return {
    /** Reads up to white space, a comment, a semicolon, or `end`; all of these may occur in quotes. */
    word(end: string): string {
      skip()
      let word = ''
      let isQuoted = false
      for (; at < text.length; at++) {
        const one = text[at] ?? ''
        if (one === '"') isQuoted = !isQuoted
        else if (isQuoted && one === '\\') word += text[++at] ?? ''
        else if (!isQuoted && (isSpace() || one === '(' || one === ';' || one === end)) break
        else word += one
      }
      isUnclosed ||= isQuoted
      return word
    },
    /** Whether this mark follows. If so, reads it. */
    mark(one: string): boolean {
      skip()
      if (text[at] !== one) return false
      at++
      return true
    },
    /** Whether everything has been read, and every comment and quote is closed. */
    isComplete(): boolean {
      skip()
      return at >= text.length && !isUnclosed
    },
  }
}
