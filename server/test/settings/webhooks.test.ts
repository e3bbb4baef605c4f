import { afterAll, beforeAll, expect, test } from 'vitest'
import { later } from '#kernel/clock.ts'
import { findDelivery, listDeliveries } from '../../src/modules/deliveries/public.ts'
import { setAppEnabled } from '../../src/modules/oauth/public.ts'
import { findWebhook, listWebhooks, openSecret } from '../../src/modules/webhooks/public.ts'
import { bearer, connect, inWorkspace, registerApp } from '../oauth/scene.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type User, anOwner, issuesIn, secretIn, textOf } from './scene.ts'

let app: TestApp
let owner: User

beforeAll(async () => {
  app = await testApp()
  owner = await anOwner(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const url = 'https://hooks.example.com/gable'
const whole = {
  url,
  description: 'CRM mirror',
  events: 'some',
  event_types: ['contact.created', 'lead.created'],
}
const webhooksOf = ({ workspace }: User) => listWebhooks(workspace.ctx.db, workspace.ctx.actor)

async function created(user = owner) {
  const made = await user.submit(`${user.base}/webhooks/new`, whole)
  const [row] = await webhooksOf(user)
  if (made.status !== 200 || row === undefined) throw new Error(made.body)
  const path = `${user.base}/webhooks/${row.id}`
  const deliveries = () => listDeliveries(user.workspace.ctx.db, row.id, {}, '', { before: null, limit: 100 })
  const press = async (page: string, action: string) => {
    const { status, location } = await user.submit(page, {}, action)
    expect([status, location]).toEqual([303, page])
  }
  return {
    made,
    row,
    path,
    deliveries,
    press,
    now: () => findWebhook(user.workspace.ctx.db, user.workspace.ctx.actor, row.id),
  }
}

/** Records the outcome of a delivery, as a worker that sends would. */
const settle = (id: string, status: string, attempts: object[]) =>
  asOwner(
    app.databaseUrl,
    'update webhook_deliveries set status = $2, attempt = 1, attempts = $3 where id = $1',
    [id, status, JSON.stringify(attempts)],
  )

test('the page says if there are no webhooks', async () => {
  const newcomer = await anOwner(app)
  expect(textOf(await newcomer.get(`${newcomer.base}/webhooks`))).toContain('No webhooks yet.')
})

test('a webhook is created as entered, with its secret shown once and stored sealed', async () => {
  const { made, row, path } = await created()
  expect(row).toMatchObject({ url, description: 'CRM mirror', event_types: whole.event_types })
  const secret = secretIn(made)
  expect(secret).toMatch(/^whsec_/)
  const [{ sealed } = {}] = await asOwner(
    app.databaseUrl,
    'select secret as sealed from webhooks where id = $1',
    [row.id],
  )
  expect(openSecret(app.runtime.keys, owner.workspace.id, row.id, sealed)).toBe(secret)
  const [list, page] = [await owner.get(`${owner.base}/webhooks`), await owner.get(path)]
  expect(textOf(list)).toContain(`${url} CRM mirror contact.created, lead.created active`)
  expect(list.body + page.body).not.toContain(secret)
})

test('choosing all events overrides any selected events', async () => {
  await owner.submit(`${owner.base}/webhooks/new`, { ...whole, events: 'all' })
  expect((await webhooksOf(owner))[0]?.event_types).toEqual([])
})

test('every published event type can be selected, and no internal one', async () => {
  const { body } = await owner.get(`${owner.base}/webhooks/new`)
  const offered = [...body.matchAll(/name="event_types" value="([^"]+)"/g)].map(([, name]) => name)
  const published = [...app.runtime.eventTypes.values()].filter(({ scope }) => scope !== null)
  expect(offered.toSorted()).toEqual(published.map(({ name }) => name).toSorted())
})

test.each([
  ['no address', { url: '' }, { url: 'It must not be empty.' }],
  ['an address without https', { url: 'http://a.example/' }, { url: expect.any(String) }],
  ['an address of this machine', { url: 'https://127.0.0.1/' }, { url: expect.any(String) }],
  ['10,000 characters', { url: `https://a.example/${'x'.repeat(10_000)}` }, { url: expect.any(String) }],
  ['a long description', { description: 'x'.repeat(201) }, { description: expect.stringContaining('200') }],
  ['no event', { event_types: [] }, { events: 'It must name at least one event, or all events.' }],
  [
    'an event that there is not',
    { event_types: ['contact.created', 'contact.exploded'] },
    { events: expect.stringContaining('"contact.exploded" is not an event') },
  ],
])('a form with %s is shown again with the error at its field', async (_, change, faults) => {
  const { path } = await created()
  const before = await webhooksOf(owner)
  for (const form of [`${owner.base}/webhooks/new`, `${path}/edit`]) {
    const again = await owner.submit(form, { ...whole, ...change })
    expect([again.status, issuesIn(again)]).toEqual([400, faults])
    if (!('description' in change)) expect(again.body).toContain('value="CRM mirror"')
  }
  expect(await webhooksOf(owner)).toEqual(before)
})

test('a webhook’s URL, description, and events can be edited', async () => {
  const { path, row, now } = await created()
  const form = await owner.get(`${path}/edit`)
  expect(form.body).toContain(`value="${url}"`)
  expect(form.body).toContain('value="CRM mirror"')
  expect(form.body).toMatch(/value="contact.created" checked/)
  const moved = {
    url: 'https://new.example.com/gable',
    description: '',
    events: 'some',
    event_types: ['lead.created'],
  }
  expect((await owner.submit(`${path}/edit`, moved)).location).toBe(path)
  const after = { url: moved.url, description: null, event_types: ['lead.created'] }
  expect(await now()).toMatchObject({ ...row, ...after, updated_at: expect.any(String) })
  await owner.submit(`${path}/edit`, { ...moved, events: 'all', description: 'Reports' })
  expect(await now()).toMatchObject({ description: 'Reports', event_types: [] })
})

test('an app’s webhook offers and accepts only events that its scopes cover', async () => {
  const mirror = await registerApp(app)
  const { access_token: token } = await connect(app, owner.workspace, mirror, {
    scopes: ['webhooks:manage', 'leads:read'],
  })
  const { body } = await bearer(app, token).post('/webhooks', { url })
  const path = `${owner.base}/webhooks/${body['id']}/edit`
  const form = await owner.get(path)
  expect(form.body).toContain('value="lead.created"')
  expect(form.body).not.toContain('value="contact.created"')
  const wrong = await owner.submit(path, { ...whole, event_types: ['contact.created'] })
  expect([wrong.status, textOf(wrong)]).toEqual([403, expect.stringContaining('This webhook')])
})

test('a webhook over the limit of 100 is rejected with a message', async () => {
  const full = await anOwner(app)
  for (let made = 0; made < 100; made++) await created(full)
  const again = await full.submit(`${full.base}/webhooks/new`, whole)
  expect([again.status, textOf(again)]).toEqual([
    409,
    expect.stringContaining('A workspace has at most 100 webhooks.'),
  ])
  expect(again.body).toContain('value="CRM mirror"')
})

test('a webhook can be paused, resumed, given a new secret, and removed', async () => {
  const { path, press, now, made } = await created()
  await press(path, `${path}/pause`)
  expect([(await now())?.paused, textOf(await owner.get(path))]).toEqual([
    true,
    expect.stringContaining('Status paused'),
  ])
  await press(path, `${path}/resume`)
  expect((await now())?.paused).toBe(false)

  const rotated = await owner.submit(`${path}/secret`, {})
  expect(secretIn(rotated)).toMatch(/^whsec_/)
  expect(secretIn(rotated)).not.toBe(secretIn(made))
  const page = await owner.get(path)
  expect(page.body).not.toContain(secretIn(rotated))
  expect(textOf(page)).toContain('Previous secret also signs until 2026-03-03 15:00 UTC')

  expect(textOf(await owner.get(`${path}/remove`))).toContain(url)
  expect((await owner.submit(`${path}/remove`, {})).location).toBe(`${owner.base}/webhooks`)
  expect([await now(), (await owner.get(path)).status]).toEqual([undefined, 404])
})

test('a disabled webhook says so, and can be enabled again', async () => {
  const { path, row, press, now } = await created()
  await asOwner(app.databaseUrl, 'update webhooks set disabled_at = $2, failing_since = $3 where id = $1', [
    row.id,
    '2026-03-02T12:00:00Z',
    '2026-02-25T12:00:00Z',
  ])
  expect(textOf(await owner.get(path))).toContain(
    'every attempt from 2026-02-25 12:00 UTC to 2026-03-02 12:00 UTC failed',
  )
  await press(path, `${path}/resume`)
  expect(await now()).toMatchObject({ disabled_at: null, failing_since: null })
})

test('an app’s webhook names the app and shows that it is paused with the app', async () => {
  const mirror = await registerApp(app)
  const { access_token: token } = await connect(app, owner.workspace, mirror, { scopes: ['webhooks:manage'] })
  const { body } = await bearer(app, token).post('/webhooks', { url })
  await setAppEnabled(inWorkspace(app, mirror.app.workspace_id), mirror.app.id, false)
  await asOwner(app.databaseUrl, 'update webhooks set paused = true, paused_with_app = true where id = $1', [
    body['id'],
  ])
  const page = await owner.get(`${owner.base}/webhooks/${body['id']}`)
  expect(textOf(page)).toContain('Created by the app Lead Mirror')
  expect(textOf(page)).toContain('It is paused because its app is disabled.')
  expect(page.body).not.toContain('/resume')
})

test('a test event is sent, logged with its result, and can be resent', async () => {
  const { path, row, press, deliveries } = await created()
  expect(textOf(await owner.get(path))).toContain('No deliveries yet.')
  await press(path, `${path}/test`)
  const [delivery] = await deliveries()
  const id = delivery?.id ?? ''
  const page = `${path}/deliveries/${id}`
  expect(textOf(await owner.get(path))).toContain('webhook.test pending 0 2026-03-02 15:00 UTC')
  expect(textOf(await owner.get(page))).toContain('No attempts yet.')
  expect((await owner.get(page)).body).not.toContain('/redeliver')
  const csrf = /name="csrf" value="([^"]+)"/.exec((await owner.get(page)).body)?.[1] ?? ''
  await asOwner(
    app.databaseUrl,
    'update webhook_deliveries set attempt = 1, claimed_by = $2, claimed_until = $3 where id = $1',
    [id, 'a worker', later(app.clock.now(), 75_000)],
  )
  const early = await owner.post(`${page}/redeliver`, { csrf })
  expect([early.status, textOf(early)]).toEqual([409, expect.stringContaining('in progress')])

  const excerpt = `<b>Back in a minute.</b>${'x'.repeat(400)}`
  const started_at = '2026-03-02T15:00:00.000Z'
  await settle(id, 'failed', [
    { started_at, duration_ms: 108, status: 503, failure: 'status 503', answer: excerpt },
  ])
  const failed = await owner.get(page)
  expect(textOf(failed)).toContain('2026-03-02 15:00 UTC 108 ms 503 status 503 <b>Back in a minute.</b>xxx')
  expect(textOf(failed)).toContain('x…')
  expect(failed.body).not.toContain('<b>Back')
  expect(textOf(failed)).toContain(`"event": "webhook.test"`)
  await press(page, `${page}/redeliver`)
  expect(await findDelivery(owner.workspace.ctx.db, row.id, id)).toMatchObject({
    status: 'pending',
    attempt: 0,
  })
})

test('the delivery log is paginated and filtered by status', async () => {
  const { path, press, deliveries } = await created()
  for (let sent = 0; sent < 27; sent++) {
    app.clock.advance(1)
    await press(path, `${path}/test`)
  }
  const all = (await deliveries()).map(({ id }) => id)
  await settle(all[3] ?? '', 'failed', [])
  await settle(all[26] ?? '', 'delivered', [])
  const idsIn = ({ body }: { body: string }) =>
    [...body.matchAll(/\/deliveries\/(c\w{24})"/g)].map(([, id]) => id)
  const first = await owner.get(path)
  expect(idsIn(first)).toEqual(all.slice(0, 25))
  const older =
    /href="([^"]*)#deliveries">Older deliveries/.exec(first.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await owner.get(older)
  expect([idsIn(second), second.body.includes('Older deliveries')]).toEqual([all.slice(25), false])
  expect(idsIn(await owner.get(`${path}?status=failed`))).toEqual([all[3]])
  expect(idsIn(await owner.get(`${path}?status=delivered`))).toEqual([all[26]])
  for (const query of ['?status=nothing', '?before=nothing', '?status=%00&before=c%00'])
    expect(idsIn(await owner.get(path + query))).toEqual(all.slice(0, 25))
})
