import { createPrivateKey } from 'node:crypto'
import type { Issue } from '#kernel/errors.ts'
import { type MailProtocol, type MailServer, readMailServer } from '#kernel/mail-server.ts'
import { organizationalDomain } from '#kernel/organizational-domain.ts'
import type { EmailAccount } from '../ports.ts'

/**
 * The settings of an email connection, which only the operator sets. The connection's account is the user name for both
 * servers. Its credentials are the password and, if the mail server does not sign emails, the DKIM key.
 */
export const emailSettings = {
  smtp: 'the server that sends emails: smtp://host:port or smtps://host:port',
  imap: 'the server of the mailbox: imap://host:port or imaps://host:port',
  mailbox: 'the folder of the mailbox, INBOX by default',
  authserv_id:
    "the mail server's name in Authentication-Results, or several separated by commas (by default the host and the domain of imap=)",
  dkim_domain: 'the signing domain, if the mail server does not sign itself',
  dkim_selector: 'the name of the DKIM key in the signing domain',
} as const
type Setting = keyof typeof emailSettings

type Settings = Readonly<Record<string, unknown>>

const textOf = (settings: Settings, name: Setting): string | undefined =>
  typeof settings[name] === 'string' && settings[name] !== '' ? settings[name] : undefined

const serverOf = (settings: Settings, protocol: MailProtocol): MailServer | undefined =>
  readMailServer(protocol, textOf(settings, protocol) ?? '')

/** The mail servers of a connection; undefined if its settings name no valid SMTP server. */
export function emailAccountOf(settings: Settings, dkimKey: string | undefined): EmailAccount | undefined {
  const smtp = serverOf(settings, 'smtp')
  const imap = serverOf(settings, 'imap')
  const [domain, selector] = [textOf(settings, 'dkim_domain'), textOf(settings, 'dkim_selector')]
  const signs = domain !== undefined && selector !== undefined && dkimKey !== undefined
  return (
    smtp && {
      smtp,
      imap: imap === undefined ? null : mailboxOf(settings, imap),
      dkim: signs ? { domain, selector, privateKey: pemOf(dkimKey) } : null,
    }
  )
}

const mailboxOf = (settings: Settings, imap: MailServer): EmailAccount['imap'] => ({
  ...imap,
  mailbox: textOf(settings, 'mailbox') ?? 'INBOX',
  authservIds: idsIn(
    textOf(settings, 'authserv_id') ?? `${imap.host},${organizationalDomain(imap.host) ?? ''}`,
  ),
})

const idsIn = (text: string) => [
  ...new Set(
    text
      .toLowerCase()
      .split(',')
      .filter((one) => one !== ''),
  ),
]

const dnsName =
  /^(?=.{1,253}$)[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d])?(?:\.[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d])?)*$/i

export const namesDkimKey = (settings: Settings): boolean => textOf(settings, 'dkim_domain') !== undefined

/** Issues with the settings of an email connection, by themselves and together with the DKIM key. */
export function emailSettingsIssues(settings: Settings, hasDkimKey: boolean): Issue[] {
  const issue = (name: string, message: string) => ({ path: `settings.${name}`, message })
  const given = (name: Setting) => settings[name] !== undefined
  const issues = Object.keys(settings)
    .filter((name) => !Object.hasOwn(emailSettings, name))
    .map((name) =>
      issue(name, `${name} is not a setting of email; the settings are ${words(Object.keys(emailSettings))}`),
    )
  if (!given('smtp')) issues.push(issue('smtp', 'smtp= is required: smtp://host:port or smtps://host:port'))
  for (const protocol of ['smtp', 'imap'] as const) {
    if (given(protocol) && serverOf(settings, protocol) === undefined)
      issues.push(
        issue(
          protocol,
          `${protocol}= must be ${protocol}://host:port or ${protocol}s://host:port, and nothing behind the port`,
        ),
      )
  }
  for (const name of ['mailbox', 'authserv_id'] as const)
    if (given(name) && !given('imap')) issues.push(issue(name, `${name}= requires imap=`))
  if (
    given('authserv_id') &&
    !(textOf(settings, 'authserv_id') ?? '').split(',').every((one) => dnsName.test(one))
  )
    issues.push(issue('authserv_id', 'authserv_id= must be a DNS name, or several separated by commas'))
  for (const name of ['dkim_domain', 'dkim_selector'] as const) {
    if (given(name) && !dnsName.test(textOf(settings, name) ?? ''))
      issues.push(issue(name, `${name}= must be a DNS name`))
  }
  const named = given('dkim_domain') && given('dkim_selector')
  if (given('dkim_domain') !== given('dkim_selector') || named !== hasDkimKey)
    issues.push({
      path: 'dkim_key',
      message: 'a DKIM key, dkim_domain=, and dkim_selector= belong together: set all three or none',
    })
  return issues
}

const words = (names: readonly string[]) => names.join(', ')

const pemOf = (key: string) => {
  const lines = key.match(/.{1,64}/g)?.join('\n') ?? ''
  return `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`
}

const minBits = 1024

/**
 * Converts a private key from PEM to the form that Gable stores: PKCS #8 (DER) in Base64. Returns undefined unless it
 * is an RSA key of at least 1024 bits. RSA is required because all receivers can verify it.
 */
export function rsaKeyOf(pem: string): string | undefined {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < minBits)
      return undefined
    return key.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  } catch {
    return undefined
  }
}
