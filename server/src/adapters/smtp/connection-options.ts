import type { SMTPTransportOptions } from 'nodemailer'
import { isLoopback } from '#kernel/egress/address.ts'

/**
 * The options for a mail server’s URL. `smtps://` uses TLS from the start, by default on port 465. `smtp://` starts without
 * TLS, by default on port 587, and upgrades if the server offers it. The name and password are sent only over TLS. An
 * untrusted certificate ends the connection. `responseMs`: the timeout of the connection with its greeting and TLS, and of
 * each reply afterwards.
 */
export function connectionOptions(smtpUrl: string, responseMs: number): SMTPTransportOptions {
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
    connectionTimeout: responseMs,
    socketTimeout: responseMs,
    socketCloseTimeout: 0,
  }
}
