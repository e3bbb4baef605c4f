import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { type Part, action, field, hidden, html, moment, page, pageRoute, seeOther } from '../pages/public.ts'
import { actingAs } from './acting.ts'
import { staysKnown } from './device.ts'
import { type Faults, faultsOf } from './faults.ts'
import { type Fields, readForm } from './form.ts'
import { signedInAnew } from './guards.ts'
import { findPerson } from './people-queries.ts'
import { qrCode } from './qr-code.ts'
import { countRecoveryCodes } from './second-step-queries.ts'
import {
  beginSecondStep,
  confirmSecondStep,
  pendingKey,
  removeSecondStep,
  renewRecoveryCodes,
} from './second-step.ts'
import { signedInHeader } from './signed-in-header.ts'
import { appAddress } from './totp.ts'
import type { Visitor } from './visitor.ts'

const path = '/account/second-step'

/** Where somebody sets up an authenticator app as the second step of their sign-in, or takes it away. */
export const accountSecondStepRoutes = (house: House): PlainRoute[] => [
  pageRoute(path, {
    GET: signedInAnew(house, (visitor) => overview(house, visitor)),
    POST: signedInAnew(house, (visitor, request) => change(house, visitor, request)),
  }),
]

async function change(house: House, visitor: Visitor, request: PlainRequest): Promise<PlainAnswer> {
  const form = readForm(request, visitor)
  const person = actingAs(visitor)
  switch (form.text('do')) {
    case 'begin':
      return setUpPage(visitor, await beginSecondStep(house, person))
    case 'confirm':
      return confirm(house, visitor, request, form)
    case 'renew':
      return codesPage(visitor, await renewRecoveryCodes(house, person))
    case 'remove':
      await removeSecondStep(house, person)
      return seeOther('/account', await staysKnown(house, visitor, request))
    default:
      return overview(house, visitor)
  }
}

async function confirm(
  house: House,
  visitor: Visitor,
  request: PlainRequest,
  form: Fields,
): Promise<PlainAnswer> {
  const person = actingAs(visitor)
  try {
    const codes = await confirmSecondStep(house, person, form.text('code'))
    return codesPage(visitor, codes, await staysKnown(house, visitor, request))
  } catch (error) {
    const faults = faultsOf(error)
    const key = await pendingKey(house, person)
    return key === undefined ? overview(house, visitor) : setUpPage(visitor, key, faults)
  }
}

const accountPage = (
  visitor: Visitor,
  title: string,
  main: Part,
  { status = 200, cookies = [] }: { status?: number; cookies?: readonly string[] } = {},
): PlainAnswer => page({ title, main, status, cookies, header: signedInHeader(visitor) })

const button = ({ csrf }: Visitor, does: string, label: string, kind: 'plain' | 'primary' | 'danger') =>
  action(path, { csrf, do: does }, label, { kind })

async function overview({ database }: House, visitor: Visitor): Promise<PlainAnswer> {
  const since = (await findPerson(database.directory, visitor.personId))?.totp_confirmed_at ?? null
  if (since === null) {
    const main = html`<p>With a second step, nobody comes in by your password alone: an app on your phone shows a code that
changes every 30 seconds, and you enter it when you sign in.</p>
<p class="buttons">${button(visitor, 'begin', 'Set it up', 'primary')}<a href="/account">Back</a></p>`
    return accountPage(visitor, 'Second step', main)
  }
  const left = await countRecoveryCodes(database.directory, visitor.personId)
  const main = html`<p>Your app is asked for a code since ${moment(since)}.</p>
<h2>Recovery codes</h2>
<p>${left === 1 ? '1 code is' : `${left} codes are`} left. Each lets you in once without the app. New ones replace these.</p>
<p class="buttons">${button(visitor, 'renew', 'Make new recovery codes', 'plain')}</p>
<h2>Turn it off</h2>
<p>Then your password alone is enough again, and the recovery codes are void.</p>
<p class="buttons">${button(visitor, 'remove', 'Turn the second step off', 'danger')}<a href="/account">Back</a></p>`
  return accountPage(visitor, 'Second step', main)
}

const setUpPage = (visitor: Visitor, key: string, faults: Faults = {}): PlainAnswer =>
  accountPage(
    visitor,
    'Set up the second step',
    html`<ol>
<li>Open an authenticator app on your phone and let it scan this code:
<p>${qrCode(appAddress(key, visitor.email), 'QR code for your authenticator app; the key stands below as text')}</p>
<p>Or type in this key: <code class="secret" tabindex="0">${spaced(key)}</code></p></li>
<li>Enter the six digits that the app shows now.</li>
</ol>
<form method="post" action="${path}">
${hidden({ csrf: visitor.csrf, do: 'confirm' })}
${field({ name: 'code', label: 'Code', autocomplete: 'one-time-code', maxLength: 12, fault: faults['code'] })}
<p class="buttons"><button class="primary">Turn it on</button><a href="/account">Cancel</a></p>
</form>`,
    { status: faults['code'] === undefined ? 200 : 400 },
  )

/** In groups of four, to be typed. */
const spaced = (key: string) => key.replaceAll(/(.{4})(?=.)/g, '$1 ')

const codesPage = (
  visitor: Visitor,
  codes: readonly string[],
  cookies: readonly string[] = [],
): PlainAnswer =>
  accountPage(
    visitor,
    'Your recovery codes',
    html`<div class="once" role="status">
<p><strong>These codes</strong> are shown only now. Each lets you in once when you do not have the app. Print them, or keep
them where you keep your passwords.</p>
<pre class="secret" tabindex="0">${codes.join('\n')}</pre>
</div>
<p class="buttons"><a href="/account">I have kept them</a></p>`,
    { cookies },
  )
