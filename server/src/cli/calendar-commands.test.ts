import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type EmulatedCalendar, startCalendarServer } from '#test/caldav/calendar-server.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { gableWith } from '#test/support/gable.ts'

let app: TestApp
let server: EmulatedCalendar
let workspace: TestWorkspace
let member: string

beforeAll(async () => {
  server = await startCalendarServer()
  app = await testApp()
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
beforeEach(async () => {
  server.leadsTo = '/dav/'
  workspace = await app.workspace()
  member = (await workspace.member()).id
})

const gable = gableWith(() => ({
  DATABASE_URL: app.databaseUrl,
  WEBHOOK_ALLOW_HTTP: 'loopback',
  WEBHOOK_ALLOW_PRIVATE: 'loopback',
}))
const calendar = (...args: string[]) =>
  gable(['calendar', ...args, '--workspace', workspace.id], `${server.password}\n`)
const connect = (...args: string[]) =>
  calendar(
    'connect',
    '--member',
    member,
    '--address',
    server.address,
    '--username',
    server.username,
    '--password-stdin',
    ...args,
  )

test('connect lists the calendars to choose from; a chosen one can be listed, tested, and disconnected', async () => {
  const asked = await connect()
  expect([asked.code, asked.out]).toEqual([0, expect.stringMatching(/^status +choosing\n/m)])
  expect(asked.out).toContain(`--calendar ${server.calendarUrl} (Work & showings)`)
  const { code, out } = await connect('--calendar', server.calendarUrl, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    member_id: member,
    status: 'active',
    calendar_url: server.calendarUrl,
    calendar_name: 'Work & showings',
    error: null,
  })
  const listed = await calendar('connections', '--json')
  expect(JSON.parse(listed.out)).toEqual([JSON.parse(out)])
  expect(out + asked.out + listed.out).not.toMatch(/password|p4ss/)
  expect((await calendar('connections')).out).toMatch(/ada@reyes\.example[^]* active /)
  expect((await calendar('test', '--member', member)).out).toMatch(/^status +active\n/m)
  expect((await calendar('disconnect', '--member', member)).out).toBe('The calendar is disconnected.\n')
  expect((await calendar('connections')).out).toBe('No calendar is connected.\n')
})

test('connecting to another host requires --allow-host', async () => {
  const other = server.host.replace('127.0.0.1', 'localhost')
  server.leadsTo = `http://${other}/dav/`
  const asked = await connect()
  expect(asked.out).toMatch(/^status +new_host\n/m)
  expect(asked.out).toContain(`--allow-host ${other}`)
  expect((await connect('--allow-host', 'elsewhere.example')).out).toMatch(/^status +new_host\n/m)
  const allowed = await connect('--allow-host', other, '--json')
  expect(JSON.parse(allowed.out)).toMatchObject({ status: 'choosing', new_host: null })
})

test('a failed connection reports why and saves nothing', async () => {
  const failing = async (...args: string[]) => {
    const { code, out, err } = await calendar(...args, '--json')
    return [code, out, JSON.parse(err).error.code]
  }
  const wrong = ['--address', server.address, '--username', 'someone', '--password-stdin']
  expect(await failing('connect', '--member', member, ...wrong)).toEqual([1, '', 'calendar_unreachable'])
  expect(await failing('connect', '--member', `c${'0'.repeat(24)}`, ...wrong)).toEqual([1, '', 'not_found'])
  const broken = ['--address', 'ftp://cloud.example', '--username', 'ada', '--password-stdin']
  expect(await failing('connect', '--member', member, ...broken)).toEqual([1, '', 'validation_failed'])
  expect(await failing('test', '--member', member)).toEqual([1, '', 'not_found'])
  expect(JSON.parse((await calendar('connections', '--json')).out)).toEqual([])
})

test('testing a calendar whose password has changed reports that it is resting', async () => {
  await connect('--calendar', server.calendarUrl)
  const { password } = server
  server.setPassword('another')
  const { out } = await calendar('test', '--member', member, '--json')
  server.setPassword(password)
  expect(JSON.parse(out)).toMatchObject({ status: 'resting', error: expect.any(String) })
})
