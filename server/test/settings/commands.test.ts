import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMember } from '../../src/modules/workspaces/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { aPassword, browser, personIn } from '../support/browser.ts'
import { gableWith } from '../support/gable.ts'

let app: TestApp
let workspace: TestWorkspace

beforeAll(async () => {
  app = await testApp({ now: new Date() })
  workspace = await app.workspace()
})
afterAll(() => app[Symbol.asyncDispose]())

/** Runs `gable member …` on the workspace as an operator does. Returns its output as JSON. */
async function member(...args: string[]): Promise<{ code: number; value: Record<string, unknown> }> {
  const gable = gableWith(() => ({ DATABASE_URL: app.databaseUrl, PUBLIC_URL: app.url }))
  const { code, out, err } = await gable(['member', ...args, '--workspace', workspace.id, '--json'])
  return { code, value: JSON.parse(code === 0 ? out : err) }
}

const invite = (email: string, role: string) =>
  member('invite', '--email', email, '--name', 'Dee Park', '--role', role)

test('invitations can be sent, accepted, listed, and revoked', async () => {
  const { value: dee } = await invite('dee-by-command@gable.example', 'admin')
  expect(dee).toMatchObject({ email: 'dee-by-command@gable.example', role: 'admin', accepted_at: null })
  const { value: eve } = await invite('eve-by-command@gable.example', 'agent')
  const open = async () => (await member('invitations')).value as unknown as { id: string; email: string }[]
  const listed = await open()
  expect(listed.map(({ email }) => email)).toEqual([
    'eve-by-command@gable.example',
    'dee-by-command@gable.example',
  ])
  expect(JSON.stringify(listed)).not.toContain('gbl_ln_')

  const taken = await member('uninvite', String(eve['id']))
  expect(taken.value).toMatchObject({ id: eve['id'], revoked_at: expect.any(String) })
  const path = (link: unknown) => String(link).slice(app.url.length)
  expect((await browser(app).open(path(eve['link']))).status).toBe(404)
  expect(await member('uninvite', String(eve['id']))).toMatchObject({
    code: 1,
    value: { error: { code: 'not_found' } },
  })

  const guest = browser(app)
  await guest.submit(path(dee['link']), { name: 'Dee Park', password: aPassword }, '/invitation')
  expect((await guest.get(`/settings/${workspace.id}/members`)).status).toBe(200)
  expect(await open()).toEqual([])
})

test('a member’s phone can be set, changed, and removed', async () => {
  const name = ['--email', 'fay-by-command@gable.example', '--name', 'Fay Park', '--role', 'agent']
  const { value: fay } = await member('create', ...name, '--phone', '+13125550177')
  expect(fay).toMatchObject({ phone: '+13125550177' })
  const id = String(fay['id'])
  expect((await member('phone', id, '+13125550178')).value).toMatchObject({ phone: '+13125550178' })
  expect(await member('phone', id, '312-555')).toMatchObject({
    code: 1,
    value: { error: { code: 'validation_failed' } },
  })
  expect((await member('phone', id, 'none')).value).toMatchObject({ phone: null })
})

test('a role can be changed, except the last owner’s', async () => {
  const { member: owner } = await personIn(workspace)
  expect(await member('role', owner.id, '--role', 'agent')).toMatchObject({
    code: 1,
    value: { error: { code: 'conflict' } },
  })
  const agent = await workspace.member()
  expect((await member('role', agent.id, '--role', 'owner')).value).toMatchObject({
    id: agent.id,
    role: 'owner',
  })
  expect((await findMember(workspace.ctx.db, agent.id))?.role).toBe('owner')
  expect((await member('role', agent.id, '--role', 'king')).code).toBe(2)
})
