import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An account on a calendar server, as an adapter and as its owner reach it. */
export interface CalendarHost extends AsyncDisposable {
  /** What the owner enters. */
  address: string
  host: string
  username: string
  password: string
  /** Of a calendar that is there already. */
  calendarUrl: string
  /** A request of the owner's own program. */
  ask(method: string, url: string, body?: string, headers?: Record<string, string>): Promise<Response>
}

export interface EmulatedCalendar extends CalendarHost {
  /** Events by their address. */
  events: Map<string, { file: string; etag: string }>
  /** Every request: method, path, and whether it had credentials. */
  requests: string[]
  /** What the next requests of this method get in place of a response; `lost` does the work and closes the connection. */
  next(method: string, ...responses: (number | 'lost')[]): void
  /** Where `/.well-known/caldav` leads. */
  leadsTo: string
  setPassword(password: string): void
}

/** A CalDAV server on loopback (RFC 4791) with one person, two calendars, and a list of tasks. */
export async function startCalendarServer(): Promise<EmulatedCalendar> {
  const events: EmulatedCalendar['events'] = new Map()
  const requests: string[] = []
  const scripted = new Map<string, (number | 'lost')[]>()
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const base = `http://${host}`
  let password = 'p4ss wörd:1'
  const authorization = () => `Basic ${Buffer.from(`ada@reyes.example:${password}`).toString('base64')}`

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    requests.push(`${method} ${url}${headers.authorization === undefined ? '' : ' with credentials'}`)
    const end = (status: number, text = '', more: Record<string, string> = {}) =>
      response.writeHead(status, more).end(text)
    const scriptedStatus = scripted.get(method)?.shift()
    if (typeof scriptedStatus === 'number') return void end(scriptedStatus)
    if (url === '/.well-known/caldav') return void end(301, '', { location: emulated.leadsTo })
    if (headers.authorization !== authorization())
      return void end(401, '', { 'www-authenticate': 'Basic realm="x"' })
    if (method === 'PROPFIND') return void propfind(url, String(headers['depth'] ?? '0'), end)
    const [status, text, more] = onEvent(method, url, headers, body)
    if (scriptedStatus === 'lost') return void request.socket.destroy()
    return void end(status, text, more)
  }

  function onEvent(
    method: string,
    url: string,
    headers: IncomingMessage['headers'],
    body: string,
  ): [number, string?, Record<string, string>?] {
    const known = events.get(url)
    if (!/^\/ada\/(work|home)\/[^/]+\.ics$/.test(url)) return [method === 'PUT' ? 409 : 404]
    if (method === 'GET') return known === undefined ? [404] : [200, known.file, { etag: known.etag }]
    const ifMatch = headers['if-match']
    const isStale =
      ifMatch !== undefined && (known === undefined || (ifMatch !== '*' && ifMatch !== known.etag))
    if (isStale || (headers['if-none-match'] === '*' && known !== undefined)) return [412]
    if (method === 'DELETE') return events.delete(url) ? [204] : [404]
    if (method !== 'PUT') return [405]
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
    events.set(url, { file: body, etag })
    return [known === undefined ? 201 : 204, '', { etag }]
  }

  const emulated: EmulatedCalendar = {
    address: base,
    host,
    username: 'ada@reyes.example',
    get password() {
      return password
    },
    calendarUrl: `${base}/ada/work/`,
    events,
    requests,
    leadsTo: '/dav/',
    next: (method, ...responses) => void scripted.set(method, responses),
    setPassword: (changed) => void (password = changed),
    ask: (method, url, body, headers = {}) =>
      fetch(url, {
        method,
        headers: { authorization: authorization(), ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
  return emulated
}

type End = (status: number, text?: string, more?: Record<string, string>) => unknown

const response = (href: string, props: string) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`

const collection = (href: string, name: string, component: string) =>
  response(
    href,
    `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>${name}</d:displayname>` +
      `<c:supported-calendar-component-set><c:comp name="${component}"/></c:supported-calendar-component-set>`,
  )

const collections = new Map([
  ['/ada/work/', collection('/ada/work/', 'Work &amp; showings', 'VEVENT')],
  ['/ada/home/', collection('/ada/home/', '', 'VEVENT')],
  ['/ada/50%/', collection('/ada/50%/', '', 'VEVENT')],
  ['/ada/todo/', collection('/ada/todo/', 'To do', 'VTODO')],
])

/** Every resource says all that it has; a client takes what it asked for. */
function propfind(url: string, depth: string, end: End): unknown {
  const found = new Map([
    [
      '/dav/',
      '<d:resourcetype><d:collection/></d:resourcetype><d:current-user-principal><d:href>/people/ada/</d:href></d:current-user-principal>',
    ],
    [
      '/people/ada/',
      '<d:resourcetype><d:principal/></d:resourcetype><c:calendar-home-set><d:href>/ada/</d:href></c:calendar-home-set>',
    ],
    ['/ada/', '<d:resourcetype><d:collection/></d:resourcetype>'],
  ])
  const own = found.get(url)
  const listed = [own === undefined ? collections.get(url) : response(url, own)]
  if (url === '/ada/' && depth === '1') listed.push(...collections.values())
  const present = listed.filter((one) => one !== undefined)
  if (present.length === 0) return end(404)
  const text = `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${present.join('')}</d:multistatus>`
  return end(207, text, { 'content-type': 'application/xml; charset=utf-8' })
}
