import type { PlainRequest } from '#kernel/http/plain-route.ts'

/** Cookies: the session, the known browser, the token of a link, and the steps of a sign-in. */
export type CookieName =
  | 'session'
  | 'device'
  | 'reset'
  | 'invitation'
  | 'second-step'
  | 'passkey-sign-in'
  | 'passkey-confirm'
  | 'passkey-add'

/**
 * The full name. Because of `__Host-`, a browser accepts the cookie only from this host, over https or from localhost,
 * and for all paths, so another host of the same domain cannot plant one (RFC 6265bis, 4.1.3.2).
 */
export const cookieName = (name: CookieName) => `__Host-gable_${name}`

/** Returns the value that the browser sent; the first if it sent several. */
export function readCookie({ headers }: Pick<PlainRequest, 'headers'>, name: CookieName): string | undefined {
  const start = `${cookieName(name)}=`
  const pair = (headers.cookie ?? '').split(/; */).find((one) => one.startsWith(start))
  return pair?.slice(start.length)
}

/**
 * Returns a Set-Cookie value. Scripts cannot read the cookie. Browsers send it when a person follows a link from
 * another site, but not with a form that another site posts.
 */
export const setCookie = (name: CookieName, value: string, maxAgeMs: number): string =>
  `${cookieName(name)}=${value}; Path=/; Max-Age=${Math.floor(maxAgeMs / 1000)}; Secure; HttpOnly; SameSite=Lax`

export const clearCookie = (name: CookieName): string => setCookie(name, '', 0)
