import type { SMTPTransportOptions } from 'nodemailer'
import { isLoopback } from '#kernel/egress/address.ts'
import type { MailServer } from '#kernel/mail-server.ts'

export interface Login {
  user: string
  pass: string
}

/**
 * How nodemailer connects to a mail server: with TLS from the start, or upgraded if the server offers it. The name and password
 * are sent only over TLS, except on this machine. An untrusted certificate ends the connection. `responseMs`: the timeout of the
 * connection with its greeting and TLS, and of each reply afterwards.
 */
export const smtpOptions = (
  { host, port, secure }: MailServer,
  login: Login | undefined,
  responseMs: number,
): SMTPTransportOptions => ({
  host,
  port,
  secure,
  requireTLS: !secure && login !== undefined && !isLoopback(host),
  auth: login,
  tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
  connectionTimeout: responseMs,
  socketTimeout: responseMs,
  socketCloseTimeout: 0,
})
