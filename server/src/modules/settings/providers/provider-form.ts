import { type FormFields, type Html, type Part, area, choices, field, html } from '../../pages/public.ts'
import { type ConnectionRow, type SecretPart, secretOfParts, secretParts } from '../../senders/public.ts'
import type { FormState } from '../form-state.ts'

export const providerNames = {
  documenso: 'Documenso',
  docusign: 'DocuSign',
  retell: 'Retell',
  twilio: 'Twilio',
} as const
export type ProviderName = keyof typeof providerNames

export interface EnteredProvider {
  name: string
  /** The provider's own name or id for the account. Cannot be changed after the account is connected. */
  account: string
  /** The address of a self-hosted Documenso. */
  url: string
  /** Whether DocuSign's developer environment is used. */
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

/** The connection's settings from the form; an empty object if the provider has no settings. */
export const settingsOf = (provider: ProviderName, { url, demo }: EnteredProvider) =>
  provider === 'documenso' || provider === 'docusign'
    ? { settings: { ...(url === '' ? {} : { url }), ...(demo ? { environment: 'demo' } : {}) } }
    : {}

/**
 * The credentials from the form; undefined if all fields are empty. Throws `ValidationFailed` if some are missing or
 * invalid.
 */
export function secretOf(provider: ProviderName, form: FormFields): string | undefined {
  const given = Object.fromEntries(secretParts[provider].map((name) => [name, form.text(name)]))
  return Object.values(given).every((text) => text.trim() === '') ? undefined : secretOfParts(provider, given)
}

/**
 * The fields of a connection. `account` is shown only when connecting a new one. When changing one, the person may
 * leave the credentials empty to keep the stored ones.
 */
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
${secretParts[provider].map((part) => partField(part, errors, !isNew))}`

const accounts = {
  documenso: { label: 'Team', hint: 'The name of the team at Documenso.' },
  docusign: { label: 'API account ID', hint: 'From Apps and Keys at DocuSign.' },
  retell: { label: 'Agent ID', hint: 'The Retell agent that talks, such as agent_4d0f….' },
  twilio: { label: 'Account SID', hint: 'From the Twilio console, such as AC5f2d….' },
} as const

/** The field that only this provider has, if there is one. */
function placeField(provider: ProviderName, url: string, demo: boolean, errors: FormState['errors']): Part {
  if (provider === 'documenso')
    return field({
      name: 'url',
      label: 'Address of your own Documenso',
      type: 'url',
      hint: 'Such as https://sign.example.com. Leave empty for app.documenso.com.',
      value: url,
      error: errors['settings'],
      maxLength: 2048,
      optional: true,
    })
  if (provider === 'docusign')
    return choices('environment', 'Environment', [
      { value: 'demo', label: 'Use a developer account. Its signatures are not binding.', chosen: demo },
    ])
  return ''
}

const labels: Readonly<Record<SecretPart, { label: string; hint: string }>> = {
  api_token: { label: 'API token', hint: 'From the settings of the team.' },
  webhook_secret: { label: 'Webhook secret', hint: 'The secret that you set for the webhook in Documenso.' },
  connect_key: { label: 'Connect key', hint: 'The HMAC key of the Connect configuration.' },
  integration_key: { label: 'Integration key', hint: 'Of the app that you registered at DocuSign.' },
  user_id: { label: 'User ID', hint: 'The user who has consented to the integration key.' },
  api_key: { label: 'API key', hint: 'From the Retell settings. Use the key that signs webhooks.' },
  auth_token: { label: 'Auth token', hint: 'From the Twilio console. Twilio signs its reports with it.' },
  private_key: {
    label: 'RSA private key',
    hint: 'The key from DocuSign, including its first and last lines.',
  },
}

function partField(name: SecretPart, errors: FormState['errors'], optional: boolean): Html {
  const common = { name, ...labels[name], error: errors[name], optional }
  return name === 'private_key'
    ? area({ ...common, rows: 6 })
    : field({ ...common, type: 'password', autocomplete: 'off', maxLength: 500 })
}
