import { type FieldErrors, type FormFields, type Html, area, choices, field, html } from '../pages/public.ts'
import { scopeChoices } from './scope-parts.ts'

/** An app as entered in the form. */
export interface EnteredApp {
  name: string
  /** One per line. */
  redirect_uris: string
  scopes: string[]
}

/** The fields of an app that can be changed after its registration. */
export const appFields = (
  { name, redirect_uris, scopes }: EnteredApp,
  errors: FieldErrors,
): Html => html`${field({
  name: 'name',
  label: 'Name',
  value: name,
  hint: 'People see it when they approve the app.',
  error: errors['name'],
  maxLength: 120,
})}
${area({
  name: 'redirect_uris',
  label: 'Redirect URIs',
  value: redirect_uris,
  rows: 3,
  hint: html`One per line: <code>https://…</code>, <code>http://127.0.0.1/…</code> with any port, or a custom scheme such as
<code>com.example.app:</code>.`,
  error: errors['redirect_uris'],
})}
${scopeChoices('Scopes', scopes, errors['scopes'])}`

export const enteredApp = (form: FormFields): EnteredApp => ({
  name: form.text('name').trim(),
  redirect_uris: form.text('redirect_uris'),
  scopes: form.all('scopes'),
})

/** Converts the entered app to the input of the use cases. */
export const appDetails = ({ name, redirect_uris, scopes }: EnteredApp) => ({
  name,
  scopes,
  redirect_uris: redirect_uris
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
})

/** Chooses whether the app has a secret. This cannot be changed later. */
export const kindChoice = (confidential: boolean): Html =>
  choices(
    'kind',
    'Type',
    [
      {
        value: 'confidential',
        label: 'Confidential: it runs on a server',
        hint: 'It gets a client secret to authenticate with.',
        chosen: confidential,
      },
      {
        value: 'public',
        label: 'Public: it cannot keep a secret',
        hint: 'A desktop, mobile or browser app. It gets no secret and authenticates with PKCE.',
        chosen: !confidential,
      },
    ],
    { single: true },
  )
