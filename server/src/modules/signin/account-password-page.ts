import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { field, hidden, html, page, pageRoute, seeOther } from '../pages/public.ts'
import { actingAs } from './acting.ts'
import { staysKnown } from './device.ts'
import { type Faults, faultsOf } from './faults.ts'
import { readForm } from './form.ts'
import { signedInAnew } from './guards.ts'
import { passwordHint } from './password.ts'
import { setPassword } from './replace-password.ts'
import { signedInHeader } from './signed-in-header.ts'
import type { Visitor } from './visitor.ts'

/** Where somebody sets a new password: that they know the old one, or have a passkey, they have just shown. */
export const accountPasswordRoutes = (house: House): PlainRoute[] => [
  pageRoute('/account/password', {
    GET: signedInAnew(house, async (visitor) => passwordPage(visitor)),
    POST: signedInAnew(house, async (visitor, request) => {
      const form = readForm(request, visitor)
      try {
        await setPassword(house, actingAs(visitor), form.text('password'))
        return seeOther('/account', await staysKnown(house, visitor, request))
      } catch (error) {
        return passwordPage(visitor, faultsOf(error))
      }
    }),
  }),
]

const passwordPage = (visitor: Visitor, faults: Faults = {}): PlainAnswer =>
  page({
    title: 'Change your password',
    header: signedInHeader(visitor),
    status: faults['password'] === undefined ? 200 : 400,
    main: html`<p>You stay signed in here, and are signed out everywhere else.</p>
<form method="post" action="/account/password">
${hidden({ csrf: visitor.csrf })}
<input type="hidden" name="username" autocomplete="username" value="${visitor.email}">
${field({
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: passwordHint,
  fault: faults['password'],
})}
<p class="buttons"><button class="primary">Change it</button><a href="/account">Cancel</a></p>
</form>`,
  })
