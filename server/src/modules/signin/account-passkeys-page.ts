import type { House } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type Part,
  action,
  alert,
  field,
  html,
  moment,
  named,
  page,
  pageRoute,
  seeOther,
  table,
} from '../pages/public.ts'
import { actingAs } from './acting.ts'
import { addPasskey, askForNewPasskey, removePasskey } from './add-passkey.ts'
import { faultsOf } from './faults.ts'
import { type Fields, readForm } from './form.ts'
import { signedInAnew } from './guards.ts'
import { PasskeyRefused } from './passkey-challenge.ts'
import { passkeyForm, passkeyScripts } from './passkey-form.ts'
import { type PasskeyRow, listPasskeys } from './passkey-queries.ts'
import { localOrigin, relyingPartyOf } from './relying-party.ts'
import { signedInHeader } from './signed-in-header.ts'
import type { Visitor } from './visitor.ts'

const path = '/account/passkeys'

/** What was wrong with what somebody entered, and what it was. */
interface Refused {
  message?: string
  name?: string
  fault?: string | undefined
}

/** Where somebody adds passkeys and takes them away. */
export function accountPasskeyRoutes(house: House, origin: () => string): PlainRoute[] {
  const show = (visitor: Visitor, request: PlainRequest, refused?: Refused) =>
    passkeysPage(house, origin(), visitor, request, refused)
  return [
    pageRoute(path, {
      GET: signedInAnew(house, show),
      POST: signedInAnew(house, async (visitor, request) => {
        const form = readForm(request, visitor)
        if (form.text('do') === 'remove') {
          await removePasskey(house, actingAs(visitor), form.text('id'))
          return seeOther(path)
        }
        const refused = await add(house, origin(), visitor, request, form)
        return refused === undefined ? seeOther(path) : show(visitor, request, refused)
      }),
    }),
  ]
}

async function add(
  house: House,
  origin: string,
  visitor: Visitor,
  request: PlainRequest,
  form: Fields,
): Promise<Refused | undefined> {
  const entered = { name: form.text('name').trim(), answer: form.text('answer') }
  const { name } = entered
  try {
    await addPasskey(house, origin, actingAs(visitor), entered, request)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.code === PasskeyRefused.code)
      return { name, message: error.message }
    return { name, fault: faultsOf(error)['name'] }
  }
}

async function passkeysPage(
  house: House,
  origin: string,
  visitor: Visitor,
  request: PlainRequest,
  refused: Refused = {},
): Promise<PlainAnswer> {
  const { personId: id, email, name, csrf } = visitor
  const passkeys = await listPasskeys(house.database.directory, id)
  const party = relyingPartyOf(origin, request)
  const asked = party && (await askForNewPasskey(house, party, { id, email, name }))
  const addition =
    asked &&
    passkeyForm({
      path,
      does: 'create',
      options: asked.options,
      fields: { csrf, do: 'add' },
      main: field({
        name: 'name',
        label: 'Name',
        hint: 'By which you tell it from others, such as “Work laptop”.',
        value: refused.name,
        maxLength: 60,
        fault: refused.fault,
      }),
      label: 'Add a passkey',
    })
  return page({
    title: 'Passkeys',
    header: signedInHeader(visitor),
    status: Object.keys(refused).length === 0 ? 200 : 400,
    ...(asked === undefined ? {} : { scripts: passkeyScripts, cookies: [asked.cookie] }),
    main: html`<p>A passkey signs you in with a fingerprint, a face or a PIN of your device. It cannot be guessed, and works on no
other site.</p>
${refused.message === undefined ? '' : alert(refused.message)}
${table('Your passkeys', ['Name', 'Added', 'Last used', ''], rowsOf(visitor, passkeys), 'You have none yet.')}
<h2>Add one</h2>
${addition ?? elsewhere(origin)}
${addition === undefined ? '' : withoutScripts}
<p><a href="/account">Back</a></p>`,
  })
}

const rowsOf = ({ csrf }: Visitor, passkeys: readonly PasskeyRow[]) =>
  passkeys.map(({ id, name, created_at, last_used_at }) => [
    named(name),
    moment(created_at),
    moment(last_used_at),
    action(path, { csrf, do: 'remove', id }, html`Remove<span class="unseen"> ${name}</span>`, {
      kind: 'danger',
    }),
  ])

const withoutScripts = html`<p data-no-passkeys hidden>This browser knows no passkeys.</p>
<noscript><p>Browsers offer passkeys to scripts alone: allow them for this site.</p></noscript>`

/** Why there are none at this address, and where there are. */
function elsewhere(origin: string): Part {
  const url = URL.parse(origin)
  const local = url === null ? undefined : localOrigin(url)
  return local === undefined
    ? html`<p>Passkeys work where Gable is reached by a name and over https, and not at the number of an address.</p>`
    : html`<p>Passkeys do not work at the number of an address. Open <a href="${local}${path}">${local}</a> instead.</p>`
}
