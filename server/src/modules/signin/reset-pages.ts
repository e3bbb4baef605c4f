import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { field, hidden, html, notice, page, pageRoute, seeOther } from '../pages/public.ts'
import { clearCookie } from './cookies.ts'
import { deviceCookie } from './device.ts'
import { type Faults, faultsOf } from './faults.ts'
import { readForm } from './form.ts'
import { openedByLink } from './link-cookie.ts'
import { passwordHint } from './password.ts'
import { personOfReset, requestReset, resetPassword } from './reset-password.ts'

/** Where a forgotten password is replaced, by a link in a mail. */
export const resetRoutes = (house: House, origin: () => string): PlainRoute[] => [
  pageRoute('/sign-in/forgot', {
    GET: async () => forgotPage,
    async POST(request) {
      const email = readForm(request).text('email').trim()
      await requestReset(house, { email, address: request.address, origin: origin() })
      return notice(
        200,
        'Look into your mail',
        'If somebody signs in with this address, a mail is on its way to it. Its link works for an hour.',
      )
    },
  }),
  pageRoute('/sign-in/reset', {
    GET: openedByLink('reset', async (token) => {
      const person = await personOfReset(house, token)
      return person === undefined ? spent : resetPage(token, person.email)
    }),
    async POST(request) {
      const form = readForm(request)
      const token = form.text('token')
      try {
        const person = await resetPassword(house, token, form.text('password'))
        // They have shown that the address is theirs: whoever tries passwords elsewhere does not keep them out.
        return seeOther('/sign-in', [
          clearCookie('session'),
          clearCookie('reset'),
          deviceCookie(house, person, request),
        ])
      } catch (error) {
        const faults = faultsOf(error)
        const person = await personOfReset(house, token)
        return person === undefined ? spent : resetPage(token, person.email, faults)
      }
    },
  }),
]

const forgotPage = page({
  title: 'Set a new password',
  main: html`<p>You get a mail with a link.</p>
<form method="post" action="/sign-in/forgot">
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}
<p class="buttons"><button class="primary">Send the mail</button></p>
</form>`,
})

const spent = notice(
  404,
  'This link does not work any more',
  'It has been used, it is more than an hour old, or your browser does not keep cookies of this site.',
  html`<a href="/sign-in/forgot">Ask for another</a>`,
)

const resetPage = (token: string, email: string, faults: Faults = {}): PlainAnswer =>
  page({
    title: 'Set a new password',
    status: faults['password'] === undefined ? 200 : 400,
    main: html`<p>For ${email}. All sessions end, wherever they are.</p>
<form method="post" action="/sign-in/reset">
${hidden({ token })}
<input type="hidden" name="username" autocomplete="username" value="${email}">
${field({
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: passwordHint,
  fault: faults['password'],
})}
<p class="buttons"><button class="primary">Set the password</button></p>
</form>`,
  })
