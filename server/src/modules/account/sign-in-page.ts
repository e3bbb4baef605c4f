import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type FormFields,
  alert,
  field,
  hidden,
  html,
  messageOf,
  page,
  pageRoute,
  readForm,
  seeOther,
} from '../pages/public.ts'
import {
  PasskeyRejected,
  checkPassword,
  clearCookie,
  deleteSession,
  offerPasskey,
  sessionUserOf,
  startSecondStep,
  startSession,
  verifyPasskey,
} from '../people/public.ts'
import { requireSession, returnTo, withReturnTo } from './guards.ts'
import { passkeyForm, passkeyScripts } from './passkey-form.ts'

/** Signing in and out. */
export const signInRoutes = (runtime: Runtime): PlainRoute[] => [
  pageRoute('/sign-in', {
    async GET(request) {
      const asked = new URLSearchParams(request.query)
      const next = returnTo(asked.get('return_to') ?? '')
      if ((await sessionUserOf(runtime, request)) !== undefined) return seeOther(next)
      const message = asked.has('kept') ? lostCookie : undefined
      return signInPage(runtime, request, { next, message })
    },
    async POST(request) {
      const form = readForm(request)
      return form.text('answer') === ''
        ? signIn(runtime, request, form)
        : signInByPasskey(runtime, request, form)
    },
  }),
  // Without this page, a browser that rejects the cookie would loop between the sign-in page and its target.
  pageRoute('/sign-in/done', {
    async GET(request) {
      const next = returnTo(new URLSearchParams(request.query).get('return_to') ?? '')
      const user = await sessionUserOf(runtime, request)
      if (user !== undefined) return seeOther(next)
      return seeOther(`/sign-in?${new URLSearchParams({ return_to: next, kept: 'no' }).toString()}`)
    },
  }),
  pageRoute('/sign-out', {
    GET: async () => seeOther('/sign-in'),
    POST: requireSession(runtime, async (user, request) => {
      readForm(request, user)
      await deleteSession(runtime.database.directory, user.personId, user.sessionId)
      return seeOther('/sign-in', [clearCookie('session')])
    }),
  }),
]

async function signIn(runtime: Runtime, request: PlainRequest, form: FormFields): Promise<PlainResponse> {
  const next = returnTo(form.text('return_to'))
  const email = form.text('email').trim()
  const person = await checkPassword(runtime, { email, password: form.text('password') }, request)
  if (person === undefined) return signInPage(runtime, request, { next, email, status: 401, message: wrong })
  if (person.totp_confirmed_at === null)
    return seeOther(withReturnTo('/sign-in/done', next), await startSession(runtime, person, request))
  const step = await startSecondStep(runtime, person)
  return seeOther(withReturnTo('/sign-in/second-step', next), [step])
}

async function signInByPasskey(
  runtime: Runtime,
  request: PlainRequest,
  form: FormFields,
): Promise<PlainResponse> {
  const next = returnTo(form.text('return_to'))
  try {
    const person = await verifyPasskey(runtime, 'passkey-sign-in', form.text('answer'), request)
    const cookies = await startSession(runtime, person, request)
    return seeOther(withReturnTo('/sign-in/done', next), [...cookies, clearCookie('passkey-sign-in')])
  } catch (error) {
    return signInPage(runtime, request, {
      next,
      status: 401,
      message: messageOf(PasskeyRejected, error),
    })
  }
}

const wrong = 'Incorrect email address or password.'
const lostCookie =
  'Your browser did not keep the sign-in cookie. Allow cookies for this site. Unless the server runs on this computer, it must be reached over https.'

interface SignIn {
  next: string
  email?: string
  status?: number
  message?: string | undefined
}

async function signInPage(
  runtime: Runtime,
  request: PlainRequest,
  { next, email, status = 200, message }: SignIn,
): Promise<PlainResponse> {
  const offer = await offerPasskey(runtime, request)
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
${field({ name: 'email', label: 'Email address', type: 'email', value: email, autocomplete: 'username webauthn' })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<p class="buttons"><button class="primary">Sign in</button></p>
</form>
${byPasskey}
<p><a href="/sign-in/forgot">Forgot your password?</a></p>`,
  })
}
