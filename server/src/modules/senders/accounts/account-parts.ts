import type { Server } from '#kernel/egress/rules.ts'
import { type Issue, ValidationFailed } from '#kernel/errors.ts'
import type { Provider } from '../ports.ts'
import { emailAccountOf, rsaKeyOf } from './email-account.ts'

type Settings = Readonly<Record<string, unknown>>

/** The places that a connection's settings make Gable call, by setting. Omits settings that are not valid. */
export function placesIn(provider: Provider, settings: Settings): Record<string, string | Server> {
  if (provider === 'documenso') {
    const { url } = urlOf(settings)
    return typeof url === 'string' ? { url } : {}
  }
  const { smtp, imap } = (provider === 'email' ? emailAccountOf(settings, undefined) : undefined) ?? {}
  return { ...(smtp && { smtp }), ...(imap && { imap }) }
}

/** Issues with `simulated`. Gable simulates Documenso, but not DocuSign. */
export const simulationIssues = ({
  provider,
  simulated,
}: {
  provider: Provider
  simulated?: boolean
}): Issue[] =>
  provider === 'docusign' && simulated === true
    ? [{ path: 'simulated', message: 'there is no simulated DocuSign' }]
    : []

/**
 * Issues with the settings of a Documenso or DocuSign connection. Returns none for other providers.
 */
export function signingSettingsIssues(provider: Provider, settings: Settings): Issue[] {
  const expected: Settings | undefined = { documenso: urlOf(settings), docusign: environmentOf(settings) }[
    provider as string
  ]
  if (expected === undefined) return []
  return Object.keys(settings)
    .filter((name) => !Object.hasOwn(expected, name))
    .map((name) => ({
      path: `settings.${name}`,
      message:
        name === 'url' && provider === 'documenso'
          ? 'must begin with https:// and have no path'
          : `${name}=${String(settings[name])} is ${wanted[provider]}`,
    }))
}

const wanted: Readonly<Partial<Record<Provider, string>>> = {
  documenso: 'not a setting of Documenso; the only setting is url=, the origin of your own Documenso',
  docusign: 'not a setting of DocuSign; the only setting is environment=demo',
}

const urlOf = ({ url }: Settings): Settings =>
  typeof url === 'string' && /^https?:/.test(url) && URL.parse(url)?.origin === url ? { url } : {}

const environmentOf = ({ environment }: Settings): Settings => (environment === 'demo' ? { environment } : {})

/** The parts of each provider's credentials, in order. */
export const secretParts = {
  documenso: ['api_token', 'webhook_secret'],
  docusign: ['connect_key', 'integration_key', 'user_id', 'private_key'],
  retell: ['api_key'],
  twilio: ['auth_token'],
} as const satisfies Partial<Record<Provider, readonly string[]>>
export type SecretPart = (typeof secretParts)[keyof typeof secretParts][number]

/**
 * Joins the parts of a provider's credentials into the single line that a connection takes. `private_key` is given as
 * PEM. Throws 400 for missing or invalid parts.
 */
export function secretOfParts(
  provider: keyof typeof secretParts,
  given: Readonly<Partial<Record<SecretPart, string>>>,
): string {
  const parts = secretParts[provider].map((name) => {
    const text = given[name]?.trim() ?? ''
    return { name, text: name === 'private_key' ? (rsaKeyOf(text) ?? '') : text }
  })
  const issues = parts
    .filter(({ text }) => !/^[^\s]+$/.test(text))
    .map(({ name: path }) => ({
      path,
      message: path === 'private_key' ? 'must be an RSA private key as PEM' : 'is required, without spaces',
    }))
  if (issues.length > 0) throw ValidationFailed(issues)
  return parts.map(({ text }) => text).join(' ')
}
