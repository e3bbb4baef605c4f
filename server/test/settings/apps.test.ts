import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAppOf, listApps, listAppAudit } from '../../src/modules/oauth/public.ts'
import { bearer, connect, post } from '../oauth/scene.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type User, anOwner, issuesIn, secretIn, textOf } from './scene.ts'

let app: TestApp
let owner: User

beforeAll(async () => {
  app = await testApp()
  owner = await anOwner(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const appsOf = ({ workspace }: User) => listApps(app.runtime.database.directory, workspace.id)
const redirectUri = 'https://mirror.example/callback?of=gable'
const whole = {
  name: 'Lead Mirror',
  redirect_uris: `${redirectUri}\r\n\r\n  http://127.0.0.1/done \r\n`,
  scopes: ['contacts:read', 'leads:write'],
  kind: 'confidential',
}

/** Registers an app on the settings page. */
async function registered(change: Record<string, string> = {}) {
  const made = await owner.submit(`${owner.base}/apps/new`, { ...whole, ...change })
  const [row] = await appsOf(owner)
  if (made.status !== 200 || row === undefined) throw new Error(made.body)
  const secret = secretIn(made)
  const credentials = { client_id: row.id, client_secret: secret }
  const path = `${owner.base}/apps/${row.id}`
  return { made, row, path, secret, credentials, mirror: { app: row, secret, credentials } }
}

const tokenBy = async (credentials: { client_id: string }, client_secret: string) =>
  (await post(app, 'token', { grant_type: 'client_credentials', ...credentials, client_secret })).status

test('the page says if there are no apps', async () => {
  const newcomer = await anOwner(app)
  expect(textOf(await newcomer.get(`${newcomer.base}/apps`))).toContain('No apps yet.')
})

test('an app is registered with one redirect URI per line, and its secret is shown once', async () => {
  const { made, row, path, secret } = await registered()
  expect(row).toMatchObject({
    name: 'Lead Mirror',
    redirect_uris: [redirectUri, 'http://127.0.0.1/done'],
    scopes: ['contacts:read', 'leads:write'],
    confidential: true,
  })
  expect(secret).toMatch(/^gbl_cs_/)
  expect([textOf(made), made.headers.get('cache-control')]).toEqual([
    expect.stringContaining(`Client ID ${row.id}`),
    'no-store',
  ])
  const [list, page] = [await owner.get(`${owner.base}/apps`), await owner.get(path)]
  expect(textOf(list)).toContain(`Lead Mirror ${row.id} contacts:read, leads:write`)
  expect(textOf(page)).toContain('Create leads and assign them')
  expect(list.body + page.body).not.toContain(secret)
  expect(page.body).toContain(`${secret.slice(0, 12)}…`)
})

test('a public app has no secret and cannot rotate one', async () => {
  const { secret, path } = await registered({ name: 'Desktop', kind: 'public' })
  expect(secret).toBe('')
  expect((await owner.get(path)).body).not.toContain('/secret')
  expect(await owner.get(`${path}/secret`)).toMatchObject({ status: 303, location: path })
})

const faulty: [string, Record<string, string | string[]>, Record<string, unknown>][] = [
  ['no name', { name: '' }, { name: 'It must not be empty.' }],
  [
    'a name of 10,000 characters',
    { name: 'x'.repeat(10_000) },
    { name: 'It must have at most 120 characters.' },
  ],
  ['no address', { redirect_uris: '' }, { redirect_uris: 'It must not be empty.' }],
  [
    'an address without https',
    { redirect_uris: 'https://a.example/\nhttp://a.example/' },
    { redirect_uris: expect.stringContaining('https://') },
  ],
  ['no scope', { scopes: [] }, { scopes: 'It must not be empty.' }],
  ['an unknown scope', { scopes: ['everything'] }, { scopes: expect.stringContaining('must be one of') }],
  [
    'two faults',
    { name: 'Two\nlines', scopes: [] },
    { name: 'It must be one line that is not blank.', scopes: 'It must not be empty.' },
  ],
]

test.each(faulty)('a form with %s is shown again with each error at its field', async (_, change, faults) => {
  const { path, row } = await registered()
  for (const form of [`${owner.base}/apps/new`, `${path}/edit`]) {
    const again = await owner.submit(form, { ...whole, name: 'Kept', ...change })
    expect([again.status, issuesIn(again)]).toEqual([400, faults])
    if (!('name' in change)) expect(again.body).toContain('value="Kept"')
  }
  expect((await appsOf(owner))[0]).toEqual(row)
})

test('editing an app’s scopes limits its existing tokens', async () => {
  const { row, path, mirror } = await registered()
  const { access_token: token } = await connect(app, owner.workspace, mirror, { scopes: ['leads:write'] })
  const form = await owner.get(`${path}/edit`)
  for (const part of [
    'value="Lead Mirror"',
    'value="leads:write" checked',
    'http://127.0.0.1/done\n',
    'of=gable',
  ])
    expect(form.body.replaceAll('</textarea>', '\n')).toContain(part)
  expect(form.body).not.toContain('value="leads:read" checked')
  const change = { ...whole, name: 'Mirror', scopes: ['leads:read'] }
  expect(await owner.submit(`${path}/edit`, change)).toMatchObject({ status: 303, location: path })
  expect(await findAppOf(app.runtime.database.directory, owner.workspace.id, row.id)).toMatchObject({
    name: 'Mirror',
    scopes: ['leads:read'],
  })
  expect((await bearer(app, token).get('/ping')).body['scopes']).toEqual(['leads:read'])
  expect((await listAppAudit(owner.workspace.ctx))[0]).toMatchObject({
    type: 'app.updated',
    actor: { type: 'member', id: owner.member.id },
    data: { changed: ['name', 'scopes'] },
  })
})

test('a rotated secret is shown once, and the old one works for another day', async () => {
  const { path, secret, credentials, mirror } = await registered()
  await connect(app, owner.workspace, mirror)
  const rotated = await owner.submit(`${path}/secret`, {})
  const renewed = secretIn(rotated)
  expect([
    rotated.status,
    renewed === secret,
    await tokenBy(credentials, renewed),
    await tokenBy(credentials, secret),
  ]).toEqual([200, false, 200, 200])
  const page = await owner.get(path)
  expect(page.body).not.toContain(renewed)
  expect(textOf(page)).toContain('the previous one works until 2026-03-03 15:00 UTC')
})

test('an app can be disabled and enabled', async () => {
  const { path, mirror } = await registered()
  const { access_token: token } = await connect(app, owner.workspace, mirror)
  const status = async () => (await bearer(app, token).get('/ping')).status
  const press = async (what: string) => {
    expect(await owner.submit(path, {}, `${path}/${what}`)).toMatchObject({ status: 303, location: path })
    return [await status(), /class="badge[^"]*">(\w+)</.exec((await owner.get(path)).body)?.[1]]
  }
  expect(await press('disable')).toEqual([401, 'disabled'])
  expect(await press('enable')).toEqual([200, 'enabled'])
})

test('deleting an app lists the approvals it ends and revokes its tokens', async () => {
  const { row, path, mirror } = await registered()
  const { access_token: token } = await connect(app, owner.workspace, mirror)
  await connect(app, await app.workspace(), mirror)
  expect(textOf(await owner.get(`${path}/delete`))).toContain('the approvals of 2 workspaces')
  expect(await owner.submit(`${path}/delete`, {})).toMatchObject({
    status: 303,
    location: `${owner.base}/apps`,
  })
  expect([(await owner.get(path)).status, (await bearer(app, token).get('/ping')).status]).toEqual([404, 401])
  expect((await appsOf(owner)).map(({ id }) => id)).not.toContain(row.id)
})
