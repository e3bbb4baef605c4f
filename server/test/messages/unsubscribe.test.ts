import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Scene, openScene } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('unsubscribe')))
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const to = 'sam@reyes.example'

const send = (more: object = {}) => scene.send(to, 'Hello', { channel: 'email', subject: 'Hi', ...more })

/** Sends an email, and returns its unsubscribe link. */
async function link(): Promise<string> {
  await send()
  await scene.look()
  return scene.script.sent.at(-1)?.email?.marketing?.unsubscribeUrl ?? ''
}

const oneClick = 'List-Unsubscribe=One-Click'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const post = (url: string, body: string | FormData = oneClick, headers: Record<string, string> = form) =>
  fetch(url, { method: 'POST', body, redirect: 'manual', ...(typeof body === 'string' && { headers }) })

const optOuts = async () =>
  ((await scene.agent.get(`/suppressions?email=${to}`)).body['data'] as object[]).map((one) => one)

const blocked = { status: 422, body: { error: { code: 'compliance_blocked', reason: 'opted_out' } } }
const sendAgain = () => scene.agent.post('/messages', { channel: 'email', to, subject: 'Hi', body: 'Hello' })

test('opening the link shows a button and changes nothing', async () => {
  const url = await link()
  for (let i = 0; i < 3; i++) {
    const response = await fetch(url)
    expect(response.status).toBe(200)
    const page = await response.text()
    expect(page.match(/<button/g)).toHaveLength(1)
    expect(page).toContain(
      '<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">',
    )
    expect(page).not.toContain(to)
  }
  expect(await optOuts()).toEqual([])
  expect(await sendAgain()).toMatchObject({ status: 201 })
})

test('one click opts the address out of marketing email without a cookie or redirect', async () => {
  const url = await link()
  const response = await post(url)
  expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null])
  expect(await response.text()).toContain('You are unsubscribed')
  expect(await optOuts()).toMatchObject([{ kind: 'opted_out', channels: ['email'], source: 'inbound' }])
  expect(await sendAgain()).toMatchObject(blocked)
})

const parts = () => {
  const data = new FormData()
  data.set('List-Unsubscribe', 'One-Click')
  return data
}

test.for<[what: string, body: string | FormData, headers: Record<string, string>]>([
  [
    'from another site',
    oneClick,
    { ...form, origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' },
  ],
  ['without a type', oneClick, { 'content-type': 'text/plain' }],
  ['in parts', parts(), {}],
])('a mail client may send the one-click request %s', async ([, body, headers]) => {
  expect((await post(await link(), body, headers)).status).toBe(200)
  expect(await sendAgain()).toMatchObject(blocked)
})

test('a second click shows the same page and adds no opt-out or event', async () => {
  const url = await link()
  const [first, second] = [await post(url), await post(url)]
  expect(second.status).toBe(200)
  expect(await second.text()).toBe(await first.text())
  expect(await optOuts()).toHaveLength(1)
  const id = scene.script.sent.at(-1)?.email?.messageId.slice(1, 26) ?? ''
  expect(await scene.eventsOf(id)).toEqual(['message.sent', 'message.classified'])
})

test('unsubscribing cancels waiting marketing email and publishes message.cancelled', async () => {
  const url = await link()
  const waiting = await send()
  await post(url)
  expect(await scene.read(waiting)).toMatchObject({ status: 'cancelled' })
  expect(await scene.eventsOf(waiting)).toEqual(['message.cancelled'])
  expect(await scene.look()).toEqual([])
})

test('the link still works after the person was erased', async () => {
  const url = await link()
  const { agent } = scene
  const { body } = await agent.get('/contacts?limit=1')
  await agent.delete(`/contacts/${(body['data'] as { id: string }[])[0]?.id}`)
  expect((await post(url)).status).toBe(200)
  expect(await sendAgain()).toMatchObject(blocked)
})

test.for<[what: string, changed: (url: string) => string, status: number]>([
  ['forged', (url) => `${url.slice(0, -4)}AAAA`, 404],
  ['cut short', (url) => url.slice(0, -4), 404],
  ['made up', (url) => url.replace(/[^/]+$/, 'x'), 404],
])('a token that is %s returns 404 and changes nothing', async ([, changed, status]) => {
  const url = changed(await link())
  for (const response of [await fetch(url), await post(url)]) {
    expect(response.status).toBe(status)
    expect(await response.text()).toContain('This link does not work.')
  }
  expect(await optOuts()).toEqual([])
})

test('a POST without the one-click value returns 400 and changes nothing', async () => {
  const url = await link()
  for (const body of ['', 'a=b', 'List-Unsubscribe=', 'XList-Unsubscribe=One-Click'])
    expect((await post(url, body)).status).toBe(400)
  expect(await optOuts()).toEqual([])
})
