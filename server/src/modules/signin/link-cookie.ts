import type { PlainAnswer, PlainRequest } from '#kernel/http/plain-route.ts'
import { isWellFormed } from '../access/public.ts'
import { seeOther } from '../pages/public.ts'
import { readCookie, setCookie } from './cookies.ts'
import { linkCookieMs } from './lifetimes.ts'

/** The pages that links in mails lead to, by the cookie that keeps the token of such a link. */
const pages = { reset: '/sign-in/reset', invitation: '/invitation' } as const

/**
 * A page that a link with a `token` leads to. The browser is sent on to the same page without it, and keeps the token in
 * a cookie for an hour: an address is seen by proxies, by logs, and by whatever the page loads. `show` is given the token,
 * empty where there is none. Nothing is used up by looking. The page puts the token into its form, so that each of two
 * tabs posts the one that it shows.
 */
export const openedByLink =
  (kind: keyof typeof pages, show: (token: string, request: PlainRequest) => Promise<PlainAnswer>) =>
  async (request: PlainRequest): Promise<PlainAnswer> => {
    const token = new URLSearchParams(request.query).get('token')
    if (token === null) return show(readCookie(request, kind) ?? '', request)
    if (!isWellFormed('gbl_ln_', token)) return show('', request)
    return seeOther(pages[kind], [setCookie(kind, token, linkCookieMs)])
  }
