import type { PlainRequest } from '#kernel/http/plain-route.ts'

/**
 * Names of cookies. With `__Host-` a browser keeps one only from this host, over https or from this machine, for all
 * paths: no other host of the same domain can plant one (RFC 6265bis, 4.1.3.2).
 */
export const cookieNames = {
  session: '__Host-gable_session',
  step: '__Host-gable_step',
  device: '__Host-gable_device',
} as const

type CookieName = keyof typeof cookieNames

/** The value that a browser sent, the first of several. */
export function readCookie({ headers }: Pick<PlainRequest, 'headers'>, name: CookieName): string | undefined {
  const start = `${cookieNames[name]}=`
  const pair = (headers.cookie ?? '').split(/; */).find((one) => one.startsWith(start))
  return pair?.slice(start.length)
}

/** A value of Set-Cookie. No script sees it; other sites' links bring it along, and their forms do not. */
export const setCookie = (name: CookieName, value: string, maxAgeMs: number): string =>
  `${cookieNames[name]}=${value}; Path=/; Max-Age=${Math.floor(maxAgeMs / 1000)}; Secure; HttpOnly; SameSite=Lax`

export const clearCookie = (name: CookieName): string => setCookie(name, '', 0)
