import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createContext } from '#kernel/context.ts'
import { type EmulatedCalendar, startCalendarServer } from '#test/caldav/calendar-server.ts'
import { type TestApp, type TestWorkspace, testApp, towardsLoopback } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { openCalendars } from '../../../app.ts'
import { readMails } from '../../mail/public.ts'
import type { CalendarServer } from '../ports.ts'
import { chooseCalendar, connectCalendar, disconnectCalendar, testCalendar } from './connect-calendar.ts'
import { findCalendarConnection } from './connection-queries.ts'
import { pushAppointment } from './push-appointment.ts'
import { pushes } from './queue-pushes.ts'

let app: TestApp
let server: EmulatedCalendar
let calendars: CalendarServer
let workspace: TestWorkspace
let agent: Client

beforeAll(async () => {
  server = await startCalendarServer()
  app = await testApp({ egress: towardsLoopback })
  calendars = openCalendars(app.runtime)
  workspace = await app.workspace()
  agent = await workspace.credential()
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
beforeEach(() => {
  app.clock.advance(200_000)
  server.requests.length = 0
})

const time = (hour: number) => ({
  starts_at: `2026-03-09T${hour}:00:00.000Z`,
  ends_at: `2026-03-09T${hour}:45:00.000Z`,
})

/** A member whose calendar is connected. */
async function connected() {
  const member = await workspace.member()
  const { address, username, password } = server
  await connectCalendar(workspace.ctx, calendars, member.id, { address, username, password })
  await chooseCalendar(workspace.ctx, calendars, member.id, server.calendarUrl)
  return member
}

const book = async (draft: object, client = agent) =>
  idOf(await client.post('/appointments', { ...time(16), title: 'Showing', ...draft }))
const push = (id: string, memberId: string) => pushAppointment(workspace.ctx, calendars, id, memberId)
const syncOf = async (id: string) => (await agent.get(`/appointments/${id}`)).body['calendar_sync']
const eventOf = (id: string) => server.events.get(`/ada/work/${id}.ics`)?.file
const state = (member_id: string, status: string, error: unknown = null) => [
  { member_id, provider: 'caldav', status, error },
]

test('a booking does not wait for the calendar, and calendar_sync shows its state for the host', async () => {
  const host = await connected()
  const created = await agent.post('/appointments', { ...time(16), host_id: host.id, title: 'Showing' })
  const id = idOf(created)
  expect(created.body['calendar_sync']).toEqual(state(host.id, 'pending'))
  expect(server.requests.filter((one) => one.startsWith('PUT'))).toEqual([])
  await push(id, host.id)
  await push(id, host.id)
  expect(server.requests.filter((one) => one.startsWith('PUT'))).toHaveLength(1)
  expect(await syncOf(id)).toEqual(state(host.id, 'synced'))
  expect(eventOf(id)).toMatch(new RegExp(`UID:${id}\r\n`))
  await agent.patch(`/appointments/${id}`, time(18))
  await push(id, host.id)
  expect(eventOf(id)).toContain('DTSTART:20260309T180000Z')
  await agent.patch(`/appointments/${id}`, { outcome: 'cancelled' })
  await push(id, host.id)
  expect(eventOf(id)).toBeUndefined()
  expect(await syncOf(id)).toEqual(state(host.id, 'removed'))
})

test('an appointment syncs to the member who booked it and the host, but not to a former host', async () => {
  const [creator, host] = [await connected(), await connected()]
  // A key that acts for a member sees only the appointments that the member hosts.
  const key = await workspace.keyFor(creator.id)
  const id = await book({}, key)
  await agent.patch(`/appointments/${id}`, { host_id: host.id })
  expect((await syncOf(id)).map((one: { member_id: string }) => one.member_id)).toEqual(
    [creator.id, host.id].toSorted(),
  )
  await push(id, host.id)
  await agent.patch(`/appointments/${id}`, { host_id: creator.id })
  await push(id, host.id)
  expect((await syncOf(id)).map((one: { member_id: string }) => one.member_id)).toEqual([creator.id])
})

test('an event deleted in the calendar stays deleted until the appointment is moved', async () => {
  const host = await connected()
  const id = await book({ host_id: host.id })
  await push(id, host.id)
  server.events.delete(`/ada/work/${id}.ics`)
  for (const location of ['Elm Street', 'Oak Street']) {
    await agent.patch(`/appointments/${id}`, { location })
    await push(id, host.id)
    expect([eventOf(id), await syncOf(id)]).toEqual([undefined, state(host.id, 'removed')])
  }
  await agent.patch(`/appointments/${id}`, time(20))
  await push(id, host.id)
  expect(eventOf(id)).toContain('DTSTART:20260309T200000Z')
  expect(await syncOf(id)).toEqual(state(host.id, 'synced'))
})

test('only one of several concurrent pushes writes, and a change meanwhile is pushed afterwards', async () => {
  const host = await connected()
  const id = await book({ host_id: host.id })
  const changing: CalendarServer = {
    ...calendars,
    async put(...args) {
      await agent.patch(`/appointments/${id}`, { location: 'Elm Street' })
      const written = await calendars.put(...args)
      await Promise.all(Array.from({ length: 6 }, () => push(id, host.id)))
      return written
    },
  }
  const puts = () => server.requests.filter((one) => one.startsWith('PUT')).length
  const before = puts()
  await pushAppointment(workspace.ctx, changing, id, host.id)
  expect(puts()).toBe(before + 1)
  await push(id, host.id)
  expect(eventOf(id)).toContain('LOCATION:Elm Street')
  expect(await syncOf(id)).toEqual(state(host.id, 'synced'))
})

test('a push whose job was lost, or whose process was killed, is due again', async () => {
  const host = await connected()
  const id = await book({ host_id: host.id })
  const isDue = async () => {
    const due = await pushes.listDue(workspace.ctx.db, app.clock.now(), 1000, app.clock)
    return due.includes(`${id} ${host.id}`)
  }
  expect(await isDue()).toBe(false)
  app.clock.advance(60_000)
  expect(await isDue()).toBe(true)
  const begun = Promise.withResolvers<void>()
  const killed: CalendarServer = {
    ...calendars,
    put() {
      begun.resolve()
      return new Promise(() => {})
    },
  }
  const lost = pushAppointment(workspace.ctx, killed, id, host.id)
  await Promise.race([begun.promise, lost])
  await push(id, host.id)
  expect([await isDue(), eventOf(id)]).toEqual([false, undefined])
  app.clock.advance(120_000)
  expect(await isDue()).toBe(true)
  await push(id, host.id)
  expect([await isDue(), await syncOf(id)]).toEqual([false, state(host.id, 'synced')])
})

test('a failed push or lost response is retried without a second event', async () => {
  const host = await connected()
  const id = await book({ host_id: host.id })
  for (const response of [503, 'lost'] as const) {
    server.next('PUT', response)
    await expect(push(id, host.id)).rejects.toThrow(id)
    expect(await syncOf(id)).toMatchObject([{ status: 'failed', error: expect.any(String) }])
  }
  await push(id, host.id)
  expect(await syncOf(id)).toEqual(state(host.id, 'synced'))
  expect([...server.events.keys()].filter((path) => path.includes(id))).toHaveLength(1)
})

test('a rejected password suspends the connection, with one email, until it works again', async () => {
  const host = await connected()
  const ids = [await book({ host_id: host.id }), await book({ host_id: host.id })]
  const { password } = server
  server.setPassword('another')
  for (const id of [...ids, ...ids]) await push(id, host.id)
  const statusNow = async () =>
    (await findCalendarConnection(app.runtime.database.directory, workspace.id, host.id))?.status
  expect(await statusNow()).toBe('resting')
  for (const id of ids) expect(await syncOf(id)).toEqual(state(host.id, 'failed', expect.any(String)))
  app.clock.advance(60_000)
  expect(await pushes.listDue(workspace.ctx.db, app.clock.now(), 1000, app.clock)).not.toContain(
    `${ids[0]} ${host.id}`,
  )
  const mails = (await readMails(app.runtime)).filter(({ mail }) => mail?.to === host.email)
  expect(mails.map(({ mail }) => mail?.subject)).toEqual(['Your calendar is no longer updated'])
  expect(mails[0]?.mail?.text).not.toContain(password)
  expect(await testCalendar(workspace.ctx, calendars, host.id)).toMatchObject({ status: 'resting' })
  server.setPassword(password)
  expect(await testCalendar(workspace.ctx, calendars, host.id)).toMatchObject({
    status: 'active',
    error: null,
  })
  for (const id of ids) await push(id, host.id)
  for (const id of ids) expect(await syncOf(id)).toEqual(state(host.id, 'synced'))
})

test('an erasure rewrites the pushed event', async () => {
  const host = await connected()
  const contact_id = idOf(await agent.post('/contacts', { first_name: 'Ada' }))
  const id = await book({ host_id: host.id, contact_id, title: 'Showing with Ada', location: 'Ada’s porch' })
  await push(id, host.id)
  expect(eventOf(id)).toContain('Ada')
  await agent.delete(`/contacts/${contact_id}`)
  await push(id, host.id)
  expect(eventOf(id)).toContain('SUMMARY:Other')
  expect(eventOf(id)).not.toContain('Ada')
})

test('connecting a calendar pushes upcoming appointments, and disconnecting stops pushes', async () => {
  const member = await workspace.member()
  const id = await book({ host_id: member.id })
  expect(await syncOf(id)).toEqual([])
  const { address, username, password } = server
  await connectCalendar(workspace.ctx, calendars, member.id, { address, username, password })
  await chooseCalendar(workspace.ctx, calendars, member.id, server.calendarUrl)
  await push(id, member.id)
  expect(await syncOf(id)).toEqual(state(member.id, 'synced'))
  await disconnectCalendar(workspace.ctx, member.id)
  await agent.patch(`/appointments/${id}`, time(21))
  await push(id, member.id)
  expect(await syncOf(id)).toEqual([])
  expect(eventOf(id)).toContain('DTSTART:20260309T160000Z')
})

test('a member with limited reach syncs what they booked for others, until they disconnect', async () => {
  const [member, host] = [await workspace.member(), await workspace.member()]
  const id = await book({}, await workspace.keyFor(member.id))
  await agent.patch(`/appointments/${id}`, { host_id: host.id })
  const actor = { type: 'member', id: member.id, name: member.name }
  const own = createContext(app.runtime, {
    workspaceId: workspace.id,
    actor,
    scopes: new Set(),
    reach: [member.id],
    memberId: member.id,
  })
  const { address, username, password } = server
  await connectCalendar(own, calendars, member.id, { address, username, password })
  await chooseCalendar(own, calendars, member.id, server.calendarUrl)
  await push(id, member.id)
  expect(await syncOf(id)).toEqual(state(member.id, 'synced'))
  await disconnectCalendar(own, member.id)
  expect(await syncOf(id)).toEqual([])
})

test('the password is stored encrypted, and is deleted when the member is deactivated', async () => {
  const member = await connected()
  const text = 'select row_to_json(c)::text as row, password from calendar_connections c where member_id = $1'
  const [stored] = await asOwner<{ row: string; password: Buffer }>(app.databaseUrl, text, [member.id])
  expect(stored?.row).not.toContain(server.password)
  expect(stored?.password.includes(server.password)).toBe(false)
  const owner = await workspace.owner()
  await agent.request('PATCH', `/members/${member.id}`, { body: { active: false }, headers: await owner() })
  expect(await asOwner(app.databaseUrl, text, [member.id])).toEqual([])
})
