import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type FieldErrors,
  field,
  fieldErrorsOf,
  hidden,
  html,
  page,
  pageRoute,
  readForm,
  seeOther,
} from '../pages/public.ts'
import {
  type SessionUser,
  authenticatedPerson,
  passwordHint,
  renewDeviceCookie,
  setPassword,
} from '../people/public.ts'
import { accountHeader, requireRecentAuth } from './guards.ts'

/** Changes the password. Does not ask for the old one: the recent sign-in proves that the person knows it or has a passkey. */
export const passwordRoutes = (runtime: Runtime): PlainRoute[] => [
  pageRoute('/account/password', {
    GET: requireRecentAuth(runtime, async (user) => passwordPage(user)),
    POST: requireRecentAuth(runtime, async (user, request) => {
      const form = readForm(request, user)
      try {
        await setPassword(runtime, authenticatedPerson(user), form.text('password'))
        return seeOther('/account', await renewDeviceCookie(runtime, user.personId, request))
      } catch (error) {
        return passwordPage(user, fieldErrorsOf(error))
      }
    }),
  }),
]

const passwordPage = (user: SessionUser, errors: FieldErrors = {}): PlainResponse =>
  page({
    title: 'Change password',
    header: accountHeader(user),
    status: errors['password'] === undefined ? 200 : 400,
    main: html`<p>All of your other sessions end. You stay signed in here.</p>
<form method="post" action="/account/password">
${hidden({ csrf: user.csrf })}
<input type="hidden" name="username" autocomplete="username" value="${user.email}">
${field({
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: passwordHint,
  error: errors['password'],
})}
<p class="buttons"><button class="primary">Change password</button><a href="/account">Cancel</a></p>
</form>`,
  })
