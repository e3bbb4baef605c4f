import { errors } from 'undici'

/** An error whose message may be shown to customers. */
export class EgressError extends Error {}

const closed = 'the connection was closed before the response was complete'
const reset = 'the connection was reset'
const unreachable = 'the host cannot be reached'
const notHttp = 'the response is not valid HTTP'
const notOpened = 'no connection could be opened'

/** Messages by the error codes of Node.js, OpenSSL, and undici. */
const messages = new Map(
  Object.entries({
    ECONNREFUSED: 'connection refused',
    ECONNRESET: reset,
    ECONNABORTED: reset,
    EPIPE: reset,
    ETIMEDOUT: 'no connection: the host does not respond',
    EHOSTUNREACH: unreachable,
    EHOSTDOWN: unreachable,
    ENETUNREACH: unreachable,
    ENETDOWN: unreachable,
    EADDRNOTAVAIL: unreachable,
    EACCES: notOpened,
    EMFILE: notOpened,
    ENFILE: notOpened,

    CERT_HAS_EXPIRED: 'TLS: the certificate has expired',
    CERT_NOT_YET_VALID: 'TLS: the certificate is not valid yet',
    CERT_REVOKED: 'TLS: the certificate is revoked',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS: the certificate is self-signed',
    SELF_SIGNED_CERT_IN_CHAIN: 'TLS: the certificate is of an unknown authority',
    UNABLE_TO_GET_ISSUER_CERT: 'TLS: the chain of certificates is incomplete or of an unknown authority',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
      'TLS: the chain of certificates is incomplete or of an unknown authority',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      'TLS: the chain of certificates is incomplete or of an unknown authority',
    ERR_TLS_CERT_ALTNAME_INVALID: 'TLS: the certificate is for another host',
    ERR_SSL_WRONG_VERSION_NUMBER: 'TLS: the port does not support it',
    ERR_SSL_PACKET_LENGTH_TOO_LONG: 'TLS: the port does not support it',
    ERR_SSL_HTTP_REQUEST: 'TLS: the port does not support it',

    UND_ERR_HEADERS_OVERFLOW: 'the response headers are larger than 16 kB',
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the length of the response differs from its Content-Length',
    UND_ERR_INVALID_ARG: 'the request cannot be sent: a header is not valid',
    UND_ERR_NOT_SUPPORTED: 'the request cannot be sent: a header is not valid',
  }),
)

/** Errors of the network rather than the host. Of several errors, any other one explains the failure better. */
const localErrors = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL'])

/**
 * Why an exchange failed, as a message for customers. It may contain an error's code but never its message, which
 * names internal addresses.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof EgressError) return error.message
  // Several addresses were tried; each has its own error.
  const cause =
    error instanceof AggregateError
      ? (error.errors.find((one) => !localErrors.has(codeOf(one) ?? '')) ?? error.errors[0])
      : error
  // The code of this error is often missing.
  if (cause instanceof errors.HTTPParserError) return notHttp
  const code = codeOf(cause)
  if (code === undefined) return 'the exchange failed'
  // undici uses one code for all connection errors.
  if (code === 'UND_ERR_SOCKET') return messageOf(cause).startsWith('bad ') ? notHttp : closed
  const known = messages.get(code)
  if (known !== undefined) return known
  if (/^(ERR_(SSL|TLS)|CERT)_|_CERT_|^EPROTO$/.test(code)) return `TLS: the handshake failed (${code})`
  return `the exchange failed (${code})`
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w+$/.test(code) ? code : undefined
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : '')
