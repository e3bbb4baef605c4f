import type { PlainRequest } from '#kernel/http/plain-route.ts'

/** Cookies: the session, the known browser, a link's token, and steps of a sign-in. */
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
 * The whole name. With `__Host-` a browser keeps a cookie only from this host, over https or from this machine, for all
 * paths: no other host of the same domain can plant one (RFC 6265bis, 4.1.3.2).
 */
const wholeName = (name: CookieName) => `__Host-gable_${name}`

/** The value that a browser sent, the first of several. */
export function readCookie({ headers }: Pick<PlainRequest, 'headers'>, name: CookieName): string | undefined {
  const start = `${wholeName(name)}=`
  const pair = (headers.cookie ?? '').split(/; */).find((one) => one.startsWith(start))
  return pair?.slice(start.length)
}

/** A value of Set-Cookie. No script sees it; other sites' links bring it along, and their forms do not. */
export const setCookie = (name: CookieName, value: string, maxAgeMs: number): string =>
  `${wholeName(name)}=${value}; Path=/; Max-Age=${Math.floor(maxAgeMs / 1000)}; Secure; HttpOnly; SameSite=Lax`

export const clearCookie = (name: CookieName): string => setCookie(name, '', 0)
