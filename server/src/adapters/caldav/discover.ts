import { inThread } from '#kernel/threads/in-thread.ts'
import type { Discovery, RemoteCalendar } from '../../modules/calendar/ports.ts'
import type { DavFetch } from './dav-fetch.ts'
import type { Resource, readResources } from './read-resources.ts'

const resourcesIn = inThread<typeof readResources>(
  import.meta.resolve('./read-resources.ts'),
  'readResources',
)

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

/** Asks for properties of the resource, or of what it contains. */
const propfind = (dav: DavFetch, url: string, depth: '0' | '1', properties: string): Promise<Response> =>
  dav(url, {
    method: 'PROPFIND',
    headers: { 'content-type': 'text/xml;charset=UTF-8', depth },
    body: `<d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop>${properties}</d:prop></d:propfind>`,
  })

/** The final URL of the address, or undefined if nothing speaks WebDAV there. */
async function locate(dav: DavFetch, url: string): Promise<string | 'unauthorized' | undefined> {
  const response = await propfind(dav, url, '0', '<d:resourcetype/>')
  if (response.status === 401) return 'unauthorized'
  return response.status === 207 ? response.url : undefined
}

async function listCalendars(dav: DavFetch, rootUrl: string): Promise<RemoteCalendar[] | undefined> {
  const read = async (url: string, depth: '0' | '1', properties: string): Promise<Resource[]> => {
    const response = await propfind(dav, url, depth, properties)
    return response.status === 207 ? resourcesIn(await response.text()) : []
  }
  const find = async (url: string, member: 'principal' | 'home', property: string) => {
    const href = (await read(url, '0', property)).find((one) => one[member] !== undefined)?.[member]
    return href === undefined ? undefined : URL.parse(href, rootUrl)?.href
  }
  const principalUrl = await find(rootUrl, 'principal', '<d:current-user-principal/>')
  const homeUrl = principalUrl && (await find(principalUrl, 'home', '<c:calendar-home-set/>'))
  if (homeUrl === undefined) return undefined
  const asked = '<d:displayname/><d:resourcetype/><c:supported-calendar-component-set/>'
  return (await read(homeUrl, '1', asked)).flatMap(({ href, name, takesEvents }) => {
    const url = takesEvents && href !== '' ? URL.parse(href, homeUrl)?.href : undefined
    return url === undefined ? [] : [{ url, name: (name ?? lastPartOf(href)).slice(0, 120) }]
  })
}

const lastPartOf = (href: string) => decoded(href.split('/').findLast((part) => part !== '') ?? href)

/** Keeps a part that isn't valid percent-encoding: a server may use a literal `%`. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
