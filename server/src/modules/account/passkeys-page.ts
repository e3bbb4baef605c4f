import type { Runtime } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import type { PlainResponse, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type FormFields,
  type Part,
  action,
  alert,
  field,
  fieldErrorsOf,
  html,
  moment,
  named,
  page,
  pageRoute,
  readForm,
  seeOther,
  table,
} from '../pages/public.ts'
import {
  PasskeyRejected,
  type PasskeyRow,
  type SessionUser,
  addPasskey,
  authenticatedPerson,
  challengeNewPasskey,
  listPasskeys,
  localOrigin,
  relyingPartyOf,
  removePasskey,
} from '../people/public.ts'
import { accountHeader, requireRecentAuth } from './guards.ts'
import { passkeyForm, passkeyScripts } from './passkey-form.ts'

const path = '/account/passkeys'

/** What the person entered, and what is wrong with it. */
interface Rejected {
  message?: string
  name?: string
  error?: string | undefined
}

/** Adds and removes passkeys. */
export function passkeyRoutes(runtime: Runtime): PlainRoute[] {
  const show = (user: SessionUser, request: PlainRequest, rejected?: Rejected) =>
    passkeysPage(runtime, user, request, rejected)
  return [
    pageRoute(path, {
      GET: requireRecentAuth(runtime, show),
      POST: requireRecentAuth(runtime, async (user, request) => {
        const form = readForm(request, user)
        if (form.text('do') === 'remove') {
          await removePasskey(runtime, authenticatedPerson(user), form.text('id'))
          return seeOther(path)
        }
        const rejected = await add(runtime, user, request, form)
        return rejected === undefined ? seeOther(path) : show(user, request, rejected)
      }),
    }),
  ]
}

async function add(
  runtime: Runtime,
  user: SessionUser,
  request: PlainRequest,
  form: FormFields,
): Promise<Rejected | undefined> {
  const entered = { name: form.text('name').trim(), answer: form.text('answer') }
  const { name } = entered
  try {
    await addPasskey(runtime, authenticatedPerson(user), entered, request)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.code === PasskeyRejected.code)
      return { name, message: error.message }
    return { name, error: fieldErrorsOf(error)['name'] }
  }
}

async function passkeysPage(
  runtime: Runtime,
  user: SessionUser,
  request: PlainRequest,
  rejected: Rejected = {},
): Promise<PlainResponse> {
  const { personId: id, email, name, csrf } = user
  const passkeys = await listPasskeys(runtime.database.directory, id)
  const party = relyingPartyOf(runtime.origin(), request)
  const asked = party && (await challengeNewPasskey(runtime, party, { id, email, name }))
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
        hint: 'A name that helps you recognize it, such as “Work laptop”.',
        value: rejected.name,
        maxLength: 60,
        error: rejected.error,
      }),
      label: 'Add passkey',
    })
  return page({
    title: 'Passkeys',
    header: accountHeader(user),
    status: Object.keys(rejected).length === 0 ? 200 : 400,
    ...(asked === undefined ? {} : { scripts: passkeyScripts, cookies: [asked.cookie] }),
    main: html`<p>With a passkey, you sign in with your fingerprint, face, or device PIN. Passkeys cannot be guessed or used on other
sites.</p>
${rejected.message === undefined ? '' : alert(rejected.message)}
${table('Your passkeys', ['Name', 'Added', 'Last used', ''], rowsOf(user, passkeys), 'You have no passkeys yet.')}
<h2>Add a passkey</h2>
${addition ?? elsewhere(runtime.origin())}
${addition === undefined ? '' : withoutScripts}
<p><a href="/account">Back</a></p>`,
  })
}

const rowsOf = ({ csrf }: SessionUser, passkeys: readonly PasskeyRow[]) =>
  passkeys.map(({ id, name, created_at, last_used_at }) => [
    named(name),
    moment(created_at),
    moment(last_used_at),
    action(path, { csrf, do: 'remove', id }, html`Remove<span class="unseen"> ${name}</span>`, {
      kind: 'danger',
    }),
  ])

const withoutScripts = html`<p data-no-passkeys hidden>This browser does not support passkeys.</p>
<noscript><p>Passkeys require JavaScript. Allow it for this site.</p></noscript>`

/** Explains why passkeys do not work at this address, and where they do. */
function elsewhere(origin: string): Part {
  const url = URL.parse(origin)
  const local = url === null ? undefined : localOrigin(url)
  return local === undefined
    ? html`<p>Passkeys require a host name and https. They do not work at an IP address.</p>`
    : html`<p>Passkeys do not work at an IP address. Open <a href="${local}${path}">${local}</a> instead.</p>`
}
