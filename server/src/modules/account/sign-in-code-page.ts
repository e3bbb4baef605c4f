import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { type Html, field, hidden, html, page, pageRoute, readForm, seeOther } from '../pages/public.ts'
import {
  clearCookie,
  endStep,
  findPerson,
  openStep,
  startSession,
  verifySecondStep,
} from '../people/public.ts'
import { returnTo, withReturnTo } from './guards.ts'

/** The second step of a sign-in: a code from the authenticator app, or a recovery code. */
export const signInCodeRoutes = (runtime: Runtime): PlainRoute[] => [
  pageRoute('/sign-in/second-step', {
    async GET(request) {
      const next = returnTo(new URLSearchParams(request.query).get('return_to') ?? '')
      const step = await openStep(runtime, 'second-step', request)
      return step === undefined ? renewed(next) : secondStepPage(next)
    },
    POST: (request) => completeSecondStep(runtime, request),
  }),
]

async function completeSecondStep(runtime: Runtime, request: PlainRequest): Promise<PlainResponse> {
  const form = readForm(request)
  const next = returnTo(form.text('return_to'))
  const step = await openStep(runtime, 'second-step', request)
  if (step === undefined || step.personId === null) return renewed(next)
  const person = await findPerson(runtime.database.directory, step.personId)
  if (person === undefined) return renewed(next)
  // A wrong code leaves the step open, because people mistype.
  if (!(await verifySecondStep(runtime, person, form.text('code'), request)))
    return secondStepPage(next, wrongCode)
  if ((await endStep(runtime, 'second-step', request)) === undefined) return renewed(next)
  const cookies = await startSession(runtime, person, request)
  return seeOther(withReturnTo('/sign-in/done', next), [...cookies, clearCookie('second-step')])
}

/** After five minutes, the sign-in starts over. */
const renewed = (next: string) => seeOther(withReturnTo('/sign-in', next))

export const wrongCode = 'This code is wrong or was already used.'

export const codeField = (error?: string): Html =>
  field({
    name: 'code',
    label: 'Code',
    hint: 'The six-digit code of your authenticator app, or a recovery code.',
    autocomplete: 'one-time-code',
    maxLength: 40,
    error,
  })

const secondStepPage = (next: string, error?: string): PlainResponse =>
  page({
    title: 'Two-factor authentication',
    status: error === undefined ? 200 : 401,
    main: html`<form method="post" action="/sign-in/second-step">
${hidden({ return_to: next })}
${codeField(error)}
<p class="buttons"><button class="primary">Sign in</button></p>
</form>`,
  })
