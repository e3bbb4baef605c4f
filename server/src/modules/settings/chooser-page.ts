import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { accountHeader, requireSession, workspaceName } from '../account/public.ts'
import { type Part, html, named, page, pageRoute, seeOther } from '../pages/public.ts'
import { type SessionUser, type WorkspaceMembership, administers, membershipsOf } from '../people/public.ts'
import { sections } from './settings-header.ts'
import { settingsPage } from './settings-page.ts'
import { requireMembership } from './settings-route.ts'

/** Lets a person choose a workspace, and lists the sections of its settings. */
export const chooserRoutes = (runtime: Runtime): PlainRoute[] => [
  pageRoute('/', { GET: async () => seeOther('/settings') }),
  pageRoute('/settings', {
    GET: requireSession(runtime, async (user) => {
      const memberships = await membershipsOf(runtime, user.personId)
      const [only] = memberships
      if (only !== undefined && memberships.length === 1) return seeOther(`/settings/${only.workspace.id}`)
      return only === undefined ? nowhere(user) : chooser(user, memberships)
    }),
  }),
  pageRoute('/settings/:workspace', {
    GET: requireSession(runtime, async (user, request) => {
      const membership = await requireMembership(runtime, user, request)
      return administers(membership) ? overview(user, membership) : agentsPage(user, membership)
    }),
  }),
]

const chooser = (user: SessionUser, memberships: readonly WorkspaceMembership[]): PlainResponse =>
  page({
    title: 'Choose a workspace',
    header: accountHeader(user),
    main: html`<ul class="cards">${memberships.map(
      (membership) => html`<li><a href="/settings/${membership.workspace.id}">${workspaceName(membership)}</a>
<span class="hint">Your role: ${membership.member.role}</span></li>
`,
    )}</ul>`,
  })

const nowhere = (user: SessionUser): PlainResponse =>
  page({
    title: 'No workspaces',
    header: accountHeader(user),
    main: html`<p>${named(user.email)} is not a member of any workspace. Ask an owner or admin of your workspace to invite this
address.</p>`,
  })

/** Pages for members of any role. */
const own = [
  { path: 'calendar', label: 'My calendar', about: 'Push your appointments to your own calendar.' },
  { path: 'fair-housing', label: 'Fair housing', about: 'Review the remarks of listings that are flagged.' },
]

const ownPages = (workspaceId: string): Part =>
  own.map(
    ({ path, label, about }) => html`<li><a href="/settings/${path}?workspace=${workspaceId}">${label}</a>
<span class="hint">${about}</span></li>
`,
  )

const overview = (user: SessionUser, membership: WorkspaceMembership): PlainResponse =>
  settingsPage({ user, membership }, undefined, {
    title: 'Settings',
    main: html`<ul class="cards">${sections.map(
      ({ path, label, about }) => html`<li><a href="/settings/${membership.workspace.id}/${path}">${label}</a>
<span class="hint">${about}</span></li>
`,
    )}${ownPages(membership.workspace.id)}</ul>`,
  })

const agentsPage = (user: SessionUser, membership: WorkspaceMembership): PlainResponse =>
  page({
    title: 'No access to settings',
    header: accountHeader(user, { membership }),
    main: html`<p>Your role in ${named(membership.workspace.name)} is ${membership.member.role}. Only owners and admins can manage members, keys, apps, and webhooks.</p>
<ul class="cards">${ownPages(membership.workspace.id)}</ul>`,
  })
