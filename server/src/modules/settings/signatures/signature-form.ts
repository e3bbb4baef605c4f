import { type FormFields, type Html, type Part, area, choices, field, html } from '../../pages/public.ts'
import { type ConnectionRow, type SigningPart, signingParts, signingSecret } from '../../senders/public.ts'
import type { FormState } from '../form-state.ts'

export const providerNames = { documenso: 'Documenso', docusign: 'DocuSign' } as const
export type ProviderName = keyof typeof providerNames

export interface EnteredProvider {
  name: string
  /** What the provider calls it. Fixed once it is connected. */
  account: string
  /** Of a Documenso of one's own. */
  url: string
  /** Of DocuSign: whether it is the developer environment. */
  demo: boolean
}

export const enteredConnection = ({ name, account, settings }: ConnectionRow): EnteredProvider => ({
  name,
  account,
  url: typeof settings['url'] === 'string' ? settings['url'] : '',
  demo: settings['environment'] === 'demo',
})

export const enteredProvider = (form: FormFields): EnteredProvider => ({
  name: form.text('name').trim(),
  account: form.text('account').trim(),
  url: form.text('url').trim().replace(/\/$/, ''),
  demo: form.all('environment').includes('demo'),
})

/** The settings of the connection as a form has them. */
export const settingsOf = ({ url, demo }: EnteredProvider) => ({
  ...(url === '' ? {} : { url }),
  ...(demo ? { environment: 'demo' } : {}),
})

/** The credentials of a form; undefined where it has none. Throws for those that are not whole. */
export function secretOf(provider: ProviderName, form: FormFields): string | undefined {
  const given = Object.fromEntries(signingParts[provider].map((name) => [name, form.text(name)]))
  return Object.values(given).every((text) => text.trim() === '') ? undefined : signingSecret(provider, given)
}

/** `account` is shown to connect one, not to change it; then credentials that are left empty stay. */
export const providerFields = (
  provider: ProviderName,
  { name, account, url, demo }: EnteredProvider,
  errors: FormState['errors'],
  { isNew }: { isNew: boolean },
): Html => html`${field({
  name: 'name',
  label: 'Name',
  hint: 'What it is called here.',
  value: name,
  error: errors['name'],
  maxLength: 120,
})}
${isNew && field({ name: 'account', ...accounts[provider], value: account, error: errors['account'], maxLength: 200 })}
${placeField(provider, url, demo, errors)}
<h2>Credentials</h2>
<p>${isNew ? '' : 'Leave all empty to keep those that there are. '}They are stored encrypted and never shown.</p>
${signingParts[provider].map((part) => partField(part, errors, !isNew))}`

const accounts = {
  documenso: { label: 'Team', hint: 'The name of the team at Documenso.' },
  docusign: { label: 'API account ID', hint: 'From Apps and Keys at DocuSign.' },
} as const

const placeField = (provider: ProviderName, url: string, demo: boolean, errors: FormState['errors']): Part =>
  provider === 'documenso'
    ? field({
        name: 'url',
        label: 'Address of your own Documenso',
        type: 'url',
        hint: 'Such as https://sign.example.com. Empty for app.documenso.com.',
        value: url,
        error: errors['settings'] && 'It must begin with https:// and have no path.',
        maxLength: 2048,
        optional: true,
      })
    : choices('environment', 'Environment', [
        { value: 'demo', label: 'A developer account, whose signatures bind no one', chosen: demo },
      ])

const labels: Readonly<Record<SigningPart, { label: string; hint: string }>> = {
  api_token: { label: 'API token', hint: 'From the settings of the team.' },
  webhook_secret: { label: 'Webhook secret', hint: 'The secret that you give the webhook at Documenso.' },
  connect_key: { label: 'Connect key', hint: 'The HMAC key of the Connect configuration.' },
  integration_key: { label: 'Integration key', hint: 'Of the app that you registered at DocuSign.' },
  user_id: { label: 'User ID', hint: 'The user who has consented to the integration key.' },
  private_key: { label: 'RSA private key', hint: 'As DocuSign gives it, with its first and its last line.' },
}

function partField(name: SigningPart, errors: FormState['errors'], optional: boolean): Html {
  const common = { name, ...labels[name], error: errors[name], optional }
  return name === 'private_key'
    ? area({ ...common, rows: 6 })
    : field({ ...common, type: 'password', autocomplete: 'off', maxLength: 500 })
}
