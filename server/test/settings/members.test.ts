import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inviteMember, listInvitations } from '../../src/modules/invitations/public.ts'
import { readMails } from '../../src/modules/mail/public.ts'
import {
  type Role,
  createMember,
  findMember,
  roles,
  setMemberActive,
} from '../../src/modules/workspaces/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { aPassword, browser } from '../support/browser.ts'
import { type User, anOwner, issuesIn, userIn, textOf } from './scene.ts'

let app: TestApp
let owner: User
let admin: User

beforeAll(async () => {
  app = await testApp()
  owner = await anOwner(app)
  admin = await userIn(app, owner.workspace, 'admin')
})
afterAll(() => app[Symbol.asyncDispose]())

let people = 0
const someone = (role: Role = 'agent') =>
  createMember(owner.workspace.ctx, { name: 'Someone', email: `someone-${++people}@gable.example`, role })
const now = (id: string) => findMember(owner.workspace.ctx.db, id)
const invitations = ({ workspace }: User) =>
  listInvitations(app.runtime.database.directory, workspace.id, app.clock.now())

const invite = (user: User, fields: Record<string, string>) =>
  user.submit(`${user.base}/members/invite`, { name: 'Dee Park', role: 'agent', ...fields })

/** Posts a request that the member's pages would not offer. */
async function postBy(user: User, path: string, fields: Record<string, string> = {}) {
  const { body } = await user.get(`${user.base}/members/invite`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
  return user.post(path, { csrf, ...fields })
}

test('a member’s phone can be set and removed on their page', async () => {
  const { id } = await someone()
  const path = `${owner.base}/members/${id}`
  const save = (phone: string) => owner.submit(path, { role: 'agent', phone })
  expect(await save('+1 (312) 555-0177')).toMatchObject({ status: 303 })
  expect(await now(id)).toMatchObject({ phone: '+13125550177' })
  expect(textOf(await owner.get(path))).toContain('Phone +13125550177')
  expect((await save('312 555')).status).toBe(400)
  expect(textOf(await save('312 555'))).toContain('It must be a phone number in E.164')
  await save('')
  expect(await now(id)).toMatchObject({ phone: null })
})

describe('an invitation', () => {
  test('is sent by email, is listed as open without its link, and can be accepted', async () => {
    const newOwner = await anOwner(app)
    expect(textOf(await newOwner.get(`${newOwner.base}/members`))).toContain('No open invitations.')
    const email = 'dee@lantern.example'
    expect(await invite(newOwner, { email, role: 'admin' })).toMatchObject({
      status: 303,
      location: `${newOwner.base}/members`,
    })
    const list = await newOwner.get(`${newOwner.base}/members`)
    expect(textOf(list)).toContain(`Dee Park ${email} admin 2026-03-09 15:00 UTC`)
    expect(textOf(list)).toContain('No mail server is configured.')
    expect(list.body).not.toContain('gbl_ln_')
    const mail = (await readMails(app.runtime)).find((one) => one.mail?.to === email)
    const link = /\/invitation\?token=\S+/.exec(mail?.mail?.text ?? '')?.[0] ?? ''
    const guest = browser(app)
    expect((await guest.submit(link, { name: 'Dee Park', password: aPassword }, '/invitation')).status).toBe(
      303,
    )
    expect((await guest.get(`${newOwner.base}/members`)).status).toBe(200)
    expect(textOf(await newOwner.get(`${newOwner.base}/members`))).toContain(
      `Dee Park ${email} admin yes active`,
    )
    expect(await invitations(newOwner)).toEqual([])
  })

  test('can be resent, which replaces it, and revoked', async () => {
    const newOwner = await anOwner(app)
    await invite(newOwner, { email: 'eve@lantern.example' })
    const [first] = await invitations(newOwner)
    const members = `${newOwner.base}/members`
    await newOwner.submit(members, {}, `${newOwner.base}/invitations/${first?.id}/send`)
    const [second, ...others] = await invitations(newOwner)
    expect([others, second?.id === first?.id, second?.email]).toEqual([[], false, first?.email])
    expect(
      await newOwner.submit(members, {}, `${newOwner.base}/invitations/${second?.id}/revoke`),
    ).toMatchObject({ status: 303, location: members })
    expect(await invitations(newOwner)).toEqual([])
    expect((await postBy(newOwner, `${newOwner.base}/invitations/${second?.id}/send`)).status).toBe(404)
  })

  test('is offered for a member who cannot sign in yet, and keeps their role', async () => {
    const member = await someone('admin')
    const page = await owner.get(`${owner.base}/members/${member.id}`)
    const link = /href="([^"]*invite[^"]*)"/.exec(page.body)?.[1] ?? ''
    const form = await owner.get(link)
    expect(form.body).toContain(`value="${member.email}"`)
    await owner.submit(link, { name: member.name, email: member.email.toUpperCase(), role: 'agent' })
    expect((await invitations(owner)).find(({ name }) => name === 'Someone')?.role).toBe('admin')
  })

  test.each([
    ['no name', { name: '' }, 'name'],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, 'name'],
    ['no address', { email: '' }, 'email'],
    ['an invalid address', { email: 'no-address' }, 'email'],
    ['an address of 10,000 characters', { email: `${'x'.repeat(9_990)}@a.example` }, 'email'],
    ['a role that there is not', { role: 'king' }, 'role'],
    ['no role', { role: '' }, 'role'],
  ])('with %s is rejected at its field, and other fields keep their values', async (_, change, field) => {
    const before = await invitations(owner)
    const again = await invite(owner, { email: 'fay@lantern.example', role: 'owner', ...change })
    expect([again.status, Object.keys(issuesIn(again))]).toEqual([400, [field]])
    if (field !== 'email') expect(again.body).toContain('value="fay@lantern.example"')
    if (field !== 'role') expect(again.body).toContain('value="owner" checked')
    expect(await invitations(owner)).toEqual(before)
  })

  test('for an unknown member starts with an empty form', async () => {
    for (const id of ['%00', 'x', `c${'0'.repeat(24)}`]) {
      const page = await owner.get(`${owner.base}/members/invite?member=${id}`)
      expect([page.status, page.body.includes('name="email" type="email" value=""')]).toEqual([200, true])
    }
  })

  test('for a person who can already sign in is rejected', async () => {
    const again = await invite(owner, { email: admin.member.email })
    expect([again.status, textOf(again)]).toEqual([
      409,
      expect.stringContaining(`${admin.member.email} is already a member who can sign in.`),
    ])
  })

  test('for an owner can be sent, resent, and revoked only by owners', async () => {
    const before = await invitations(owner)
    expect(issuesIn(await invite(admin, { email: 'gil@lantern.example', role: 'owner' }))).toHaveProperty(
      'role',
    )
    const former = await someone('owner')
    await setMemberActive(owner.workspace.ctx, former.id, false)
    expect(issuesIn(await invite(admin, { email: former.email }))).toHaveProperty('email')
    expect(await invitations(owner)).toEqual(before)

    const asOwner = { name: 'Gil', email: 'gil@lantern.example', role: 'owner' as const }
    const { invitation } = await inviteMember(owner.workspace.ctx, asOwner)
    for (const what of ['send', 'revoke'])
      expect((await postBy(admin, `${admin.base}/invitations/${invitation.id}/${what}`)).status).toBe(403)
    expect(issuesIn(await invite(admin, { email: asOwner.email.toUpperCase() }))).toHaveProperty('email')
    expect((await invitations(owner))[0]).toEqual(invitation)
  })
})

