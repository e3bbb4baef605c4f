import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { memberIdentity } from '../access/public.ts'
import { type FormFields, html, page, pageRoute, readForm, seeOther } from '../pages/public.ts'
import { type SessionUser, type WorkspaceMembership, membershipsOf } from '../people/public.ts'
import { accountHeader, requireRecentAuth } from './guards.ts'
import { workspaceName } from './test-mode.ts'

/** A request of a member to one of their own pages, in one of their workspaces. */
export interface MemberRequest {
  user: SessionUser
  membership: WorkspaceMembership
  /** Has the scopes and the reach of the member. */
  ctx: Ctx
  query: URLSearchParams
  /** The path of the page in this workspace. */
  here: string
}

interface Methods {
  GET: (request: MemberRequest) => Promise<PlainResponse>
  /** Does what the form asks for. If it returns undefined, the browser goes back to the page. */
  POST: (request: MemberRequest, form: FormFields) => Promise<PlainResponse | undefined>
}

/**
 * A page for members of any role. `workspace` in its query and in its forms names the workspace. A person with several
 * workspaces who names none chooses one. Requires a sign-in within the last ten minutes. Responds with 404 for a
 * workspace in which the person is not an active member.
 */
export const memberRoute = (
  runtime: Runtime,
  { path, title }: { path: string; title: string },
  { GET, POST }: Methods,
): PlainRoute => {
  async function requestIn(user: SessionUser, text: string, workspaceId: string | null) {
    const memberships = await membershipsOf(runtime, user.personId)
    const [only] = memberships
    const chosen = memberships.find(({ workspace }) => workspace.id === workspaceId)
    const membership = workspaceId === null && memberships.length === 1 ? only : chosen
    if (membership === undefined) return { memberships }
    const { workspace, member } = membership
    const ctx = createContext(
      runtime,
      orNotFound(await memberIdentity(runtime.database.reads(workspace.id), member.id)),
    )
    const here = `${path}?workspace=${workspace.id}`
    return { memberships, request: { user, membership, ctx, query: new URLSearchParams(text), here } }
  }
  return pageRoute(path, {
    GET: requireRecentAuth(runtime, async (user, plain) => {
      const wanted = new URLSearchParams(plain.query).get('workspace')
      const { memberships, request } = await requestIn(user, plain.query, wanted)
      if (request !== undefined) return GET(request)
      if (wanted !== null) throw NotFound()
      return chooser(user, { path, title }, memberships)
    }),
    POST: requireRecentAuth(runtime, async (user, plain) => {
      const form = readForm(plain, user)
      const { request } = await requestIn(user, plain.query, form.text('workspace'))
      if (request === undefined) throw NotFound()
      return (await POST(request, form)) ?? seeOther(request.here)
    }),
  })
}

const chooser = (
  user: SessionUser,
  { path, title }: { path: string; title: string },
  memberships: readonly WorkspaceMembership[],
): PlainResponse =>
  page({
    title,
    header: accountHeader(user),
    main:
      memberships.length === 0
        ? html`<p>You are not a member of any workspace.</p>`
        : html`<p>Choose a workspace.</p>
<ul class="cards">${memberships.map(
            (
              membership,
            ) => html`<li><a href="${path}?workspace=${membership.workspace.id}">${workspaceName(membership)}</a></li>
`,
          )}</ul>`,
  })
