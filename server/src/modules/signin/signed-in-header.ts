import { type Html, type Part, action, html } from '../pages/public.ts'
import type { Visitor } from './visitor.ts'

/** Above the pages of those who are signed in: the brand, what `nav` leads to, their account and the way out. */
export const signedInHeader = (
  { csrf }: Pick<Visitor, 'csrf'>,
  nav?: Part,
): Html => html`<a class="brand" href="/settings">Gable</a>
${nav === undefined ? '' : html`<nav aria-label="Pages">${nav}</nav>`}
<nav class="end" aria-label="You"><a href="/account">Account</a>
${action('/sign-out', { csrf }, 'Sign out')}</nav>`
