import { type Html, area, choices, field, html } from '../pages/public.ts'
import type { Faults, Fields } from '../signin/public.ts'
import { scopeChoices } from './scope-parts.ts'

/** What was entered about an app. */
export interface EnteredApp {
  name: string
  /** A line each. */
  redirectUris: string
  scopes: readonly string[]
}

/** The fields that an app has from its registration on and that can be changed later. */
export const appFields = ({ name, redirectUris, scopes }: EnteredApp, faults: Faults): Html => html`${field({
  name: 'name',
  label: 'Name',
  value: name,
  hint: 'People see it when they are asked to allow the app.',
  fault: faults['name'],
  maxLength: 120,
})}
${area({
  name: 'redirect-uri',
  label: 'Redirect addresses',
  value: redirectUris,
  rows: 3,
  hint: html`Where browsers go back to, a line each: <code>https://…</code>, <code>http://127.0.0.1/…</code> with any port, or a
scheme of your own such as <code>com.example.app:</code>.`,
  fault: faults['redirect-uri'],
})}
${scopeChoices('What it may ask for', scopes, faults['scopes'])}`

export const enteredApp = (form: Fields): EnteredApp => ({
  name: form.text('name').trim(),
  redirectUris: form.text('redirect-uri'),
  scopes: form.all('scopes'),
})

/** As the use cases take it. */
export const appDetails = ({ name, redirectUris, scopes }: EnteredApp) => ({
  name,
  scopes,
  redirectUris: redirectUris
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
})

/** Whether an app has a secret, which is decided once. */
export const kindChoice = (confidential: boolean): Html =>
  choices(
    'kind',
    'Can it keep a secret?',
    [
      {
        value: 'confidential',
        label: 'Yes, it runs on a server',
        hint: 'It gets a client secret, by which the server shows who it is.',
        chosen: confidential,
      },
      {
        value: 'public',
        label: 'No, it runs where others can look inside',
        hint: 'A program on a desk or a phone, or a page in a browser. It gets no secret.',
        chosen: !confidential,
      },
    ],
    { single: true },
  )
