import { allScopes, personalScopes, scopes } from '../access/public.ts'
import { type Html, type Part, choices, html } from '../pages/public.ts'

const words = new Map<string, string>(Object.entries(scopes))

/** The description of a scope. For a scope that no longer exists, its name. */
const wordsOf = (scope: string): Part =>
  html`${words.get(scope) ?? scope}${personalScopes.has(scope) ? html` <span class="personal">personal data</span>` : ''}`

/** A choice of all scopes. */
export const scopeChoices = (legend: string, chosen: readonly string[], error: string | undefined): Html =>
  choices(
    'scopes',
    legend,
    allScopes.map((scope) => ({
      value: scope,
      label: wordsOf(scope),
      hint: scope,
      chosen: chosen.includes(scope),
    })),
    { error, hint: 'Select only what is needed. Write scopes include the matching read scopes.' },
  )

/** The scopes as a list of descriptions. */
export const scopeList = (held: readonly string[]): Html =>
  html`<ul class="scopes">${held.map((scope) => html`<li>${wordsOf(scope)}</li>`)}</ul>`

/** The scopes by name, for a table. */
export const scopeNames = (held: readonly string[]): Part =>
  allScopes.every((scope) => held.includes(scope)) ? 'All scopes' : held.join(', ')
