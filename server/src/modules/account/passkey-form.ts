import { type Html, type Part, hidden, html } from '../pages/public.ts'
import type { Challenge } from '../people/public.ts'

/** The scripts of a page with such a form. */
export const passkeyScripts = ['simplewebauthn.js', 'passkeys.js'] as const

interface PasskeyForm {
  /** Where the form is posted, with the browser's response in the field `answer`. */
  path: string
  /** `autofill` also offers passkeys in the email field. */
  does: 'create' | 'get' | 'autofill'
  options: Challenge['options']
  fields: Readonly<Record<string, string>>
  /** Fields to fill in. */
  main?: Part
  label: string
}

/** A form that a script shows if the browser supports passkeys, and submits with the browser's response. */
export function passkeyForm({ path, does, options, fields, main, label }: PasskeyForm): Html {
  const kind = does === 'create' ? 'primary' : 'plain'
  return html`<form method="post" action="${path}" data-passkey="${does}" data-options="${JSON.stringify(options)}" hidden>
${hidden({ ...fields, answer: '' })}
${main}
<p class="fault" role="alert" hidden></p>
<p class="buttons"><button class="${kind}">${label}</button></p>
</form>`
}
