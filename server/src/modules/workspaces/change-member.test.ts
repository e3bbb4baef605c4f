import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { changeMember } from './change-member.ts'

let app: TestApp
let workspace: TestWorkspace

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
})

afterAll(() => app[Symbol.asyncDispose]())

const eventsAbout = (id: string) =>
  asOwner<{ name: string }>(
    app.databaseUrl,
    "select name from events where workspace_id = $1 and subject_id = $2 and name <> 'member.added' order by id",
    [workspace.id, id],
  )

test('each changed field publishes one event, and an unchanged field publishes none', async () => {
  const { id } = await workspace.member()
  const changed = await changeMember(workspace.ctx, id, { role: 'isa', team_lead: true, active: true })
  expect(changed).toMatchObject({ role: 'isa', team_lead: true, active: true })
  const names = (await eventsAbout(id)).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['member.role_changed', 'member.team_lead_assigned'])
  expect(await changeMember(workspace.ctx, id, { role: 'isa', team_lead: true })).toEqual(changed)
  expect(await eventsAbout(id)).toHaveLength(2)
})

test('GET /members?active=… lists only active or only inactive members', async () => {
  const there = await app.workspace()
  const client = await there.credential()
  const [present, gone] = [await there.member(), await there.member()]
  await changeMember(there.ctx, gone.id, { active: false })
  for (const [active, { id }] of [[true, present] as const, [false, gone] as const])
    expect((await client.get(`/members?active=${active}`)).body).toMatchObject({ data: [{ id }] })
})
