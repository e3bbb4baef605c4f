/**
 * The address of a mail server. `secure`: TLS from the start; otherwise the connection upgrades if the server offers
 * TLS.
 */
export interface MailServer {
  host: string
  port: number
  secure: boolean
}

/** Each protocol's ports: without TLS, and with TLS from the start. */
const ports = { smtp: [587, 465], imap: [143, 993] } as const
export type MailProtocol = keyof typeof ports

const hostName = /^([\w.-]+|\[[\da-f:.]+\])$/i

/**
 * Parses `smtp://host:port` or `smtps://host:port`, or the same with `imap`. Undefined if the text has another form
 * or contains anything more.
 */
export function readMailServer(protocol: MailProtocol, text: string): MailServer | undefined {
  const url = URL.parse(text)
  const secure = url?.protocol === `${protocol}s:`
  if (url === null || (!secure && url.protocol !== `${protocol}:`) || !hostName.test(url.hostname))
    return undefined
  if (url.username + url.password + url.search + url.hash !== '' || !['', '/'].includes(url.pathname))
    return undefined
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? ports[protocol][secure ? 1 : 0] : Number(url.port),
    secure,
  }
}