test('members are listed with role, ability to sign in, and state; the viewer is marked', async () => {
  const text = textOf(await owner.get(`${owner.base}/members`))
  expect(text).toContain(`A person (you) ${owner.member.email} owner yes active`)
  const member = await someone()
  await setMemberActive(owner.workspace.ctx, member.id, false)
  expect(textOf(await owner.get(`${owner.base}/members`))).toContain(
    `Someone ${member.email} agent no deactivated`,
  )
})

/** The roles that owners and admins may give, change, and take away. */
const managed: Partial<Record<Role, readonly Role[]>> = {
  owner: ['owner', 'admin', 'isa', 'agent', 'compliance', 'developer'],
  admin: ['admin', 'isa', 'agent', 'compliance', 'developer'],
}
const mayManage = (by: User, role: Role) => managed[by.member.role]?.includes(role) === true

test('changing a role requires authority over both the old and the new role', async () => {
  for (const by of [owner, admin])
    for (const from of roles)
      for (const to of roles) {
        const member = await someone(from)
        const allowed = mayManage(by, from) && mayManage(by, to)
        const path = `${by.base}/members/${member.id}`
        const { status } = await postBy(by, path, { role: to })
        const what = `${by.member.role} makes ${from} ${to}`
        expect([what, status === 303, (await now(member.id))?.role]).toEqual([
          what,
          allowed,
          allowed ? to : from,
        ])
      }
})

