import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { Egress } from '#kernel/egress/egress.ts'
import { type EmulatedCalendar, startCalendarServer } from '#test/caldav/calendar-server.ts'
import { describeCalendarServer } from '#test/caldav/contract.ts'
import { caldavCalendars } from './caldav-calendars.ts'
import { retainAlarms } from './retain-alarms.ts'

describeCalendarServer('the emulated server', startCalendarServer)

let server: EmulatedCalendar
let other: EmulatedCalendar
let egress: Egress
let calendars: ReturnType<typeof caldavCalendars>

beforeAll(async () => {
  ;[server, other] = [await startCalendarServer(), await startCalendarServer()]
  egress = createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback', timeoutMs: 2000 })
  calendars = caldavCalendars(egress)
})
afterAll(async () => {
  await egress[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})
beforeEach(() => {
  server.leadsTo = '/dav/'
  server.requests.length = 0
  other.requests.length = 0
})

const account = (...hosts: string[]) => ({
  username: server.username,
  password: server.password,
  origins: hosts.map((host) => `http://${host}`),
})
const event = { id: 'cmi8h7n5c0007s2b6v8l4q1t9', file: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', etag: null }

test('a calendar has its name, or else the end of its URL', async () => {
  const found = await calendars.discover(account(server.host), server.address)
  expect(found).toEqual({
    kind: 'found',
    calendars: [
      { url: `${server.address}/ada/work/`, name: 'Work & showings' },
      { url: `${server.address}/ada/home/`, name: 'home' },
      { url: `${server.address}/ada/50%/`, name: '50%' },
    ],
  })
})

test('a new host is reported before any request to it, and used once allowed', async () => {
  server.leadsTo = `${other.address}/dav/`
  expect(await calendars.discover(account(server.host), server.address)).toEqual({
    kind: 'new_host',
    host: other.host,
  })
  expect(other.requests).toEqual([])
  const found = await calendars.discover(account(server.host, other.host), server.address)
  expect(found).toMatchObject({ kind: 'found', calendars: [{ url: other.calendarUrl }, {}, {}] })
})

test('the password goes to no other scheme or port of a host, wherever the server leads', async () => {
  for (const leadsTo of [`https://${server.host}/dav/`, `ftp://${server.host}/dav/`]) {
    server.leadsTo = leadsTo
    expect(await calendars.discover(account(server.host), server.address)).toEqual({
      kind: 'later',
      message: `No response: the calendar is at ${new URL(leadsTo).protocol}//${server.host}.`,
    })
  }
  server.leadsTo = `${other.address}/dav/`
  const found = await calendars.discover(account(server.host), server.address)
  expect(found).toEqual({ kind: 'new_host', host: other.host })
  expect(await calendars.put(account(server.host), other.calendarUrl, event)).toMatchObject({
    kind: 'failed',
  })
  expect(other.requests).toEqual([])
})

test('three redirects are followed but not a fourth, and an event is never redirected', async () => {
  server.leadsTo = '/.well-known/caldav'
  expect(await calendars.discover(account(server.host), server.address)).toMatchObject({
    kind: 'later',
    message: 'No response: too many redirects.',
  })
  expect(server.requests).toHaveLength(4)
  server.next('PUT', 307)
  expect(await calendars.put(account(server.host), server.calendarUrl, event)).toMatchObject({
    kind: 'failed',
  })
})

test.each([
  ['http://169.254.169.254/latest/', 'the address is not public'],
  ['http://10.0.0.1/dav/', 'the address is not public'],
])('a redirect to %s is not followed even if its host is allowed', async (address, message) => {
  server.leadsTo = address
  const strict = createEgress({ allowHttp: 'all', allowPrivate: 'loopback' })
  const found = await caldavCalendars(strict).discover(
    account(server.host, new URL(address).host),
    server.address,
  )
  expect(found).toEqual({ kind: 'later', message: `No response: ${message}.` })
  await strict[Symbol.asyncDispose]()
})

test('discovery fails at an address without calendars', async () => {
  server.next('PROPFIND', 404, 404)
  expect(await calendars.discover(account(server.host), server.address)).toMatchObject({ kind: 'failed' })
})

test.each([
  [403, 'failed'],
  [409, 'failed'],
  [507, 'later'],
  [500, 'later'],
  [503, 'later'],
  [429, 'later'],
  ['lost', 'later'],
] as const)('a response %s to an event yields %s', async (response, kind) => {
  server.next('PUT', response)
  expect(await calendars.put(account(server.host), server.calendarUrl, event)).toMatchObject({ kind })
})

test('an event with repeated conflicts is retried later', async () => {
  await server.ask('PUT', `${server.calendarUrl}${event.id}.ics`, 'BEGIN:VCALENDAR\r\nEND:VCALENDAR')
  server.next('PUT', 412, 412, 412)
  expect(await calendars.put(account(server.host), server.calendarUrl, event)).toMatchObject({
    kind: 'later',
  })
  expect(server.requests.filter((one) => one.startsWith('PUT'))).toHaveLength(4)
})

test('an unreadable event on the server leaves our alarms unchanged', () => {
  const ours = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
  for (const remote of [
    '',
    'no calendar',
    'BEGIN:VCALENDAR\r\nEND:VCALENDAR',
    'BEGIN:VCALENDAR\r\nBEGIN:VEVENT',
  ])
    expect(retainAlarms(ours, remote)).toBe(ours)
})
