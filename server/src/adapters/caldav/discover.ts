import { fetchHomeUrl, fetchPrincipalUrl, propfind } from 'tsdav'
import type { Discovery, RemoteCalendar } from '../../modules/calendar/ports.ts'
import type { DavFetch } from './dav-fetch.ts'

/** Maximum calendars to offer. */
const maxCalendars = 100

/** Finds a person's calendars: at the given address, then at the well-known location (RFC 6764), then at the root. */
export async function discover(dav: DavFetch, address: string): Promise<Discovery> {
  const given = new URL(address)
  const wellKnown = new URL('/.well-known/caldav', given).href
  const candidates = new Set([
    ...(given.pathname === '/' ? [] : [given.href]),
    wellKnown,
    new URL('/', given).href,
  ])
  for (const candidate of candidates) {
    const root = await locate(dav, candidate)
    if (root === 'unauthorized')
      return { kind: 'unauthorized', message: 'The server rejects the name or the password.' }
    const calendars = root === undefined ? undefined : await listCalendars(dav, root)
    if (calendars !== undefined && calendars.length > 0) return { kind: 'found', calendars }
  }
  return {
    kind: 'failed',
    message: 'There is no calendar at this address. Ask your provider for its CalDAV address.',
  }
}

/** The final URL of the address, or undefined if nothing speaks WebDAV there. */
async function locate(dav: DavFetch, url: string): Promise<string | 'unauthorized' | undefined> {
  const response = await dav(url, {
    method: 'PROPFIND',
    headers: { 'content-type': 'text/xml;charset=UTF-8', depth: '0' },
    body: '<d:propfind xmlns:d="DAV:"><d:prop><d:resourcetype/></d:prop></d:propfind>',
  })
  if (response.status === 401) return 'unauthorized'
  return response.status === 207 ? response.url : undefined
}

async function listCalendars(dav: DavFetch, rootUrl: string): Promise<RemoteCalendar[] | undefined> {
  const fetch = dav as typeof globalThis.fetch
  const account = { accountType: 'caldav' as const, serverUrl: rootUrl, rootUrl }
  const principalUrl = await orNone(fetchPrincipalUrl({ account, fetch }))
  if (principalUrl === undefined) return undefined
  const homeUrl = await orNone(fetchHomeUrl({ account: { ...account, principalUrl }, fetch }))
  if (homeUrl === undefined) return undefined
  const found = await propfind({
    url: homeUrl,
    props: { 'd:displayname': {}, 'd:resourcetype': {}, 'c:supported-calendar-component-set': {} },
    depth: '1',
    fetch,
  })
  return found
    .filter(({ href, props }) => href !== undefined && takesEvents(props))
    .slice(0, maxCalendars)
    .map(({ href = '', props }) => ({ url: new URL(href, homeUrl).href, name: nameOf(props, href) }))
}

/**
 * Returns undefined if the server doesn't report the value: tsdav then throws a plain `Error`. Rethrows connection
 * errors.
 */
async function orNone<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Error && error.constructor === Error) return undefined
    throw error
  }
}

type Props = Readonly<Record<string, unknown>> | undefined

function takesEvents(props: Props): boolean {
  if (!('calendar' in Object(props?.['resourcetype']))) return false
  const components = [Object(props?.['supportedCalendarComponentSet'])['comp'] ?? []].flat() as {
    _attributes?: { name?: string }
  }[]
  return components.length === 0 || components.some(({ _attributes }) => _attributes?.name === 'VEVENT')
}

function nameOf(props: Props, href: string): string {
  const name = props?.['displayname']
  const text = typeof name === 'object' && name !== null ? Object(name)['_cdata'] : name
  const last = decoded(href.split('/').findLast((part) => part !== '') ?? href)
  return String(typeof text === 'string' || typeof text === 'number' ? text : last).slice(0, 120)
}

/** Keeps a part that isn't valid percent-encoding: a server may use a literal `%`. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
