import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { alert, field, hidden, html, page, pageRoute, seeOther } from '../pages/public.ts'
import { clearCookie } from './cookies.ts'
import { type Fields, readForm } from './form.ts'
import { signedIn } from './guards.ts'
import { PasskeyRefused } from './passkey-challenge.ts'
import { passkeyForm, passkeyScripts } from './passkey-form.ts'
import { offerPasskey } from './passkey-offer.ts'
import { refusedAs } from './refused-as.ts'
import { leadingTo, returnTo } from './return-to.ts'
import { deleteSession } from './session-queries.ts'
import { startSession } from './session.ts'
import { checkPassword } from './sign-in.ts'
import { startSecondStep } from './step.ts'
import { personOfPasskey } from './use-passkey.ts'
import { visitorOf } from './visitor.ts'

/** Where people sign in and out. */
export const signInRoutes = (house: House, origin: () => string): PlainRoute[] => [
  pageRoute('/sign-in', {
    async GET(request) {
      const asked = new URLSearchParams(request.query)
      const next = returnTo(asked.get('return_to') ?? '')
      if ((await visitorOf(house, request)) !== undefined) return seeOther(next)
      const message = asked.has('kept') ? lostCookie : undefined
      return signInPage(house, origin(), request, { next, message })
    },
    async POST(request) {
      const form = readForm(request)
      return form.text('answer') === ''
        ? signIn(house, origin(), request, form)
        : signInByPasskey(house, origin(), request, form)
    },
  }),
  pageRoute('/sign-out', {
    GET: async () => seeOther('/sign-in'),
    POST: signedIn(house, async (visitor, request) => {
      readForm(request, visitor)
      await deleteSession(house.database.directory, visitor.personId, visitor.sessionId)
      return seeOther('/sign-in', [clearCookie('session')])
    }),
  }),
]

async function signIn(
  house: House,
  origin: string,
  request: PlainRequest,
  form: Fields,
): Promise<PlainAnswer> {
  const next = returnTo(form.text('return_to'))
  const email = form.text('email').trim()
  const person = await checkPassword(house, { email, password: form.text('password') }, request)
  if (person === undefined)
    return signInPage(house, origin, request, { next, email, status: 401, message: wrong })
  if (person.totp_confirmed_at === null)
    return seeOther(leadingTo('/sign-in/done', next), await startSession(house, person, request))
  const step = await startSecondStep(house, person)
  return seeOther(leadingTo('/sign-in/second-step', next), [step])
}

async function signInByPasskey(
  house: House,
  origin: string,
  request: PlainRequest,
  form: Fields,
): Promise<PlainAnswer> {
  const next = returnTo(form.text('return_to'))
  try {
    const person = await personOfPasskey(house, origin, 'passkey-sign-in', form.text('answer'), request)
    const cookies = await startSession(house, person, request)
    return seeOther(leadingTo('/sign-in/done', next), [...cookies, clearCookie('passkey-sign-in')])
  } catch (error) {
    return signInPage(house, origin, request, {
      next,
      status: 401,
      message: refusedAs(PasskeyRefused, error),
    })
  }
}

const wrong = 'This e-mail address and password do not belong together.'
const lostCookie =
  'Your browser did not keep the cookie that signs you in. Allow cookies for this site; and unless it runs on your own machine, it must be reached over https.'

interface SignIn {
  next: string
  email?: string
  status?: number
  message?: string | undefined
}

async function signInPage(
  house: House,
  origin: string,
  request: PlainRequest,
  { next, email, status = 200, message }: SignIn,
): Promise<PlainAnswer> {
  const offer = await offerPasskey(house, origin, request)
  const byPasskey =
    offer &&
    passkeyForm({
      path: '/sign-in',
      does: 'autofill',
      options: offer.options,
      fields: { return_to: next },
      label: 'Sign in with a passkey',
    })
  return page({
    title: 'Sign in',
    status,
    ...(offer === undefined ? {} : { scripts: passkeyScripts, cookies: [offer.cookie] }),
    main: html`${message === undefined ? '' : alert(message)}
<form method="post" action="/sign-in">
${hidden({ return_to: next })}
${field({ name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username webauthn' })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<p class="buttons"><button class="primary">Sign in</button></p>
</form>
${byPasskey}
<p><a href="/sign-in/forgot">Set a new password</a></p>`,
  })
}
