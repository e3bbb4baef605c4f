import type { Egress, Request as EgressRequest } from '#kernel/egress/egress.ts'
import type { CalendarAccount } from '../../modules/calendar/ports.ts'

/** A host that the person has not seen would get their name and password. */
export class NewHost extends Error {
  readonly host: string

  constructor(host: string) {
    super('A host that the person has not confirmed.')
    this.host = host
  }
}

/** There is no complete response. The message is for people. */
export class NoResponse extends Error {}

/** What the server of a calendar returns, and where it came from in the end. */
export type DavFetch = (url: string, init?: RequestInit) => Promise<Response>

const maxRedirects = 3
const startMs = 5_000
const redirects = new Set([301, 302, 307, 308])
/** Only these are sent again to another address. */
const repeatable = new Set(['GET', 'PROPFIND'])

/**
 * `fetch` for tsdav, through the egress: every address is checked, redirects of reads are followed three times, and name and
 * password go to hosts that the person has confirmed, and to no other.
 */
export function davFetch(egress: Egress, { username, password, hosts }: CalendarAccount): DavFetch {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return async (first, init = {}) => {
    const { method = 'GET', body } = init
    const headers = { ...Object.fromEntries(new Headers(init.headers)), authorization }
    let url = first
    for (let left = maxRedirects; ; left--) {
      const { host } = new URL(url)
      if (!hosts.includes(host)) throw new NewHost(host)
      const request: EgressRequest = { method: method as EgressRequest['method'], url, headers, startMs }
      const reply = await egress.send(typeof body === 'string' ? { ...request, body } : request)
      if (reply.status === null) throw new NoResponse(reply.failure ?? 'no response')
      const location = reply.headers['location']
      if (redirects.has(reply.status) && repeatable.has(method) && typeof location === 'string') {
        if (left === 0) throw new NoResponse('too many redirects')
        if (!URL.canParse(location, url)) throw new NoResponse('a redirect to no valid address')
        url = new URL(location, url).href
        continue
      }
      const response = new Response(isWithoutBody(reply.status) ? null : new Uint8Array(reply.body), {
        status: reply.status,
        headers: headersOf(reply.headers),
      })
      return Object.defineProperty(response, 'url', { value: url })
    }
  }
}

const isWithoutBody = (status: number) => status === 204 || status === 205 || status === 304

/** The headers that matter here. */
function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const kept = ['content-type', 'etag', 'location', 'retry-after']
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}
