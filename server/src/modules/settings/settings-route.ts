import type { Ctx, Runtime } from '#kernel/context.ts'
import { NotFound, defineError } from '#kernel/errors.ts'
import type { PlainResponse, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import { requireRecentAuth, requireSession } from '../account/public.ts'
import { type FormFields, pageRoute, presentErrors, readForm, seeOther } from '../pages/public.ts'
import {
  type SessionUser,
  type WorkspaceMembership,
  administers,
  contextOf,
  membershipOf,
} from '../people/public.ts'
import { settingsHeader } from './settings-header.ts'

const NotAllowed = defineError('forbidden', 403, () => ({
  message: 'Only owners and admins can manage this workspace. Ask one of them.',
}))

/** A request from an owner or admin to a page of their workspace's settings. */
export interface SettingsRequest {
  runtime: Runtime
  user: SessionUser
  membership: WorkspaceMembership
  ctx: Ctx
  /** `/settings/<workspace>`, the prefix of all paths of the workspace. */
  base: string
  /** The path of the request. */
  path: string
  query: URLSearchParams
  /** The path parameter of this name. */
  id(name: string): string
}

interface Methods {
  GET: (request: SettingsRequest) => Promise<PlainResponse>
  /** The form is known to come from a page that this session has loaded. */
  POST?: (request: SettingsRequest, form: FormFields) => Promise<PlainResponse>
}

/**
 * What requires a sign-in within the last ten minutes: nothing, submitting the form, or both viewing the page and
 * submitting.
 */
type RecentAuthFor = 'nothing' | 'form' | 'page'

/**
 * A page of a workspace's settings. `path` follows `/settings/<workspace>`; its parameters are ids. Responds with 404
 * for a workspace that does not exist or in which the person is not an active member, and with 403 unless they are an
 * owner or admin.
 */
export function settingsRoute(
  runtime: Runtime,
  path: string,
  { GET, POST }: Methods,
  recentAuthFor: RecentAuthFor = 'nothing',
): PlainRoute {
  const page = recentAuthFor === 'page' ? requireRecentAuth : requireSession
  const form = recentAuthFor === 'nothing' ? requireSession : requireRecentAuth
  return pageRoute(`/settings/:workspace${path}`, {
    GET: page(runtime, (user, plain) => handle(runtime, user, plain, GET)),
    ...(POST && {
      POST: form(runtime, (user, plain) =>
        handle(runtime, user, plain, async (request) => POST(request, readForm(plain, user))),
      ),
    }),
  })
}

/** The action of a button. Redirects back to the page that `from` returns. A GET of the action's path redirects there too. */
export const buttonRoute = (
  runtime: Runtime,
  path: string,
  from: (request: SettingsRequest) => string,
  press: (request: SettingsRequest) => Promise<unknown>,
  recentAuthFor: RecentAuthFor = 'nothing',
): PlainRoute =>
  settingsRoute(
    runtime,
    path,
    {
      GET: async (request) => seeOther(from(request)),
      async POST(request) {
        await press(request)
        return seeOther(from(request))
      },
    },
    recentAuthFor,
  )

/** Returns the person's membership of the workspace. Throws `NotFound` for malformed ids and for other workspaces. */
export async function requireMembership(
  runtime: Runtime,
  { personId }: SessionUser,
  { params }: PlainRequest,
): Promise<WorkspaceMembership> {
  for (const id of Object.values(params)) if (!isId(id)) throw NotFound()
  const membership = await membershipOf(runtime, personId, params['workspace'] ?? '')
  if (membership === undefined) throw NotFound()
  return membership
}

async function handle(
  runtime: Runtime,
  user: SessionUser,
  plain: PlainRequest,
  respond: (request: SettingsRequest) => Promise<PlainResponse>,
): Promise<PlainResponse> {
  const membership = await requireMembership(runtime, user, plain)
  if (!administers(membership)) throw NotAllowed()
  const request = {
    runtime,
    user,
    membership,
    ctx: contextOf(runtime, membership),
    base: `/settings/${membership.workspace.id}`,
    path: plain.path,
    query: new URLSearchParams(plain.query),
    id: (name: string) => plain.params[name] ?? '',
  }
  return presentErrors(settingsHeader(user, membership), () => respond(request))
}
