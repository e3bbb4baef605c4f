import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { type Html, field, hidden, html, page, pageRoute, seeOther } from '../pages/public.ts'
import { clearCookie } from './cookies.ts'
import { readForm } from './form.ts'
import { findPerson } from './people-queries.ts'
import { leadingTo, returnTo } from './return-to.ts'
import { isSecondStep } from './second-step.ts'
import { startSession } from './session.ts'
import { endStep, openStep } from './step.ts'

/** Where somebody whose password was right brings the code of their app, or a recovery code. */
export const secondStepRoutes = (house: House): PlainRoute[] => [
  pageRoute('/sign-in/second-step', {
    async GET(request) {
      const next = returnTo(new URLSearchParams(request.query).get('return_to') ?? '')
      const step = await openStep(house, 'second-step', request)
      return step === undefined ? anew(next) : secondStepPage(next)
    },
    POST: (request) => takeSecondStep(house, request),
  }),
]

async function takeSecondStep(house: House, request: PlainRequest): Promise<PlainAnswer> {
  const form = readForm(request)
  const next = returnTo(form.text('return_to'))
  const step = await openStep(house, 'second-step', request)
  if (step === undefined || step.personId === null) return anew(next)
  const person = await findPerson(house.database.directory, step.personId)
  if (person === undefined) return anew(next)
  // A wrong code leaves the step open: people mistype.
  if (!(await isSecondStep(house, person, form.text('code'), request))) return secondStepPage(next, wrongCode)
  if ((await endStep(house, 'second-step', request)) === undefined) return anew(next)
  const cookies = await startSession(house, person, request)
  return seeOther(leadingTo('/sign-in/done', next), [...cookies, clearCookie('second-step')])
}

/** Whoever has taken longer than five minutes begins again. */
const anew = (next: string) => seeOther(leadingTo('/sign-in', next))

export const wrongCode = 'This is not the code that the app shows now, or it has been used before.'

export const codeField = (fault?: string): Html =>
  field({
    name: 'code',
    label: 'Code',
    hint: 'The six digits that your app shows, or one of your recovery codes.',
    autocomplete: 'one-time-code',
    maxLength: 40,
    fault,
  })

const secondStepPage = (next: string, fault?: string): PlainAnswer =>
  page({
    title: 'Second step',
    status: fault === undefined ? 200 : 401,
    main: html`<form method="post" action="/sign-in/second-step">
${hidden({ return_to: next })}
${codeField(fault)}
<p class="buttons"><button class="primary">Sign in</button></p>
</form>`,
  })
