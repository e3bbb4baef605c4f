import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type FieldErrors,
  field,
  fieldErrorsOf,
  hidden,
  html,
  notice,
  page,
  pageRoute,
  readForm,
  seeOther,
} from '../pages/public.ts'
import {
  clearCookie,
  deviceCookie,
  passwordHint,
  personOfReset,
  requestReset,
  resetPassword,
} from '../people/public.ts'
import { openedByLink } from './link-cookie.ts'

/** Resets a forgotten password by a link in an email. */
export const resetRoutes = (runtime: Runtime): PlainRoute[] => [
  pageRoute('/sign-in/forgot', {
    GET: async () => forgotPage,
    async POST(request) {
      const email = readForm(request).text('email').trim()
      await requestReset(runtime, { email, address: request.address })
      return notice(
        200,
        'Check your email',
        'If an account has this address, we sent it a link to set a new password. The link works for one hour.',
      )
    },
  }),
  pageRoute('/sign-in/reset', {
    GET: openedByLink('reset', async (token) => {
      const person = await personOfReset(runtime, token)
      return person === undefined ? spent : resetPage(token, person.email)
    }),
    async POST(request) {
      const form = readForm(request)
      const token = form.text('token')
      try {
        const person = await resetPassword(runtime, token, form.text('password'))
        // The person has proved that they own the address, so guesses from elsewhere must not lock them out.
        return seeOther('/sign-in', [
          clearCookie('session'),
          clearCookie('reset'),
          deviceCookie(runtime, person, request),
        ])
      } catch (error) {
        const errors = fieldErrorsOf(error)
        const person = await personOfReset(runtime, token)
        return person === undefined ? spent : resetPage(token, person.email, errors)
      }
    },
  }),
]

const forgotPage = page({
  title: 'Reset your password',
  main: html`<p>We will email you a link to set a new password.</p>
<form method="post" action="/sign-in/forgot">
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username' })}
<p class="buttons"><button class="primary">Send link</button></p>
</form>`,
})

const spent = notice(
  404,
  'This link no longer works',
  'It was used, it is more than an hour old, or your browser does not keep cookies of this site.',
  html`<a href="/sign-in/forgot">Get a new link</a>`,
)

const resetPage = (token: string, email: string, errors: FieldErrors = {}): PlainResponse =>
  page({
    title: 'Set a new password',
    status: errors['password'] === undefined ? 200 : 400,
    main: html`<p>For ${email}. All of your sessions end.</p>
<form method="post" action="/sign-in/reset">
${hidden({ token })}
<input type="hidden" name="username" autocomplete="username" value="${email}">
${field({
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: passwordHint,
  error: errors['password'],
})}
<p class="buttons"><button class="primary">Set password</button></p>
</form>`,
  })
