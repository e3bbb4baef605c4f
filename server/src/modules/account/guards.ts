import type { Runtime } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import type { PlainRequest, PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type Html,
  type Part,
  action,
  errorPage,
  html,
  pageRoute,
  presentErrors,
  seeOther,
} from '../pages/public.ts'
import { type SessionUser, type WorkspaceMembership, sessionUserOf } from '../people/public.ts'
import { testModeNote } from './test-mode.ts'

type Handle = (user: SessionUser, request: PlainRequest) => Promise<PlainResponse>

/** Wraps a page that needs a session. Without one, the browser goes to the sign-in page and returns after signing in. */
export const requireSession =
  (runtime: Runtime, handle: Handle) =>
  async (request: PlainRequest): Promise<PlainResponse> => {
    const user = await sessionUserOf(runtime, request)
    if (user === undefined) return seeOther(withReturnTo('/sign-in', targetOf(request)))
    return presentErrors(accountHeader(user), () => handle(user, request))
  }

/**
 * Like `requireSession`, but a person who signed in more than ten minutes ago must first confirm their identity. They
 * then return to the page. A form is not sent again: the confirmation page states that nothing was saved.
 */
export const requireRecentAuth = (runtime: Runtime, handle: Handle) =>
  requireSession(runtime, async (user, request) => {
    if (user.recentlyAuthenticated) return handle(user, request)
    const confirm = withReturnTo('/sign-in/confirm', targetOf(request))
    return seeOther(request.method === 'POST' ? `${confirm}&unsaved=yes` : confirm)
  })

/** The 404 page for all paths below this one, with the header of the signed-in person. */
export const notFoundUnder = (runtime: Runtime, path: string): PlainRoute =>
  pageRoute(`${path}/*`, {
    async GET(request) {
      const user = await sessionUserOf(runtime, request)
      return errorPage(NotFound('No page has this address.'), user && accountHeader(user))
    },
  })

const targetOf = ({ path, query }: PlainRequest): string => (query === '' ? path : `${path}?${query}`)

/** Where people go after signing in if they did not ask for another page. */
const home = '/settings'

/** Returns the path to continue to, as given by a link or form. Returns `/settings` for anything but a path on this server. */
export function returnTo(target: string): string {
  if (!target.startsWith('/')) return home
  const base = 'http://gable.invalid'
  if (!URL.canParse(target, base)) return home
  const { origin, pathname, search } = new URL(target, base)
  return origin === base && !pathname.startsWith('//') ? pathname + search : home
}

/** The address of a page that then continues to `target`. */
export const withReturnTo = (path: string, target: string): string =>
  `${path}?${new URLSearchParams({ return_to: target }).toString()}`

/**
 * The header of pages for signed-in people: the brand, the given navigation, and links to the account and to sign out. On a page
 * of a workspace, it states whether that is in test mode.
 */
export const accountHeader = (
  { csrf }: Pick<SessionUser, 'csrf'>,
  { nav, membership }: { nav?: Part; membership?: WorkspaceMembership } = {},
): Html => html`<a class="brand" href="/settings">Gable</a>
${nav === undefined ? '' : html`<nav aria-label="Pages">${nav}</nav>`}
<nav class="end" aria-label="You"><a href="/account">Account</a>
${action('/sign-out', { csrf }, 'Sign out')}</nav>${membership !== undefined && testModeNote(membership)}`
