import { type Html, type Part, hidden, html } from '../pages/public.ts'
import type { Challenge } from '../people/public.ts'

/** The scripts that a page with a passkey form loads. */
export const passkeyScripts = ['simplewebauthn.js', 'passkeys.js'] as const

interface PasskeyForm {
  /** Where the form posts to, with the browser's response in the field `answer`. */
  path: string
  /** `autofill` also offers passkeys in the email field. */
  does: 'create' | 'get' | 'autofill'
  options: Challenge['options']
  fields: Readonly<Record<string, string>>
  /** Input fields for the person. */
  main?: Part
  label: string
}

/** A form for a passkey. A script shows it if the browser supports passkeys and submits it with the browser's response. */
export function passkeyForm({ path, does, options, fields, main, label }: PasskeyForm): Html {
  const kind = does === 'create' ? 'primary' : 'plain'
  return html`<form method="post" action="${path}" data-passkey="${does}" data-options="${JSON.stringify(options)}" hidden>
${hidden({ ...fields, answer: '' })}
${main}
<p class="fault" role="alert" hidden></p>
<p class="buttons"><button class="${kind}">${label}</button></p>
</form>`
}
