import { propfind } from 'tsdav'

/** What a calendar server says about a resource, as far as Gable asks for it. */
export interface Resource {
  href: string
  /** The URL of the person, and of the person's calendars. */
  principal: string | undefined
  home: string | undefined
  name: string | undefined
  takesEvents: boolean
}

/** Maximum calendars to offer. */
const maxResources = 100

/** Reads a response to PROPFIND (RFC 4918): the resources of which it says something that Gable asks for. */
export async function readResources(xml: string): Promise<Resource[]> {
  const headers = { 'content-type': 'application/xml' }
  const response = () => Promise.resolve(new Response(xml, { status: 207, headers }))
  const found = await propfind({ url: 'http://localhost', props: {}, fetch: response })
  return found
    .map(({ href, props }) => ({
      href: textOf(href) ?? '',
      principal: hrefIn(props?.['currentUserPrincipal']),
      home: hrefIn(props?.['calendarHomeSet']),
      name: textOf(props?.['displayname']),
      takesEvents: takesEvents(props),
    }))
    .filter(({ principal, home, takesEvents: isCalendar }) => isCalendar || (principal ?? home) !== undefined)
    .slice(0, maxResources)
}

const hrefIn = (value: unknown): string | undefined => textOf([Object(value)['href']].flat()[0])

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'object' && value !== null ? Object(value)['_cdata'] : value
  return typeof text === 'string' || typeof text === 'number' ? String(text) : undefined
}

function takesEvents(props: Readonly<Record<string, unknown>> | undefined): boolean {
  if (!('calendar' in Object(props?.['resourcetype']))) return false
  const components = [Object(props?.['supportedCalendarComponentSet'])['comp'] ?? []].flat() as {
    _attributes?: { name?: string }
  }[]
  return components.length === 0 || components.some(({ _attributes }) => _attributes?.name === 'VEVENT')
}
