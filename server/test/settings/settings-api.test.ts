import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { personIn } from '../support/browser.ts'
import { type Client, createClient } from '../support/client.ts'
import { sessionClient } from '../support/session-client.ts'

let app: TestApp
let workspace: TestWorkspace
let owner: Client

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  owner = await sessionClient(app, await personIn(workspace), workspace.id)
})
afterAll(() => app[Symbol.asyncDispose]())

const as = async (role: 'admin' | 'agent') => {
  const person = await personIn(workspace, role)
  return { id: person.member.id, client: await sessionClient(app, person, workspace.id) }
}

test('a team lead sees the records of members while they are on the team', async () => {
  const [lead, mate] = [await as('agent'), await workspace.member()]
  const { id: team } = (await owner.post('/teams', { name: 'North Shore' })).body
  const { id: contact } = (await owner.post('/contacts', { owner_id: mate.id })).body
  const seen = async () => (await lead.client.get(`/contacts/${contact}`)).status
  for (const member_id of [lead.id, mate.id]) await owner.post(`/teams/${team}/members`, { member_id })
  expect(await seen()).toBe(404)
  await owner.patch(`/members/${lead.id}`, { team_lead: true })
  expect(await seen()).toBe(200)
  const { body } = await owner.delete(`/teams/${team}/members/${mate.id}`)
  expect([body['member_ids'], await seen()]).toEqual([[lead.id], 404])
  expect((await owner.delete(`/teams/${team}/members/${mate.id}`)).status).toBe(404)
})

test('an admin cannot change or create owners, and the last owner cannot be demoted', async () => {
  const admin = await as('admin')
  const [last, agent] = [
    (await owner.get('/members?role=owner')).body['data'][0].id,
    await workspace.member(),
  ]
  for (const [id, patch] of [
    [last, { active: false }],
    [agent.id, { role: 'owner' }],
  ] as const)
    expect((await admin.client.patch(`/members/${id}`, patch)).body['error'].code).toBe('forbidden')
  const invited = { name: 'Gil', email: 'gil@api.example', role: 'owner' }
  expect((await admin.client.post('/invitations', invited)).status).toBe(403)
  const { id } = (await owner.post('/invitations', invited)).body
  expect((await admin.client.delete(`/invitations/${id}`)).status).toBe(403)
  expect((await admin.client.patch(`/members/${agent.id}`, { role: 'isa' })).body['role']).toBe('isa')
  expect((await owner.patch(`/members/${last}`, { role: 'admin' })).status).toBe(409)
})

test('an invitation replaces the previous one and is not listed once revoked', async () => {
  const draft = { name: 'Dee', email: 'dee@api.example', role: 'agent' }
  const open = async () =>
    (await owner.get('/invitations')).body['data'].filter(
      ({ email }: typeof draft) => email.toLowerCase() === draft.email,
    )
  const first = (await owner.post('/invitations', draft)).body
  const second = (await owner.post('/invitations', { ...draft, email: 'DEE@api.example' })).body
  expect((await owner.get(`/invitations/${first['id']}`)).status).toBe(404)
  expect((await owner.get(`/invitations/${second['id']}`)).body).toEqual(second)
  expect(await open()).toEqual([second])
  await owner.delete(`/invitations/${second['id']}`)
  expect(await open()).toEqual([])
})

test('a key acts for its member and stops working when it is revoked', async () => {
  const agent = await workspace.member()
  const draft = { name: 'Phone sync', scopes: ['contacts:read', 'settings:manage'], member_id: agent.id }
  const { key, ...shown } = (await owner.post('/api-keys', draft)).body
  expect(shown).toMatchObject({ ...draft, prefix: key.slice(0, 12), revoked_at: null })
  const client = createClient(app.base, { key })
  await owner.post('/contacts')
  const { id } = (await owner.post('/contacts', { owner_id: agent.id })).body
  expect((await client.get('/contacts')).body['data'].map((one: { id: string }) => one.id)).toEqual([id])
  expect((await client.get('/audit-log')).body['error'].code).toBe('insufficient_scope')
  await owner.post(`/api-keys/${shown['id']}/revoke`)
  expect((await client.get('/contacts')).status).toBe(401)
})

test('only an owner can create a key that never expires', async () => {
  const draft = { name: 'For ever', scopes: ['leads:write'], expires_in_days: null }
  const { client: admin } = await as('admin')
  expect((await admin.post('/api-keys', draft)).body['error'].details).toMatchObject([
    { path: 'expires_in_days' },
  ])
  expect((await owner.post('/api-keys', draft)).body['expires_at']).toBe(null)
})

test('members added to a team concurrently are each on it once', async () => {
  const { id: team } = (await owner.post('/teams', { name: 'Night shift' })).body
  const ids = (await Promise.all(Array.from({ length: 5 }, () => workspace.member()))).map(({ id }) => id)
  const added = await Promise.all(
    [...ids, ...ids].map((member_id) => owner.post(`/teams/${team}/members`, { member_id })),
  )
  expect(added.map(({ status }) => status)).toEqual(added.map(() => 200))
  expect((await owner.get(`/teams/${team}`)).body['member_ids']).toEqual(ids.toSorted())
})

test('an admin cannot create a key that acts for an owner', async () => {
  const { client: admin } = await as('admin')
  const { id: member_id } = (await owner.get('/members?role=owner')).body['data'][0]
  const draft = { name: 'Sync', scopes: ['contacts:read'], member_id }
  expect((await admin.post('/api-keys', draft)).body['error'].code).toBe('forbidden')
  expect((await owner.post('/api-keys', draft)).status).toBe(201)
})
