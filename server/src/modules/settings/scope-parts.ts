import { allScopes, personalScopes, scopes } from '../access/public.ts'
import { type Html, type Part, choices, html } from '../pages/public.ts'

const words = new Map<string, string>(Object.entries(scopes))

/** What a scope allows, in words; its name alone for one that there is no more. */
const wordsOf = (scope: string): Part =>
  html`${words.get(scope) ?? scope}${personalScopes.has(scope) ? html` <span class="personal">personal data</span>` : ''}`

/** All scopes to choose from. */
export const scopeChoices = (legend: string, chosen: readonly string[], fault: string | undefined): Html =>
  choices(
    'scopes',
    legend,
    allScopes.map((scope) => ({
      value: scope,
      label: wordsOf(scope),
      hint: scope,
      chosen: chosen.includes(scope),
    })),
    { fault, hint: 'The fewer, the less can go wrong. Whoever may write may read as well.' },
  )

/** What somebody may do, a line each. */
export const scopeList = (held: readonly string[]): Html =>
  html`<ul class="scopes">${held.map((scope) => html`<li>${wordsOf(scope)}</li>`)}</ul>`

/** The same in few words, for a table. */
export const scopeNames = (held: readonly string[]): Part =>
  allScopes.every((scope) => held.includes(scope)) ? 'Everything' : held.join(', ')
