import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type EmulatedCalendar, startCalendarServer } from '#test/caldav/calendar-server.ts'
import { issuesIn, secretIn, textOf } from '#test/settings/scene.ts'
import { type TestApp, type TestWorkspace, testApp, towardsLoopback } from '#test/support/app.ts'
import { type Browser, browser, personIn, signedInBrowser } from '#test/support/browser.ts'
import { findCalendarConnection } from '../push/connection-queries.ts'

const path = '/settings/calendar'

let app: TestApp
let server: EmulatedCalendar
let workspace: TestWorkspace
let user: Browser
let memberId: string

beforeAll(async () => {
  server = await startCalendarServer()
  app = await testApp({ egress: towardsLoopback })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
beforeEach(async () => {
  server.leadsTo = '/dav/'
  server.requests.length = 0
  workspace = await app.workspace('Lantern & Oak')
  const person = await personIn(workspace, 'agent')
  memberId = person.member.id
  user = await signedInBrowser(app, person)
})

const press = (what: string, fields: Record<string, string> = {}) =>
  user.submit(path, { do: what, ...fields })
const account = () => ({ address: server.address, username: server.username, password: server.password })
const moved = { status: 303 }
const shown = async () => textOf(await user.get(path))
const stored = () => findCalendarConnection(app.runtime.database.directory, workspace.id, memberId)

async function connect() {
  await press('connect', account())
  await press('choose', { calendar: server.calendarUrl })
}

test('an agent looks up calendars, chooses one, tests it, and disconnects it', async () => {
  expect(await shown()).toContain(
    'Your calendar in Lantern & Oak . Connected calendar No calendar is connected.',
  )
  expect(await press('connect', account())).toMatchObject({
    ...moved,
    location: `${path}?workspace=${workspace.id}`,
  })
  const choice = await shown()
  expect(choice).toContain('Which calendar do your appointments go to? Work & showings')
  expect(choice).not.toContain('To do')
  expect(await press('choose', { calendar: server.calendarUrl })).toMatchObject(moved)
  const visited = await user.get(path)
  expect(textOf(visited)).toContain(
    `Your appointments go to Work & showings of ada@reyes.example at ${server.host} .`,
  )
  expect(visited.body).not.toContain(server.password)
  const tested = await press('test')
  expect([tested.status, textOf(tested)]).toEqual([
    200,
    expect.stringContaining('Gable can connect to the calendar.'),
  ])
  expect(await press('disconnect')).toMatchObject(moved)
  expect(await shown()).toContain('No calendar is connected.')
  expect(await stored()).toBeUndefined()
})

test('another host gets the name and password only after the member confirms it', async () => {
  const other = server.host.replace('127.0.0.1', 'localhost')
  server.leadsTo = `http://${other}/dav/`
  await press('connect', account())
  expect(await shown()).toContain(`${server.host} leads to ${other} .`)
  expect(server.requests.filter((one) => one.includes('/dav/'))).toEqual([])
  expect((await press('confirm', { host: 'elsewhere.example' })).status).toBe(404)
  expect(await press('confirm', { host: other })).toMatchObject(moved)
  expect(await shown()).toContain('Which calendar do your appointments go to?')
  await press('disconnect')
  await press('connect', account())
  await press('disconnect')
  expect(await stored()).toBeUndefined()
})

test.each([
  [{ address: '', username: '', password: '' }, ['address', 'username', 'password']],
  [{ address: 'ftp://cloud.example' }, ['address']],
  [{ address: 'http://10.0.0.1/' }, ['address']],
  [{ password: 'x'.repeat(501) }, ['password']],
])('%o is rejected with an error at its fields', async (change, fields) => {
  const visited = await press('connect', { ...account(), ...change })
  expect(visited.status).toBe(400)
  expect(Object.keys(issuesIn(visited))).toEqual(fields)
  expect(await stored()).toBeUndefined()
})

test('a failed login shows an error, keeps the entered username, and shows no password', async () => {
  const visited = await press('connect', { ...account(), password: 'not-the-password' })
  expect(visited.status).toBe(400)
  expect(visited.body).toMatch(/role="alert"/)
  expect(visited.body).toContain('value="ada@reyes.example"')
  expect(visited.body).not.toContain('not-the-password')
  expect(await stored()).toBeUndefined()
  expect((await press('test')).status).toBe(404)
})

test('a calendar with a wrong password is suspended until it works again', async () => {
  await connect()
  const { password } = server
  server.setPassword('another')
  expect((await press('test')).status).toBe(400)
  expect(await shown()).toContain('It is not updated: the server rejects the name or the password.')
  server.setPassword(password)
  expect((await press('test')).status).toBe(200)
  expect(await shown()).toContain('Changes appear within moments.')
})

test('a calendar that was not found on the server cannot be chosen', async () => {
  await press('connect', account())
  expect((await press('choose', { calendar: `${server.address}/ada/secret/` })).status).toBe(404)
  expect(await stored()).toMatchObject({ status: 'choosing', calendar_url: null })
})

test('a feed address is shown once, and can be replaced and removed', async () => {
  expect(await shown()).toContain('There is no address.')
  const first = secretIn(await press('create-address'))
  expect((await fetch(first)).status).toBe(200)
  expect((await user.get(path)).body).not.toContain(first)
  const second = secretIn(await press('create-address'))
  expect([(await fetch(first)).status, (await fetch(second)).status]).toEqual([404, 200])
  await press('remove-address')
  expect((await fetch(second)).status).toBe(404)
  expect(await shown()).toContain('There is no address.')
})

test('a member of several workspaces chooses one, and cannot use one of others', async () => {
  const second = await app.workspace('Juniper')
  const another = await app.workspace()
  const email = `several-${workspace.id}@gable.example`
  const person = await personIn(workspace, 'agent', email)
  await personIn(second, 'agent', email)
  user = await signedInBrowser(app, person)
  const chooser = await user.get(path)
  expect(textOf(chooser)).toContain('Choose a workspace. Juniper Lantern & Oak')
  expect(chooser.body).toContain(`${path}?workspace=${second.id}`)
  expect(textOf(await user.get(`${path}?workspace=${second.id}`))).toContain('Your calendar in Juniper')
  for (const id of [another.id, 'x', '']) expect((await user.get(`${path}?workspace=${id}`)).status).toBe(404)
  const fields = { do: 'connect', workspace: another.id, ...account() }
  expect((await user.submit(`${path}?workspace=${second.id}`, fields)).status).toBe(404)
})

test('the page requires a recent sign-in, and its form requires a CSRF token', async () => {
  expect(await browser(app).get(path)).toMatchObject({
    status: 303,
    location: expect.stringContaining('/sign-in'),
  })
  expect((await user.post(path, { do: 'create-address', workspace: workspace.id })).status).toBe(403)
  expect((await press('dance')).status).toBe(404)
  app.clock.advance(10 * 60_000 + 1)
  expect(await user.get(path)).toMatchObject({
    status: 303,
    location: expect.stringContaining('/sign-in/confirm'),
  })
})
