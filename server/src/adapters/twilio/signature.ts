import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether one of the tokens signed the request: HMAC-SHA1 over the URL and the sorted parameters. Twilio signs the URL
 * sometimes with its port and sometimes without.
 */
export function isSigned(
  tokens: readonly string[],
  signature: string,
  url: string,
  parameters: URLSearchParams,
): boolean {
  const given = Buffer.from(signature)
  const text = textOf(parameters)
  return tokens
    .flatMap((token) => urlsOf(url).map((one) => signed(token, one + text)))
    .map((expected) => expected.length === given.length && timingSafeEqual(expected, given))
    .includes(true)
}

const signed = (token: string, text: string) =>
  Buffer.from(createHmac('sha1', token).update(text, 'utf8').digest('base64'))

/** Sorted names and values, without duplicates. */
const textOf = (parameters: URLSearchParams) =>
  [...new Set(parameters.keys())]
    .toSorted()
    .flatMap((name) => [...new Set(parameters.getAll(name))].toSorted().map((value) => name + value))
    .join('')

function urlsOf(url: string): string[] {
  const [, scheme = '', host = '', port = '', rest = ''] =
    /^(https?:\/\/)(\[[^\]]*\]|[^/?#:]*)(:\d+)?(.*)$/s.exec(url) ?? []
  return [scheme + host + rest, scheme + host + (port || (scheme === 'https://' ? ':443' : ':80')) + rest]
}
