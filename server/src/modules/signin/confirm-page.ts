import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { alert, field, hidden, html, page, pageRoute, seeOther } from '../pages/public.ts'
import { readForm } from './form.ts'
import { signedIn } from './guards.ts'
import { returnTo } from './return-to.ts'
import { startSession } from './session.ts'
import { checkPassword } from './sign-in.ts'
import { signedInHeader } from './signed-in-header.ts'
import type { Visitor } from './visitor.ts'

/** Where somebody who has been signed in for a while shows anew who they are, and goes on in a new session. */
export const confirmRoutes = (house: House): PlainRoute[] => [
  pageRoute('/sign-in/confirm', {
    GET: signedIn(house, async (visitor, { query }) =>
      confirmPage(visitor, returnTo(new URLSearchParams(query).get('return_to') ?? '')),
    ),
    POST: signedIn(house, async (visitor, request) => {
      const form = readForm(request, visitor)
      const next = returnTo(form.text('return_to'))
      const { email } = visitor
      const person = await checkPassword(house, { email, password: form.text('password') }, request)
      if (person?.id !== visitor.personId) return confirmPage(visitor, next, 'This is not your password.')
      return seeOther(next, await startSession(house, person, request, visitor))
    }),
  }),
]

const confirmPage = ({ email, csrf }: Visitor, next: string, fault?: string): PlainAnswer =>
  page({
    title: 'Is it still you?',
    header: signedInHeader({ csrf }),
    status: fault === undefined ? 200 : 401,
    main: html`<p>What comes next makes or shows a secret. Show once more that you are ${email}.</p>
${fault === undefined ? '' : alert(fault)}
<form method="post" action="/sign-in/confirm">
${hidden({ csrf, return_to: next })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<p class="buttons"><button class="primary">Go on</button></p>
</form>`,
  })
