/** Where a mail server is reached. `secure`: TLS from the start; otherwise the connection upgrades where the server offers it. */
export interface MailServer {
  host: string
  port: number
  secure: boolean
}

/** The ports that each protocol has, without and with TLS from the start. */
const ports = { smtp: [587, 465], imap: [143, 993] } as const
export type MailProtocol = keyof typeof ports

const hostName = /^([\w.-]+|\[[\da-f:.]+\])$/i

/** Reads `smtp://host:port` or `smtps://host:port`, or the same with `imap`; undefined if it is neither or says more. */
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
