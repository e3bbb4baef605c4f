import type { Egress, Request as EgressRequest } from '#kernel/egress/egress.ts'
import type { CalendarAccount } from '../../modules/calendar/ports.ts'

/** Thrown before the name and password would go to a host that the person has not confirmed. */
export class NewHost extends Error {
  readonly host: string

  constructor(host: string) {
    super('A host that the person has not confirmed.')
    this.host = host
  }
}

/** No complete response arrived. The message is for people. */
export class NoResponse extends Error {}

/** A fetch function for a calendar server. The response's `url` is the final URL after redirects. */
export type DavFetch = (url: string, init?: RequestInit) => Promise<Response>

const maxRedirects = 3
const startMs = 5_000
const redirects = new Set([301, 302, 307, 308])
/** Only these methods follow redirects. */
const repeatable = new Set(['GET', 'PROPFIND'])

/**
 * `fetch` for tsdav, through the egress: checks every address, follows up to three redirects of reads, and sends the
 * name and password only to origins that the person has confirmed. Another scheme than theirs cannot be confirmed.
 */
export function davFetch(egress: Egress, { username, password, origins }: CalendarAccount): DavFetch {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return async (first, init = {}) => {
    const { method = 'GET', body } = init
    const headers = { ...Object.fromEntries(new Headers(init.headers)), authorization }
    let url = first
    for (let left = maxRedirects; ; left--) {
      const { origin, protocol, host } = new URL(url)
      if (!origins.includes(origin)) {
        if (origins.every((one) => !one.startsWith(`${protocol}//`)))
          throw new NoResponse(`the calendar is at ${protocol}//${host}`)
        throw new NewHost(host)
      }
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

/** Keeps only the headers that matter here. */
function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const kept = ['content-type', 'etag', 'location', 'retry-after']
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}
