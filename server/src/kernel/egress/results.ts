import type { Exchange, Reply } from './egress.ts'
import type { ExchangeOutcome } from './exchange.ts'

/** Maximum number of bytes of a POST's response that are kept. */
const maxText = 1_024

/** A few more bytes, to find the end of the last character. */
export const maxTextRead = maxText + 4

export const exchangeOf = ({ status, failure, kept, durationMs }: ExchangeOutcome): Exchange => {
  const ok = status !== null && status >= 200 && status < 300
  return {
    status,
    ok,
    answer: status === null && kept.length === 0 ? null : textOf(kept),
    failure: ok || status === null ? failure : statusFailure(status),
    duration_ms: Math.round(durationMs),
  }
}

export const replyOf = ({ status, failure, headers, kept, sent }: ExchangeOutcome): Reply => ({
  status,
  headers,
  body: Buffer.concat(kept),
  failure,
  sent,
})

const redirects = new Set([301, 302, 303, 307, 308])

const statusFailure = (status: number) =>
  redirects.has(status) ? `redirect to another address is not followed (${status})` : `status ${status}`

/** The first kilobyte as text. Omits a partial character at the end. */
function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks
  if (first === undefined) return ''
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
  let end = Math.min(bytes.length, maxText)
  if (end < bytes.length) {
    const least = end - 3
    while (end > least && isContinuation(bytes[end])) end--
  }
  return bytes.toString('utf8', 0, end).replaceAll('\0', '\ufffd')
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80
