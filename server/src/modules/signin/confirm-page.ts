import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { alert, field, hidden, html, page, pageRoute, seeOther } from '../pages/public.ts'
import { clearCookie } from './cookies.ts'
import { type Fields, readForm } from './form.ts'
import { signedIn } from './guards.ts'
import { PasskeyRefused, refusals } from './passkey-challenge.ts'
import { passkeyForm, passkeyScripts } from './passkey-form.ts'
import { listPasskeys } from './passkey-queries.ts'
import { type PersonRow, findPerson } from './people-queries.ts'
import { refusedAs } from './refused-as.ts'
import { relyingPartyOf } from './relying-party.ts'
import { returnTo } from './return-to.ts'
import { codeField, wrongCode } from './second-step-page.ts'
import { isSecondStep } from './second-step.ts'
import { startSession } from './session.ts'
import { checkPassword } from './sign-in.ts'
import { signedInHeader } from './signed-in-header.ts'
import { askForPasskey, personOfPasskey } from './use-passkey.ts'
import type { Visitor } from './visitor.ts'

/** Where somebody who has been signed in for a while shows anew who they are, and goes on in a new session. */
export const confirmRoutes = (house: House, origin: () => string): PlainRoute[] => [
  pageRoute('/sign-in/confirm', {
    GET: signedIn(house, async (visitor, request) => {
      const next = returnTo(new URLSearchParams(request.query).get('return_to') ?? '')
      return confirmPage(house, origin(), visitor, request, { next })
    }),
    POST: signedIn(house, async (visitor, request) => {
      const form = readForm(request, visitor)
      const next = returnTo(form.text('return_to'))
      const shown = await provedBy(house, origin(), visitor, request, form)
      if ('message' in shown)
        return confirmPage(house, origin(), visitor, request, { next, message: shown.message })
      const cookies = await startSession(house, shown.person, request, visitor)
      return seeOther(next, [...cookies, clearCookie('passkey-confirm')])
    }),
  }),
]

/** The person at the browser, or what was wrong with what they have shown. */
async function provedBy(
  house: House,
  origin: string,
  visitor: Visitor,
  request: PlainRequest,
  form: Fields,
): Promise<{ person: PersonRow } | { message: string }> {
  const { email, personId } = visitor
  const answer = form.text('answer')
  if (answer !== '') {
    try {
      const person = await personOfPasskey(house, origin, 'passkey-confirm', answer, request)
      return person.id === personId ? { person } : { message: refusals.others }
    } catch (error) {
      return { message: refusedAs(PasskeyRefused, error) }
    }
  }
  const person = await checkPassword(house, { email, password: form.text('password') }, request)
  if (person?.id !== personId) return { message: 'This is not your password.' }
  const needsCode = person.totp_confirmed_at !== null
  if (needsCode && !(await isSecondStep(house, person, form.text('code'), request)))
    return { message: wrongCode }
  return { person }
}

async function confirmPage(
  house: House,
  origin: string,
  visitor: Visitor,
  request: PlainRequest,
  { next, message }: { next: string; message?: string },
): Promise<PlainAnswer> {
  const { csrf, personId, email } = visitor
  const person = await findPerson(house.database.directory, personId)
  const offer = await offerOwnPasskey(house, origin, personId, request)
  const fields = { csrf, return_to: next }
  const byPasskey =
    offer &&
    passkeyForm({
      path: '/sign-in/confirm',
      does: 'get',
      options: offer.options,
      fields,
      label: 'Use a passkey',
    })
  return page({
    title: 'Is it still you?',
    header: signedInHeader(visitor),
    status: message === undefined ? 200 : 401,
    ...(offer === undefined ? {} : { scripts: passkeyScripts, cookies: [offer.cookie] }),
    main: html`<p>What comes next changes how you sign in, or makes or shows a secret. Show once more that you are ${email}.</p>
${message === undefined ? '' : alert(message)}
<form method="post" action="/sign-in/confirm">
${hidden(fields)}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
${person?.totp_confirmed_at === null ? '' : codeField()}
<p class="buttons"><button class="primary">Go on</button></p>
</form>
${byPasskey}`,
  })
}

async function offerOwnPasskey(house: House, origin: string, personId: string, request: PlainRequest) {
  const party = relyingPartyOf(origin, request)
  if (party === undefined) return undefined
  const some = await listPasskeys(house.database.directory, personId)
  return some.length === 0 ? undefined : askForPasskey(house, party, 'passkey-confirm', personId)
}
