import type { PlainResponse, PlainRequest } from '#kernel/http/plain-route.ts'
import { isWellFormed } from '../access/public.ts'
import { seeOther } from '../pages/public.ts'
import { readCookie, setCookie } from '../people/public.ts'

/** How long a browser keeps the token of a link. */
const linkCookieMs = 60 * 60_000

/** The pages that links in emails open, by the cookie that keeps the token. */
const pages = { reset: '/sign-in/reset', invitation: '/invitation' } as const

/**
 * A page that a link with a `token` opens. Moves the token to a cookie for an hour and redirects the browser to the
 * page without it, because proxies, logs and subresource requests see addresses. `show` receives the token, or an empty
 * string. Opening the page uses nothing up. The page puts the token into its form, so that two open tabs each post
 * their own.
 */
export const openedByLink =
  (kind: keyof typeof pages, show: (token: string, request: PlainRequest) => Promise<PlainResponse>) =>
  async (request: PlainRequest): Promise<PlainResponse> => {
    const token = new URLSearchParams(request.query).get('token')
    if (token === null) return show(readCookie(request, kind) ?? '', request)
    if (!isWellFormed('gbl_ln_', token)) return show('', request)
    return seeOther(pages[kind], [setCookie(kind, token, linkCookieMs)])
  }
