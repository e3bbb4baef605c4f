import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type Part,
  action,
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
  type PersonRow,
  type SessionRow,
  type SessionUser,
  type WorkspaceMembership,
  clearCookie,
  deleteSession,
  endSessions,
  findPerson,
  listPasskeys,
  listSessions,
  membershipsOf,
} from '../people/public.ts'
import { browserName } from './browser-name.ts'
import { accountHeader, requireSession } from './guards.ts'
import { workspaceName } from './test-mode.ts'

/** The account page: how a person signs in, their sessions and their workspaces. */
export const overviewRoutes = (runtime: Runtime): PlainRoute[] => [
  pageRoute('/account', { GET: requireSession(runtime, (user) => accountPage(runtime, user)) }),
  pageRoute('/account/sessions', {
    GET: async () => seeOther('/account'),
    POST: requireSession(runtime, (user, request) => signOut(runtime, user, request)),
  }),
]

async function signOut(runtime: Runtime, user: SessionUser, request: PlainRequest): Promise<PlainResponse> {
  const form = readForm(request, user)
  const { personId, sessionId } = user
  switch (form.text('do')) {
    case 'end':
      await deleteSession(runtime.database.directory, personId, form.text('id'))
      break
    case 'end-others':
      await endSessions(runtime, personId, sessionId)
      break
    case 'end-all':
      await endSessions(runtime, personId)
      return seeOther('/sign-in', [clearCookie('session')])
  }
  return seeOther('/account')
}

async function accountPage(runtime: Runtime, user: SessionUser): Promise<PlainResponse> {
  const { directory } = runtime.database
  const { personId, name, email } = user
  const [person, passkeys, sessions, memberships] = await Promise.all([
    findPerson(directory, personId),
    listPasskeys(directory, personId),
    listSessions(directory, personId, runtime.clock.now()),
    membershipsOf(runtime, personId),
  ])
  return page({
    title: 'Your account',
    header: accountHeader(user),
    wide: true,
    main: html`<p>${named(name)}, ${named(email)}</p>
<h2>Sign-in methods</h2>
${person === undefined ? '' : signInMethods(person, passkeys.length)}
<h2>Sessions</h2>
${table('Sessions, newest first', ['Browser', 'Last active', 'Signed in', ''], sessionRows(user, sessions), '')}
<p class="buttons">${end(user, { do: 'end-others' }, 'Sign out all other sessions')}
${end(user, { do: 'end-all' }, 'Sign out all sessions')}</p>
<h2>Workspaces</h2>
${table('Workspaces', ['Name', 'Role'], membershipRows(memberships), 'You are not a member of any workspace.')}`,
  })
}

const signInMethods = ({ password, totp_confirmed_at }: PersonRow, passkeys: number): Part => html`<ul>
<li>Password: ${password === null ? 'not set' : 'set'}. <a href="/account/password">${password === null ? 'Set a password' : 'Change password'}</a></li>
<li>Passkeys: ${passkeys}. <a href="/account/passkeys">Manage passkeys</a></li>
<li>Two-factor authentication: ${totp_confirmed_at === null ? 'off' : 'on'}. <a href="/account/second-step">${
  totp_confirmed_at === null ? 'Set up' : 'Manage'
} two-factor authentication</a></li>
</ul>`

const sessionRows = (user: SessionUser, sessions: readonly SessionRow[]) =>
  sessions.map(({ id, device, seen_at, created_at }) => [
    html`${named(browserName(device))}${id === user.sessionId ? html` <strong>(this session)</strong>` : ''}`,
    moment(seen_at),
    moment(created_at),
    id === user.sessionId ? '' : end(user, { do: 'end', id }, 'Sign out'),
  ])

const end = ({ csrf }: SessionUser, fields: Readonly<Record<string, string>>, label: string) =>
  action('/account/sessions', { csrf, ...fields }, label)

const membershipRows = (memberships: readonly WorkspaceMembership[]) =>
  memberships.map((membership) => [
    html`<a href="/settings/${membership.workspace.id}">${workspaceName(membership)}</a>`,
    membership.member.role,
  ])
