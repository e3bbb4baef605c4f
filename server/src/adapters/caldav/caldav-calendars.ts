import type { Egress } from '#kernel/egress/egress.ts'
import { inThread } from '#kernel/threads/in-thread.ts'
import type { CalendarFailure, CalendarServer, PutOutcome } from '../../modules/calendar/ports.ts'
import { type DavFetch, NewHost, NoResponse, davFetch } from './dav-fetch.ts'
import { discover } from './discover.ts'
import type { retainAlarms } from './retain-alarms.ts'

const withAlarms = inThread<typeof retainAlarms>(import.meta.resolve('./retain-alarms.ts'), 'retainAlarms')

const contentType = { 'content-type': 'text/calendar; charset=utf-8' }

/** After this many conflicts, the write is retried later. */
const maxTries = 3

/** Calendars on any server that speaks CalDAV (RFC 4791), through the egress. */
export function caldavCalendars(egress: Egress): CalendarServer {
  return {
    discover: (account, url) =>
      settled(async () => {
        try {
          return await discover(davFetch(egress, account), url)
        } catch (error) {
          if (error instanceof NewHost) return { kind: 'new_host', host: error.host }
          throw error
        }
      }),
    test: (account, calendarUrl) =>
      settled(async () => {
        const { status } = await davFetch(egress, account)(calendarUrl, {
          method: 'PROPFIND',
          headers: { depth: '0' },
        })
        return status === 207 ? { kind: 'ok' } : failureOf(status)
      }),
    put: (account, calendarUrl, event) =>
      settled(() => put(davFetch(egress, account), placeOf(calendarUrl, event.id), event)),
    remove: (account, calendarUrl, id) =>
      settled(async () => {
        const { status } = await davFetch(egress, account)(placeOf(calendarUrl, id), { method: 'DELETE' })
        return isDone(status) || status === 404 || status === 410 ? { kind: 'removed' } : failureOf(status)
      }),
  }
}

const placeOf = (calendarUrl: string, id: string) =>
  new URL(`${id}.ics`, calendarUrl.endsWith('/') ? calendarUrl : `${calendarUrl}/`).href

/**
 * Creates the event, or replaces the version that Gable last wrote. On a conflict, reads the server's version and
 * overwrites it, but keeps the person's alarms. An event that was created although its response was lost has the same
 * URL, so it is overwritten too, not duplicated.
 */
async function put(
  dav: DavFetch,
  url: string,
  { file, etag }: { file: string; etag: string | null },
): Promise<PutOutcome> {
  let known = etag
  let data = file
  for (let left = maxTries; left > 0; left--) {
    const { status, headers } = await dav(url, {
      method: 'PUT',
      body: data,
      headers: { ...contentType, ...(known === null ? { 'if-none-match': '*' } : { 'if-match': known }) },
    })
    if (isDone(status)) return { kind: 'put', etag: headers.get('etag') }
    const isMissing = status === 404 || status === 410
    if (status !== 412 && !(isMissing && known !== null)) return failureOf(status)
    const remote = await dav(url)
    if (remote.status === 404 || remote.status === 410) {
      if (known !== null) return { kind: 'gone' }
      continue
    }
    if (!isDone(remote.status)) return failureOf(remote.status)
    known = remote.headers.get('etag') ?? '*'
    data = await withAlarms(file, await remote.text()).catch(() => file)
  }
  return { kind: 'later', message: 'the calendar keeps changing' }
}

const isDone = (status: number) => status >= 200 && status < 300

function failureOf(status: number): CalendarFailure {
  if (status === 401) return { kind: 'unauthorized', message: 'The server rejects the name or the password.' }
  const isTemporary = status === 408 || status === 423 || status === 425 || status === 429 || status >= 500
  const message = failures.get(status) ?? `The server responded with status ${status}.`
  return { kind: isTemporary ? 'later' : 'failed', message }
}

const failures: ReadonlyMap<number, string> = new Map([
  [403, 'Gable cannot write to this calendar.'],
  [404, 'The calendar no longer exists.'],
  [409, 'The calendar no longer exists.'],
  [507, 'The calendar is full.'],
])

/** Turns exceptions into failures. A missing response, or one that can't be read, is retried later. */
async function settled<T>(work: () => Promise<T>): Promise<T | CalendarFailure> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NewHost)
      return { kind: 'failed', message: `The calendar has moved to ${error.host}. Connect it again.` }
    const message =
      error instanceof NoResponse ? `No response: ${error.message}.` : 'The response cannot be read.'
    return { kind: 'later', message }
  }
}