test('deactivating and activating a member requires authority over their role', async () => {
  for (const by of [owner, admin])
    for (const role of roles) {
      const member = await someone(role)
      const path = `${by.base}/members/${member.id}`
      const allowed = mayManage(by, role)
      const deactivated = await postBy(by, `${path}/deactivate`)
      expect([deactivated.status, (await now(member.id))?.active]).toEqual([allowed ? 303 : 403, !allowed])
      await setMemberActive(owner.workspace.ctx, member.id, false)
      expect((await postBy(by, `${path}/activate`)).status).toBe(allowed ? 303 : 403)
      expect((await now(member.id))?.active).toBe(allowed)
    }
})

test('the last owner cannot step down, and the page says why', async () => {
  const last = await anOwner(app)
  const path = `${last.base}/members/${last.member.id}`
  for (const [page, action, fields] of [
    [`${path}/deactivate`, `${path}/deactivate`, {}],
    [path, path, { role: 'agent', sure: 'yes' }],
  ] as const) {
    const rejected = await last.submit(page, fields, action)
    expect([rejected.status, textOf(rejected)]).toEqual([
      409,
      expect.stringContaining('A workspace must keep at least one active owner.'),
    ])
  }
  expect((await last.get(path)).status).toBe(200)
})

test('stepping down and leaving require confirmation', async () => {
  const other = await userIn(app, owner.workspace)
  const path = `${other.base}/members/${other.member.id}`
  const asked = await other.submit(path, { role: 'admin' })
  expect([asked.status, textOf(asked), (await now(other.member.id))?.role]).toEqual([
    200,
    expect.stringContaining('Your role changes from owner to admin at once.'),
    'owner',
  ])
  expect((await other.submit(path, { role: 'admin', sure: 'yes' })).location).toBe('/settings')
  expect((await now(other.member.id))?.role).toBe('admin')
  expect(textOf(await other.get(`${path}/deactivate`))).toContain('This is you.')
  expect((await now(other.member.id))?.active).toBe(true)
  expect((await other.submit(`${path}/deactivate`, {})).location).toBe('/settings')
  expect(textOf(await other.get('/settings'))).toContain('is not a member of any workspace')
})

// The last test: it moves the clock.
test('an invitation sent over 10 minutes after sign-in is reported as not saved', async () => {
  const late = await anOwner(app)
  const path = `${late.base}/members/invite`
  const { body } = await late.get(path)
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
  app.clock.advance(10 * 60_000 + 1)
  const sent = await late.post(path, { csrf, name: 'Hal', email: 'hal@lantern.example', role: 'agent' })
  expect([sent.status, await invitations(late)]).toEqual([303, []])
  const confirm = await late.get(sent.location)
  expect(textOf(confirm)).toContain('Your change was not saved.')
  const wrong = await late.submit(sent.location, { password: 'not this one' }, '/sign-in/confirm')
  expect([wrong.status, textOf(wrong)]).toEqual([401, expect.stringContaining('Your change was not saved.')])
  const back = await late.submit(sent.location, { password: aPassword }, '/sign-in/confirm')
  expect([back.status, back.location]).toEqual([303, path])
  await late.submit(path, { name: 'Hal', email: 'hal@lantern.example', role: 'agent' })
  expect(await invitations(late)).toHaveLength(1)
})
