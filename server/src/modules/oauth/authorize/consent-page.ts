import type { Runtime } from '#kernel/context.ts'
import type { PlainRequest, PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { type Scope, expanded, isScope, personalScopes, scopes } from '../../access/public.ts'
import { accountHeader, requireRecentAuth, requireSession, workspaceName } from '../../account/public.ts'
import {
  type Part,
  choices,
  hidden,
  html,
  named,
  notice,
  page,
  pageRoute,
  readForm,
  seeOther,
} from '../../pages/public.ts'
import {
  type SessionUser,
  type WorkspaceMembership,
  administers,
  contextOf,
  membershipOf,
  membershipsOf,
} from '../../people/public.ts'
import { type WorkspaceRow, findWorkspace } from '../../workspaces/public.ts'
import { destinationOf, formTargetOf } from '../apps/redirect-uri.ts'
import { ApprovalNotAllowed } from '../errors.ts'
import { listLiveGrantsIn } from '../grants/queries.ts'
import { approve } from './approve.ts'
import { type AuthorizeRequest, type Validation, deny, validateQuery } from './authorize-request.ts'

type Handle = (user: SessionUser, request: PlainRequest) => Promise<PlainResponse>

/**
 * The page where a person decides whether an app may act for one of their workspaces. The form posts to the same query,
 * which is validated again because the app may have changed in the meantime.
 *
 * The browser is redirected to the app only after the person has signed in, even with an error (RFC 9700, 4.11.2).
 * Approving requires a recent sign-in, so that an abandoned session cannot connect an app.
 */
export function consentRoute(runtime: Runtime): PlainRoute {
  const validated =
    (handle: (valid: AuthorizeRequest) => (request: PlainRequest) => Promise<PlainResponse>) =>
    async (request: PlainRequest) => {
      const result = await validateQuery(runtime, request.query)
      if (result.kind === 'unknown-client') return notice(400, 'This link does not work', result.message)
      if (result.kind === 'error')
        return requireSession(runtime, async () => reportError(request, result))(request)
      return handle(result.request)(request)
    }
  const show =
    (asked: AuthorizeRequest): Handle =>
    async (user, { query }) => {
      const memberships = (await membershipsOf(runtime, user.personId)).filter(administers)
      return consentPage(user, asked, await loadContext(runtime, asked, memberships), query)
    }
  const decide =
    (asked: AuthorizeRequest): Handle =>
    async (user, request) => {
      const form = readForm(request, user)
      if (form.text('decision') !== 'allow') return seeOther(deny(asked, runtime.origin()))
      return requireRecentAuth(runtime, async () => {
        const membership = await membershipOf(runtime, user.personId, form.text('workspace_id'))
        if (membership === undefined || !administers(membership)) throw ApprovalNotAllowed()
        return seeOther(await approve(contextOf(runtime, membership), membership.member.id, asked))
      })(request)
    }
  return pageRoute('/oauth/authorize', {
    GET: validated((asked) => requireRecentAuth(runtime, show(asked))),
    POST: validated((asked) => requireSession(runtime, decide(asked))),
  })
}

/**
 * Redirects to the app with the error. Chromium blocks a redirect to another origin if the navigation began with a form
 * on Gable's sign-in page (`form-action`). In that case, the person gets a link to follow.
 */
function reportError(
  { headers }: PlainRequest,
  { app, message, redirectUri, location }: Extract<Validation, { kind: 'error' }>,
): PlainResponse {
  if (headers['sec-fetch-site'] !== 'same-origin') return seeOther(location)
  return notice(
    400,
    'This app cannot be connected',
    html`The request of <strong>${named(app.name)}</strong> is not valid: ${message}`,
    html`<a href="${location}">Go back to ${destinationOf(redirectUri)}</a>`,
  )
}

/** What the page shows in addition to the request. */
interface ConsentContext {
  /** The workspace that registered the app. */
  owner: WorkspaceRow | undefined
  /** Workspaces for which the person may approve the app. */
  memberships: readonly WorkspaceMembership[]
  /** Scopes that the app already has, by workspace id. */
  granted: ReadonlyMap<string, readonly string[]>
}

async function loadContext(
  { database: { directory } }: Runtime,
  { app }: AuthorizeRequest,
  memberships: readonly WorkspaceMembership[],
): Promise<ConsentContext> {
  const ids = memberships.map(({ workspace }) => workspace.id)
  const [owner, grants] = await Promise.all([
    findWorkspace(directory, app.workspace_id),
    listLiveGrantsIn(directory, app.id, ids),
  ])
  return { owner, memberships, granted: new Map(grants.map((grant) => [grant.workspace_id, grant.scopes])) }
}

function consentPage(
  user: SessionUser,
  asked: AuthorizeRequest,
  context: ConsentContext,
  query: string,
): PlainResponse {
  const { app, redirectUri } = asked
  const { memberships, granted } = context
  const mayAllow = memberships.length > 0
  const [only] = memberships.length === 1 ? memberships : []
  return page({
    title: 'An app asks for access',
    header: accountHeader(user),
    formTargets: [formTargetOf(redirectUri)],
    main: html`<p><strong>${named(app.name)}</strong> asks for access to your workspace. You then continue to
<strong>${destinationOf(redirectUri)}</strong>.</p>
<p>The app was registered by ${ownerOf(context)}. Gable has verified neither name.</p>
<h2>The app will be able to</h2>
<ul class="scopes">
${scopeItems(asked.scopes, only === undefined ? undefined : granted.get(only.workspace.id))}</ul>
<form method="post" action="/oauth/authorize?${query}">
${hidden({ csrf: user.csrf })}
${mayAllow ? workspaceChoice(asked, context) : ''}
<p class="buttons">${mayAllow ? html`<button class="primary" name="decision" value="allow">Allow</button>` : ''}
<button name="decision" value="deny" formnovalidate>${mayAllow ? 'Deny' : 'Go back'}</button></p>
</form>
${
  mayAllow
    ? html`<p class="muted">You can disconnect the app at any time under Connected apps in the settings.</p>`
    : html`<p>Only owners and admins of a workspace can allow this. You are neither an owner nor an admin of a workspace.</p>`
}
<p class="muted">You are signed in as ${user.email}.</p>`,
  })
}

/** An app could name its workspace like the person's own, so the page states whether the owner is the person's workspace. */
function ownerOf({ owner, memberships }: ConsentContext): Part {
  if (owner === undefined) return 'a workspace that no longer exists'
  const own = memberships.some(({ workspace }) => workspace.id === owner.id)
  return html`${own ? 'your workspace' : 'another workspace,'} <strong>${named(owner.name)}</strong>`
}

/** Everything that the scopes allow, including what the grant already holds, which an approval keeps. */
function scopeItems(asked: readonly string[], granted: readonly string[] | undefined): Part[] {
  const before = expanded(granted ?? [])
  return described([...(granted ?? []), ...asked]).map(
    (
      scope,
    ) => html`<li>${describe(scope)}${granted !== undefined && !before.has(scope) ? html` <span class="new">new</span>` : ''}
<span class="hint"><code>${scope}</code></span></li>
`,
  )
}

/** What the scopes allow. Sending is not listed a second time, as sending without reading. */
const described = (held: readonly string[]): Scope[] => {
  const all = expanded(held)
  return [...all]
    .filter(isScope)
    .filter((scope) => scope !== 'messages:send_only' || !all.has('messages:send'))
}

const describe = (scope: Scope): Part =>
  html`${scopes[scope]}${personalScopes.has(scope) ? html` <span class="personal">personal data</span>` : ''}`

/** With several workspaces, none is preselected: any default would often be the wrong one. */
function workspaceChoice(
  { scopes: asked }: AuthorizeRequest,
  { memberships, granted }: ConsentContext,
): Part {
  const [only] = memberships
  if (only !== undefined && memberships.length === 1) {
    return html`${hidden({ workspace_id: only.workspace.id })}<p>In the workspace <strong>${workspaceName(only)}</strong>.</p>`
  }
  const names = Map.groupBy(memberships, ({ workspace }) => workspace.name)
  const options = memberships.map((membership) => {
    const { id, name, created_at } = membership.workspace
    const before = expanded(granted.get(id) ?? []).difference(expanded(asked))
    const kept = [...before].filter(isScope).map((scope, i) => [i === 0 ? '' : '; ', describe(scope)])
    const hint: Part[] = []
    if ((names.get(name)?.length ?? 0) > 1)
      hint.push(html`Created ${created_at.slice(0, 10)}, ID <code>${id}</code>. `)
    if (kept.length > 0) hint.push(html`Also keeps what it was granted before: ${kept}.`)
    return { value: id, label: workspaceName(membership), ...(hint.length > 0 ? { hint } : {}) }
  })
  return choices('workspace_id', 'In which workspace?', options, { single: true, required: true })
}
