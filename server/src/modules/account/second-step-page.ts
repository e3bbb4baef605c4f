import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type FieldErrors,
  type FormFields,
  type Part,
  action,
  field,
  fieldErrorsOf,
  hidden,
  html,
  moment,
  page,
  pageRoute,
  readForm,
  seeOther,
} from '../pages/public.ts'
import {
  type SessionUser,
  appAddress,
  authenticatedPerson,
  beginSecondStep,
  confirmSecondStep,
  countRecoveryCodes,
  findPerson,
  pendingKey,
  removeSecondStep,
  renewDeviceCookie,
  renewRecoveryCodes,
} from '../people/public.ts'
import { accountHeader, requireRecentAuth } from './guards.ts'
import { qrCode } from './qr-code.ts'

const path = '/account/second-step'

/** Sets up, manages and turns off two-factor authentication with an authenticator app. */
export const secondStepRoutes = (runtime: Runtime): PlainRoute[] => [
  pageRoute(path, {
    GET: requireRecentAuth(runtime, (user) => overview(runtime, user)),
    POST: requireRecentAuth(runtime, (user, request) => change(runtime, user, request)),
  }),
]

async function change(runtime: Runtime, user: SessionUser, request: PlainRequest): Promise<PlainResponse> {
  const form = readForm(request, user)
  const person = authenticatedPerson(user)
  switch (form.text('do')) {
    case 'begin':
      return setUpPage(user, await beginSecondStep(runtime, person))
    case 'confirm':
      return confirm(runtime, user, request, form)
    case 'renew':
      return codesPage(user, await renewRecoveryCodes(runtime, person))
    case 'remove':
      await removeSecondStep(runtime, person)
      return seeOther('/account', await renewDeviceCookie(runtime, user.personId, request))
    default:
      return overview(runtime, user)
  }
}

async function confirm(
  runtime: Runtime,
  user: SessionUser,
  request: PlainRequest,
  form: FormFields,
): Promise<PlainResponse> {
  const person = authenticatedPerson(user)
  try {
    const codes = await confirmSecondStep(runtime, person, form.text('code'))
    return codesPage(user, codes, await renewDeviceCookie(runtime, user.personId, request))
  } catch (error) {
    const errors = fieldErrorsOf(error)
    const key = await pendingKey(runtime, person)
    return key === undefined ? overview(runtime, user) : setUpPage(user, key, errors)
  }
}

const accountPage = (
  user: SessionUser,
  title: string,
  main: Part,
  { status = 200, cookies = [] }: { status?: number; cookies?: readonly string[] } = {},
): PlainResponse => page({ title, main, status, cookies, header: accountHeader(user) })

const button = ({ csrf }: SessionUser, does: string, label: string, kind: 'plain' | 'primary' | 'danger') =>
  action(path, { csrf, do: does }, label, { kind })

async function overview({ database }: Runtime, user: SessionUser): Promise<PlainResponse> {
  const since = (await findPerson(database.directory, user.personId))?.totp_confirmed_at ?? null
  if (since === null) {
    const main = html`<p>With two-factor authentication, signing in requires your password and a code from an authenticator app on your
phone.</p>
<p class="buttons">${button(user, 'begin', 'Set up', 'primary')}<a href="/account">Back</a></p>`
    return accountPage(user, 'Two-factor authentication', main)
  }
  const left = await countRecoveryCodes(database.directory, user.personId)
  const main = html`<p>Two-factor authentication has been on since ${moment(since)}.</p>
<h2>Recovery codes</h2>
<p>${left === 1 ? '1 code is' : `${left} codes are`} left. Each code signs you in once without the app. New codes replace the old ones.</p>
<p class="buttons">${button(user, 'renew', 'Generate new recovery codes', 'plain')}</p>
<h2>Turn off two-factor authentication</h2>
<p>Your password alone will sign you in, and your recovery codes stop working.</p>
<p class="buttons">${button(user, 'remove', 'Turn off', 'danger')}<a href="/account">Back</a></p>`
  return accountPage(user, 'Two-factor authentication', main)
}

const setUpPage = (user: SessionUser, key: string, errors: FieldErrors = {}): PlainResponse =>
  accountPage(
    user,
    'Set up two-factor authentication',
    html`<ol>
<li>Scan this code with an authenticator app on your phone:
<p>${qrCode(appAddress(key, user.email), 'QR code for your authenticator app. The key is below as text.')}</p>
<p>Or enter this key: <code class="secret" tabindex="0">${spaced(key)}</code></p></li>
<li>Enter the six-digit code that the app shows.</li>
</ol>
<form method="post" action="${path}">
${hidden({ csrf: user.csrf, do: 'confirm' })}
${field({ name: 'code', label: 'Code', autocomplete: 'one-time-code', maxLength: 12, error: errors['code'] })}
<p class="buttons"><button class="primary">Turn on</button><a href="/account">Cancel</a></p>
</form>`,
    { status: errors['code'] === undefined ? 200 : 400 },
  )

/** In groups of four, for easier typing. */
const spaced = (key: string) => key.replaceAll(/(.{4})(?=.)/g, '$1 ')

const codesPage = (
  user: SessionUser,
  codes: readonly string[],
  cookies: readonly string[] = [],
): PlainResponse =>
  accountPage(
    user,
    'Your recovery codes',
    html`<div class="once" role="status">
<p><strong>These codes are shown only once.</strong> Each code signs you in once if you do not have the app. Print them, or
save them in your password manager.</p>
<pre class="secret" tabindex="0">${codes.join('\n')}</pre>
</div>
<p class="buttons"><a href="/account">I have saved them</a></p>`,
    { cookies },
  )
