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
  type PersonRow,
  type SessionUser,
  challengePasskey,
  checkPassword,
  clearCookie,
  findPerson,
  listPasskeys,
  passkeyRejections,
  relyingPartyOf,
  startSession,
  verifyPasskey,
  verifySecondStep,
} from '../people/public.ts'
import { accountHeader, requireSession, returnTo } from './guards.ts'
import { passkeyForm, passkeyScripts } from './passkey-form.ts'
import { codeField, wrongCode } from './sign-in-code-page.ts'

/** The page where a person who signed in more than ten minutes ago confirms their identity and continues in a new session. */
export const confirmRoutes = (runtime: Runtime): PlainRoute[] => [
  pageRoute('/sign-in/confirm', {
    GET: requireSession(runtime, async (user, request) => {
      const query = new URLSearchParams(request.query)
      const next = returnTo(query.get('return_to') ?? '')
      return confirmPage(runtime, user, request, { next, unsaved: query.has('unsaved') })
    }),
    POST: requireSession(runtime, async (user, request) => {
      const form = readForm(request, user)
      const next = returnTo(form.text('return_to'))
      const result = await verify(runtime, user, request, form)
      if ('message' in result) {
        const unsaved = form.text('unsaved') !== ''
        return confirmPage(runtime, user, request, { next, unsaved, message: result.message })
      }
      const cookies = await startSession(runtime, result.person, request, user)
      return seeOther(next, [...cookies, clearCookie('passkey-confirm')])
    }),
  }),
]

/** Returns the person if the passkey, or the password and code, are theirs; otherwise an error message. */
async function verify(
  runtime: Runtime,
  user: SessionUser,
  request: PlainRequest,
  form: FormFields,
): Promise<{ person: PersonRow } | { message: string }> {
  const { email, personId } = user
  const answer = form.text('answer')
  if (answer !== '') {
    try {
      const person = await verifyPasskey(runtime, 'passkey-confirm', answer, request)
      return person.id === personId ? { person } : { message: passkeyRejections.others }
    } catch (error) {
      return { message: messageOf(PasskeyRejected, error) }
    }
  }
  const person = await checkPassword(runtime, { email, password: form.text('password') }, request)
  if (person?.id !== personId) return { message: 'This password is wrong.' }
  const needsCode = person.totp_confirmed_at !== null
  if (needsCode && !(await verifySecondStep(runtime, person, form.text('code'), request)))
    return { message: wrongCode }
  return { person }
}

async function confirmPage(
  runtime: Runtime,
  user: SessionUser,
  request: PlainRequest,
  { next, unsaved, message }: { next: string; unsaved: boolean; message?: string },
): Promise<PlainResponse> {
  const { csrf, personId, email } = user
  const person = await findPerson(runtime.database.directory, personId)
  const offer = await offerOwnPasskey(runtime, personId, request)
  const fields = { csrf, return_to: next, ...(unsaved && { unsaved: 'yes' }) }
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
    title: 'Confirm that it is you',
    header: accountHeader(user),
    status: message === undefined ? 200 : 401,
    ...(offer === undefined ? {} : { scripts: passkeyScripts, cookies: [offer.cookie] }),
    main: html`${unsaved && alert('Your change was not saved. Confirm that it is you, then make the change again.')}
<p>You are signed in as ${email}. The next step gives access to someone or something, or changes how you sign in, so it
requires a sign-in within the last ten minutes.</p>
${message === undefined ? '' : alert(message)}
<form method="post" action="/sign-in/confirm">
${hidden(fields)}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
${person?.totp_confirmed_at === null ? '' : codeField()}
<p class="buttons"><button class="primary">Confirm</button></p>
</form>
${byPasskey}`,
  })
}

async function offerOwnPasskey(runtime: Runtime, personId: string, request: PlainRequest) {
  const party = relyingPartyOf(runtime.origin(), request)
  if (party === undefined) return undefined
  const passkeys = await listPasskeys(runtime.database.directory, personId)
  return passkeys.length === 0 ? undefined : challengePasskey(runtime, party, 'passkey-confirm', personId)
}
