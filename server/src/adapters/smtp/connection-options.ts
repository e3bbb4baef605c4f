import type { SMTPTransportOptions } from 'nodemailer'
import { readMailServer } from '#kernel/mail-server.ts'
import { smtpOptions } from '../smtp-options.ts'

/**
 * The connection options for a mail server URL, which may include a name and password. Throws if the URL is invalid.
 */
export function connectionOptions(smtpUrl: string, responseMs: number): SMTPTransportOptions {
  const url = new URL(smtpUrl)
  const login =
    url.username === ''
      ? undefined
      : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  url.username = ''
  url.password = ''
  const server = readMailServer('smtp', url.href)
  if (server === undefined) throw new Error('The URL is not the URL of a mail server.')
  return smtpOptions(server, login, responseMs)
}
