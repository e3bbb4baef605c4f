import {
  type FieldErrors,
  type Html,
  type Part,
  action,
  alert,
  choices,
  field,
  hidden,
  html,
  moment,
  named,
  shownOnce,
} from '../../pages/public.ts'
import type { CalendarConnection } from '../push/connection-queries.ts'

/** What the page's forms need, and the result of the last action. */
export interface PageState {
  /** Hidden fields of every form. */
  fields: Readonly<Record<string, string>>
  path: string
  errors: FieldErrors
  entered?: { address: string; username: string }
  /** Why the last action failed. */
  message?: string
  note?: string
  /** A new feed URL, which is shown once. */
  feedUrl?: string
}

/** The connected calendar or the next step of connecting one, and the form. */
export function connectionPart(connection: CalendarConnection | undefined, shown: PageState): Html {
  const { message, note } = shown
  return html`<h2>Connected calendar</h2>
${message === undefined ? '' : alert(message)}
${note === undefined ? '' : html`<p role="status">${note}</p>`}
${connection === undefined ? html`<p class="empty">No calendar is connected.</p>` : stateOf(connection, shown)}
${connectForm(connection, shown)}`
}

function stateOf(connection: CalendarConnection, shown: PageState): Part {
  if (connection.status === 'new_host') return confirmation(connection, shown)
  if (connection.status === 'choosing') return choice(connection, shown)
  const { calendar_name, username, hosts, status, error } = connection
  const button = (what: string, label: string, kind?: 'danger') =>
    action(shown.path, { ...shown.fields, do: what }, label, kind && { kind })
  return html`<p>Your appointments go to ${named(calendar_name ?? '')} of ${named(username)} at ${named(hosts.at(-1) ?? '')}.</p>
${
  status === 'resting'
    ? alert('It is not updated: the server rejects the name or the password. Connect it again.')
    : html`<p class="muted">Changes appear within moments.</p>`
}
${error === null || status === 'resting' ? '' : html`<p>Last test: ${error}</p>`}
<p class="buttons">${button('test', 'Test')} ${button('disconnect', 'Disconnect', 'danger')}</p>
<p class="hint">Events that are already in your calendar stay there when you disconnect it.</p>`
}

const confirmation = ({ address, new_host }: CalendarConnection, { path, fields }: PageState): Part =>
  html`<p>${named(new URL(address).host)} leads to <strong>${named(new_host ?? '')}</strong>. If you continue, Gable sends your name and password there.</p>
<p class="buttons">${action(path, { ...fields, do: 'confirm', host: new_host ?? '' }, 'Go on', { kind: 'primary' })}
${action(path, { ...fields, do: 'disconnect' }, 'Cancel')}</p>`

const choice = ({ calendars }: CalendarConnection, { path, fields }: PageState): Part =>
  html`<form method="post" action="${path}">
${hidden({ ...fields, do: 'choose' })}
${choices(
  'calendar',
  'Which calendar do your appointments go to?',
  calendars.map(({ url, name }, i) => ({ value: url, label: named(name), hint: url, chosen: i === 0 })),
  { single: true, required: true },
)}
<p class="buttons"><button class="primary">Use this calendar</button></p>
</form>
${action(path, { ...fields, do: 'disconnect' }, 'Cancel')}`

function connectForm(
  connection: CalendarConnection | undefined,
  { path, fields, errors, entered }: PageState,
): Html {
  const again = connection !== undefined
  return html`<details${again && entered === undefined ? '' : html` open`}>
<summary>${again ? 'Connect another account' : 'Connect your calendar'}</summary>
<form method="post" action="${path}">
${hidden({ ...fields, do: 'connect' })}
${field({
  name: 'address',
  label: 'CalDAV address',
  hint: 'The address from your provider, such as caldav.icloud.com or cloud.example.com.',
  value: entered?.address,
  error: errors['address'],
  maxLength: 2048,
})}
${field({
  name: 'username',
  label: 'Name',
  hint: 'The name or email address that you use to sign in there.',
  value: entered?.username,
  error: errors['username'],
  autocomplete: 'off',
  maxLength: 254,
})}
${field({
  name: 'password',
  label: 'Password',
  type: 'password',
  hint: 'If your provider offers app passwords, use one. Gable encrypts it.',
  error: errors['password'],
  autocomplete: 'off',
  maxLength: 500,
})}
<p class="buttons"><button class="primary">Find calendars</button></p>
</form>
</details>`
}

/** The secret feed URL that other programs subscribe to. */
export const feedPart = (
  feed: { created_at: string } | undefined,
  { path, fields, feedUrl }: PageState,
): Html =>
  html`<h2>Address to subscribe to</h2>
<p>Other programs can show your appointments from 30 days ago to a year ahead, without phone numbers and email addresses.
Anyone who knows the address sees them.</p>
${feedUrl === undefined ? '' : shownOnce('The address', feedUrl)}
${feed === undefined ? html`<p class="empty">There is no address.</p>` : html`<p>Created ${moment(feed.created_at)}.</p>`}
<p class="buttons">${action(
    path,
    { ...fields, do: 'create-address' },
    feed === undefined ? 'Create an address' : 'Replace the address',
  )}
${feed === undefined ? '' : action(path, { ...fields, do: 'remove-address' }, 'Remove the address', { kind: 'danger' })}</p>`
