import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { personIn } from '#test/support/browser.ts'
import { sessionClient } from '#test/support/session-client.ts'
import { roles } from './roles.ts'

let app: TestApp
let workspace: TestWorkspace

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
})
afterAll(() => app[Symbol.asyncDispose]())

/** A member with a phone number, in a team and an office. */
async function colleague() {
  const admin = await workspace.credential()
  const { id } = await workspace.member()
  const office = (await admin.post('/offices', { name: 'Lakeside' })).body
  const team = (await admin.post('/teams', { name: 'North Shore' })).body
  await admin.post(`/teams/${team['id']}/members`, { member_id: id })
  await admin.patch(`/members/${id}`, { phone: '+13125550177', office_id: office['id'] })
  return { id, office, team, admin }
}

test.each(roles)(
  'a signed-in %s sees who works here; how to reach them is for managers and themselves',
  async (role) => {
    const { id, office, team, admin } = await colleague()
    const person = await personIn(workspace, role)
    const client = await sessionClient(app, person, workspace.id)
    const { email } = (await admin.get(`/members/${id}`)).body
    expect(email).toMatch('@')
    const manages = role === 'owner' || role === 'admin'
    const shown = {
      id,
      team_ids: [team['id']],
      office_id: office['id'],
      email: manages ? email : null,
      phone: manages ? '+13125550177' : null,
    }
    expect((await client.get(`/members/${id}`)).body).toMatchObject(shown)
    const own = { id: person.member.id, team_ids: [], email: person.member.email }
    expect((await client.get(`/members/${person.member.id}`)).body).toMatchObject(own)
    const { body } = await client.get(`/members?ids=${id},${person.member.id}`)
    expect(body['data']).toHaveLength(2)
    expect(body['data']).toEqual(
      expect.arrayContaining([expect.objectContaining(shown), expect.objectContaining(own)]),
    )
    expect((await client.get(`/teams/${team['id']}`)).body).toMatchObject({ member_ids: [id] })
    expect((await client.get(`/offices/${office['id']}`)).body).toMatchObject({ name: 'Lakeside' })
    for (const path of ['/teams', '/offices', '/agents', '/members/count'])
      expect((await client.get(path)).status, path).toBe(200)
    if (!manages)
      expect((await client.patch(`/offices/${office['id']}`, { name: 'Mine' })).body['error'].code).toBe(
        'insufficient_scope',
      )
  },
)

test('a key without settings:manage sees no address; one that acts for a member sees theirs', async () => {
  const { id } = await colleague()
  const few = await workspace.credential('leads:read')
  expect((await few.get(`/members/${id}`)).body).toMatchObject({ email: null, phone: null })
  expect((await few.get('/members?fields=email,phone')).body['data'][0]).toMatchObject({
    email: null,
    phone: null,
  })
  const theirs = await workspace.keyFor(id)
  expect((await theirs.get(`/members/${id}`)).body).toMatchObject({ phone: '+13125550177' })
  const other = await workspace.member()
  expect((await theirs.get(`/members/${other.id}`)).body).toMatchObject({ email: null, phone: null })
})
