import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { type Part, action, html, moment, named, page, pageRoute, seeOther, table } from '../pages/public.ts'
import { browserName } from './browser-name.ts'
import { clearCookie } from './cookies.ts'
import { endSessions } from './end-sessions.ts'
import { readForm } from './form.ts'
import { signedIn } from './guards.ts'
import { listPasskeys } from './passkey-queries.ts'
import { type PersonRow, findPerson } from './people-queries.ts'
import { type Place, placesOf } from './places.ts'
import { type SessionRow, deleteSession, listSessions } from './session-queries.ts'
import { signedInHeader } from './signed-in-header.ts'
import type { Visitor } from './visitor.ts'

/** Where somebody sees who they are here, how they sign in, and where they are signed in. */
export const accountRoutes = (house: House): PlainRoute[] => [
  pageRoute('/account', { GET: signedIn(house, (visitor) => accountPage(house, visitor)) }),
  pageRoute('/account/sessions', {
    GET: async () => seeOther('/account'),
    POST: signedIn(house, (visitor, request) => signOut(house, visitor, request)),
  }),
]

async function signOut(house: House, visitor: Visitor, request: PlainRequest): Promise<PlainAnswer> {
  const form = readForm(request, visitor)
  const { personId, sessionId } = visitor
  switch (form.text('do')) {
    case 'end':
      await deleteSession(house.database.directory, personId, form.text('id'))
      break
    case 'end-others':
      await endSessions(house, personId, sessionId)
      break
    case 'end-all':
      await endSessions(house, personId)
      return seeOther('/sign-in', [clearCookie('session')])
  }
  return seeOther('/account')
}

async function accountPage(house: House, visitor: Visitor): Promise<PlainAnswer> {
  const { directory } = house.database
  const { personId, name, email } = visitor
  const [person, passkeys, sessions, places] = await Promise.all([
    findPerson(directory, personId),
    listPasskeys(directory, personId),
    listSessions(directory, personId, house.clock.now()),
    placesOf(house, personId),
  ])
  return page({
    title: 'Your account',
    header: signedInHeader(visitor),
    wide: true,
    main: html`<p>${named(name)}, ${named(email)}</p>
<h2>How you sign in</h2>
${person === undefined ? '' : waysIn(person, passkeys.length)}
<h2>Where you are signed in</h2>
${table('Sessions, newest first', ['Browser', 'Last seen', 'Since', ''], sessionRows(visitor, sessions), '')}
<p class="buttons">${end(visitor, { do: 'end-others' }, 'Sign out everywhere else')}
${end(visitor, { do: 'end-all' }, 'Sign out everywhere')}</p>
<h2>Your workspaces</h2>
${table('Workspaces', ['Name', 'You are'], placeRows(places), 'You are a member of none.')}`,
  })
}

const waysIn = ({ password, totp_confirmed_at }: PersonRow, passkeys: number): Part => html`<ul>
<li>${password === null ? 'No password' : 'A password'}: <a href="/account/password">${password === null ? 'set one' : 'change it'}</a></li>
<li>${passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`}: <a href="/account/passkeys">look
after them</a></li>
<li>Second step with an authenticator app, ${totp_confirmed_at === null ? 'off' : 'on'}: <a href="/account/second-step">${
  totp_confirmed_at === null ? 'turn it on' : 'look after it'
}</a></li>
</ul>`

const sessionRows = (visitor: Visitor, sessions: readonly SessionRow[]) =>
  sessions.map(({ id, device, seen_at, created_at }) => [
    html`${named(browserName(device))}${id === visitor.sessionId ? html` <strong>(this one)</strong>` : ''}`,
    moment(seen_at),
    moment(created_at),
    id === visitor.sessionId ? '' : end(visitor, { do: 'end', id }, 'Sign out'),
  ])

const end = ({ csrf }: Visitor, fields: Readonly<Record<string, string>>, label: string) =>
  action('/account/sessions', { csrf, ...fields }, label)

const placeRows = (places: readonly Place[]) =>
  places.map(({ workspace, member }) => [
    html`<a href="/settings/${workspace.id}">${named(workspace.name)}</a>`,
    member.role,
  ])
