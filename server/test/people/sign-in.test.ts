import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { browser, personIn, signedInBrowser } from '../support/browser.ts'

let app: TestApp
let workspace: TestWorkspace

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
})
afterAll(() => app[Symbol.asyncDispose]())

test('a person signs in with an address in any case and returns to the requested page', async () => {
  const person = await personIn(workspace)
  const user = browser(app)
  const { status, location } = await user.submit('/sign-in?return_to=/settings/x', {
    email: person.email.toUpperCase(),
    password: person.password,
  })
  expect([status, location]).toEqual([303, '/sign-in/done?return_to=%2Fsettings%2Fx'])
  expect(await user.get(location)).toMatchObject({ status: 303, location: '/settings/x' })
})

test('a wrong password and an unknown address get the same page', async () => {
  const { email } = await personIn(workspace)
  const [wrong, unknown] = await Promise.all(
    [email, 'unknown@gable.example'].map((one) =>
      browser(app).submit('/sign-in', { email: one, password: 'something else' }),
    ),
  )
  expect(wrong?.status).toBe(401)
  expect(wrong?.body.replace(email, '')).toBe(unknown?.body.replace('unknown@gable.example', ''))
})

test('signing out ends the session and invalidates its cookie', async () => {
  const user = await signedInBrowser(app, await personIn(workspace))
  const before = new Map(user.cookies)
  expect(before.has('__Host-gable_session')).toBe(true)
  const page = await user.get('/sign-in/confirm')
  expect(page.status).toBe(200)
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  expect(await user.post('/sign-out', { csrf })).toMatchObject({ status: 303, location: '/sign-in' })
  const cookie = [...before].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await browser(app).get('/sign-in/confirm', { cookie })).location).toMatch(/^\/sign-in\?/)
})
