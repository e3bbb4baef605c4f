/** Where people come to who were on their way nowhere else. */
const home = '/settings'

/**
 * A path of this server to go on to, for whatever a link or form says: any other address would make of the sign-in page
 * a signpost to strangers' sites.
 */
export function returnTo(wanted: string): string {
  if (!wanted.startsWith('/')) return home
  const base = 'http://gable.invalid'
  if (!URL.canParse(wanted, base)) return home
  const { origin, pathname, search } = new URL(wanted, base)
  return origin === base && !pathname.startsWith('//') ? pathname + search : home
}

/** The address of a page that leads on to another. */
export const leadingTo = (path: string, wanted: string): string =>
  `${path}?${new URLSearchParams({ return_to: wanted }).toString()}`
