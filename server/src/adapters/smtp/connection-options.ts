import type { SMTPTransportOptions } from 'nodemailer'
import { isLoopback } from '#kernel/egress/address.ts'

/**
 * What a URL says of a mail server: `smtps://` speaks TLS from the start, by default on port 465; `smtp://` begins without,
 * by default on port 587, and goes over to TLS where the server offers it. Name and password leave this machine by TLS
 * only. A certificate that nobody vouches for ends the connection, whichever way TLS came about. `silenceMs`: how long to wait for
 * the connection with its greeting and TLS, and for a word of the server afterwards.
 */
export function connectionOptions(smtpUrl: string, silenceMs: number): SMTPTransportOptions {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = protocol === 'smtps:'
  const login = username !== ''
  return {
    host,
    port: port === '' ? undefined : Number(port),
    secure,
    requireTLS: !secure && login && !isLoopback(host),
    auth: login ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    connectionTimeout: silenceMs,
    socketTimeout: silenceMs,
    socketCloseTimeout: 0,
  }
}
