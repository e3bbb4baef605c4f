import { type Html, type Part, hidden, html } from '../pages/public.ts'
import type { Challenge } from './passkey-challenge.ts'

/** What a page with such a form loads. */
export const passkeyScripts = ['simplewebauthn.js', 'passkeys.js'] as const

interface PasskeyForm {
  /** Where the answer goes, as the field `answer`. */
  path: string
  /** `autofill` offers passkeys where an address is typed, too. */
  does: 'create' | 'get' | 'autofill'
  options: Challenge['options']
  fields: Readonly<Record<string, string>>
  /** What is to be filled in. */
  main?: Part
  label: string
}

/** A form that a script shows where the browser knows passkeys, and sends with the browser's answer. */
export function passkeyForm({ path, does, options, fields, main, label }: PasskeyForm): Html {
  const kind = does === 'create' ? 'primary' : 'plain'
  return html`<form method="post" action="${path}" data-passkey="${does}" data-options="${JSON.stringify(options)}" hidden>
${hidden({ ...fields, answer: '' })}
${main}
<p class="fault" role="alert" hidden></p>
<p class="buttons"><button class="${kind}">${label}</button></p>
</form>`
}
