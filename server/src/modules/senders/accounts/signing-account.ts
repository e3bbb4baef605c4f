import type { Issue } from '#kernel/errors.ts'
import type { Provider } from '../ports.ts'

type Settings = Readonly<Record<string, unknown>>

/** There is a simulated Documenso, and no simulated DocuSign. */
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

/** What is wrong with its settings, which only the operator sets. */
export function signingSettingsIssues(provider: Provider, settings: Settings): Issue[] {
  const expected: Settings | undefined = { documenso: urlOf(settings), docusign: environmentOf(settings) }[
    provider as string
  ]
  if (expected === undefined) return []
  return Object.keys(settings)
    .filter((name) => !Object.hasOwn(expected, name))
    .map((name) => ({
      path: `settings.${name}`,
      message: `${name}=${String(settings[name])} is ${wanted[provider]}`,
    }))
}

const wanted: Readonly<Partial<Record<Provider, string>>> = {
  documenso: 'no setting of Documenso; there is url=, the origin of your own: https://sign.example.com',
  docusign: 'no setting of DocuSign; there is environment=demo',
}

const urlOf = ({ url }: Settings): Settings =>
  typeof url === 'string' && /^https?:/.test(url) && URL.parse(url)?.origin === url ? { url } : {}

const environmentOf = ({ environment }: Settings): Settings => (environment === 'demo' ? { environment } : {})
