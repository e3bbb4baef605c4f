import { afterAll, beforeAll, expect, test } from 'vitest'
import { allScopes, createApiKey, revokeApiKey } from '../../src/modules/access/public.ts'
import { addToTeam, createMember, createOffice, createTeam } from '../../src/modules/workspaces/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { anOwner } from './scene.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The audit events of a workspace, oldest first. */
const audited = ({ id }: Pick<TestWorkspace, 'id'>) =>
  asOwner(
    app.databaseUrl,
    "select name, subject_id, actor->>'type' as actor, data from events where workspace_id = $1 order by id",
    [id],
  )

test('creating a workspace, offices, teams, and members is audited once each', async () => {
  const workspace = await app.workspace()
  const { ctx } = workspace
  const office = await createOffice(ctx, { name: 'Lakeside' })
  const team = await createTeam(ctx, { name: 'Buyers', office_id: office.id })
  const member = await createMember(ctx, { name: 'Dee', email: 'dee@lantern.example', role: 'agent' })
  for (let time = 0; time < 2; time++) await addToTeam(ctx, team.id, member.id)
  expect((await audited(workspace)).map(({ name, subject_id, data }) => [name, subject_id, data])).toEqual([
    ['workspace.created', workspace.id, { id: workspace.id }],
    ['office.created', office.id, { id: office.id }],
    ['team.created', team.id, { id: team.id }],
    ['member.added', member.id, { id: member.id, role: 'agent' }],
    ['team.member_added', team.id, { id: team.id, member_id: member.id }],
  ])
  await expect(
    createMember(ctx, { name: 'Dee', email: 'dee@lantern.example', role: 'agent' }),
  ).rejects.toMatchObject({
    status: 409,
  })
  expect(await audited(workspace)).toHaveLength(5)
})

test('creating and revoking an API key is audited with its actor and no secret', async () => {
  const owner = await anOwner(app)
  const { workspace } = owner
  const before = (await audited(workspace)).length
  await owner.submit(`${owner.base}/keys/new`, {
    name: 'Website form',
    scopes: 'leads:write',
    expires_in_days: '90',
  })
  const made = (await audited(workspace)).slice(before)
  expect(made).toEqual([
    {
      name: 'api_key.created',
      subject_id: expect.any(String),
      actor: 'member',
      data: {
        id: made[0]?.['subject_id'],
        name: 'Website form',
        scopes: ['leads:write'],
        acts_for: null,
        created_by_self: false,
        expires_at: expect.any(String),
      },
    },
  ])
  const id = String(made[0]?.['subject_id'])
  await owner.submit(`${owner.base}/keys/${id}/revoke`, {})
  await owner.submit(`${owner.base}/keys/${id}/revoke`, {})
  expect((await audited(workspace)).slice(before + 1)).toEqual([
    { name: 'api_key.revoked', subject_id: id, actor: 'member', data: { id, name: 'Website form' } },
  ])
})

test('revoking another workspace’s key returns 404 and is not audited', async () => {
  const [here, elsewhere] = [await app.workspace(), await app.workspace()]
  const { row } = await createApiKey(here.ctx, { name: 'Ours', scopes: allScopes, expires_in_days: 1 })
  await expect(revokeApiKey(elsewhere.ctx, row.id)).rejects.toMatchObject({ status: 404 })
  expect((await audited(elsewhere)).map(({ name }) => name)).toEqual(['workspace.created'])
})
