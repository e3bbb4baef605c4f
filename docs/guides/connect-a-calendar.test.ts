import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openCalendars } from '@gable/server/src/app.ts'
import { pushAppointment } from '@gable/server/src/modules/calendar/push/push-appointment.ts'
import { type EmulatedCalendar, startCalendarServer } from '@gable/server/test/caldav/calendar-server.ts'
import { type TestApp, appSecret, testApp, towardsLoopback } from '@gable/server/test/support/app.ts'
import type { Client } from '@gable/server/test/support/client.ts'
import { idOf } from '@gable/server/test/support/fixtures.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GuidePage, guidePage } from '../support/guide-page.ts'

// Most of it is processes.
vi.setConfig({ testTimeout: 180_000 })

const opened = new AsyncDisposableStack()
let page: GuidePage
let app: TestApp
let server: EmulatedCalendar
let agent: Client
let workspace: Awaited<ReturnType<TestApp['workspace']>>
let member: string
let variables: Record<string, string>

beforeAll(async () => {
  page = opened.use(await guidePage('connect-a-calendar', { commands: true }))
  server = opened.use(await startCalendarServer())
  app = opened.use(await testApp({ egress: towardsLoopback }))
  workspace = await app.workspace()
  agent = await workspace.credential()
  member = (await workspace.member()).id
  await writeFile(join(page.folder, 'password.txt'), `${server.password}\n`)
  variables = {
    WORKSPACE: workspace.id,
    MEMBER: member,
    ADDRESS: server.address,
    NAME: server.username,
    CALENDAR: server.calendarUrl,
    DATABASE_URL: app.databaseUrl,
    APP_SECRET: appSecret,
    WEBHOOK_ALLOW_HTTP: 'loopback',
    WEBHOOK_ALLOW_PRIVATE: 'loopback',
  }
})
afterAll(() => opened.disposeAsync())

const starts = (hour: number) => ({
  starts_at: `2026-03-09T${hour}:00:00.000Z`,
  ends_at: `2026-03-09T${hour}:45:00.000Z`,
})

test('the guide works from the account to the disconnection, with the conflicts it describes', async () => {
  expect(await page.curl('--password-stdin <', variables)).toContain(`--calendar ${server.calendarUrl}`)
  const connected = await page.curl('--calendar $CALENDAR', variables)
  expect(connected).toMatch(/^calendar_name +Work & showings\n[^]*^status +active\n[^]*ADDRESS[^]*ada@reyes/m)

  const id = idOf(
    await agent.post('/appointments', { ...starts(16), host_id: member, location: 'Elm Street' }),
  )
  const event = `/ada/work/${id}.ics`
  const push = () => pushAppointment(workspace.ctx, openCalendars(app.runtime), id, member)
  await push()
  const foreign = (change: (file: string) => string) => {
    const known = server.events.get(event)
    server.events.set(event, { file: change(known?.file ?? ''), etag: '"foreign"' })
  }
  const file = () => server.events.get(event)?.file
  foreign((text) =>
    text
      .replace('LOCATION:Elm Street', 'LOCATION:Elsewhere')
      .replace('END:VEVENT', 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT30M\r\nEND:VALARM\r\nEND:VEVENT'),
  )
  await agent.patch(`/appointments/${id}`, { title: 'Showing' })
  await push()
  expect(file()).toContain('LOCATION:Elm Street')
  expect(file()).toContain('TRIGGER:-PT30M')
  server.events.delete(event)
  await agent.patch(`/appointments/${id}`, { title: 'Second showing' })
  await push()
  expect(file()).toBeUndefined()
  await agent.patch(`/appointments/${id}`, starts(18))
  await push()
  expect(file()).toContain('DTSTART:20260309T180000Z')

  expect(await page.curl('calendar disconnect', variables)).toBe('The calendar is disconnected.\n')
  expect(file()).toBeDefined()
  expect(page.notRun()).toEqual([])
})

test('the guide names every status of a calendar push', async () => {
  const source = await readFile(new URL('../../server/migrations/0017_calendar.sql', import.meta.url), 'utf8')
  const [, states = ''] = /calendar_pushes_status check \(status in \(([^)]+)\)/.exec(source) ?? []
  const named = /shows the state for each member: ([^.]+)\./.exec(page.prose)?.[1] ?? ''
  const sorted = (text: string, quoted: RegExp) => [...text.matchAll(quoted)].map(([, one]) => one).toSorted()
  expect(sorted(states, /'(\w+)'/g)).toHaveLength(4)
  expect(sorted(named, /`(\w+)`/g)).toEqual(sorted(states, /'(\w+)'/g))
})
