import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMails } from '../../src/modules/mail/public.ts'
import { inviteMember, listInvitations } from '../../src/modules/signin/public.ts'
import {
  type Role,
  createMember,
  findMember,
  mayManage,
  roles,
  setMemberActive,
} from '../../src/modules/workspaces/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { aPassword, browser } from '../support/browser.ts'
import { type Somebody, anOwner, faultsIn, somebodyIn, textOf } from './scene.ts'

let app: TestApp
let owner: Somebody
let admin: Somebody

beforeAll(async () => {
  app = await testApp()
  owner = await anOwner(app)
  admin = await somebodyIn(app, owner.workspace, 'admin')
})
afterAll(() => app[Symbol.asyncDispose]())

let people = 0
const someone = (role: Role = 'agent') =>
  createMember(owner.workspace.ctx, { name: 'Someone', email: `someone-${++people}@gable.example`, role })
const now = (id: string) => findMember(owner.workspace.ctx.db, id)
const invitations = ({ workspace }: Somebody) =>
  listInvitations(app.house.database.directory, workspace.id, app.clock.now())

const invite = (somebody: Somebody, fields: Record<string, string>) =>
  somebody.submit(`${somebody.base}/members/invite`, { name: 'Dee Park', role: 'agent', ...fields })

/** Posts what a page of theirs would not offer. */
async function postBy(somebody: Somebody, path: string, fields: Record<string, string> = {}) {
  const { body } = await somebody.get(`${somebody.base}/members/invite`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
  return somebody.post(path, { csrf, ...fields })
}

describe('an invitation', () => {
  test('goes out by mail, shows as open without its link, and lets in whoever it is for', async () => {
    const fresh = await anOwner(app)
    expect(textOf(await fresh.get(`${fresh.base}/members`))).toContain('Nobody is invited at the moment.')
    const email = 'dee@lantern.example'
    expect(await invite(fresh, { email, role: 'admin' })).toMatchObject({
      status: 303,
      location: `${fresh.base}/members`,
    })
    const list = await fresh.get(`${fresh.base}/members`)
    expect(textOf(list)).toContain(`Dee Park ${email} admin 2026-03-09 15:00 UTC`)
    expect(textOf(list)).toContain('mails wait until whoever runs it looks')
    expect(list.body).not.toContain('gbl_ln_')
    const mail = (await readMails(app.house)).find((one) => one.mail?.to === email)
    const link = /\/invitation\?token=\S+/.exec(mail?.mail?.text ?? '')?.[0] ?? ''
    const guest = browser(app)
    expect((await guest.submit(link, { name: 'Dee Park', password: aPassword }, '/invitation')).status).toBe(
      303,
    )
    expect((await guest.get(`${fresh.base}/members`)).status).toBe(200)
    expect(textOf(await fresh.get(`${fresh.base}/members`))).toContain(`Dee Park ${email} admin yes active`)
    expect(await invitations(fresh)).toEqual([])
  })

  test('is sent again, with a new link in place of the old one, and taken back', async () => {
    const fresh = await anOwner(app)
    await invite(fresh, { email: 'eve@lantern.example' })
    const [first] = await invitations(fresh)
    const members = `${fresh.base}/members`
    await fresh.submit(members, {}, `${fresh.base}/invitations/${first?.id}/send`)
    const [second, ...others] = await invitations(fresh)
    expect([others, second?.id === first?.id, second?.email]).toEqual([[], false, first?.email])
    expect(
      await fresh.submit(members, {}, `${fresh.base}/invitations/${second?.id}/take-back`),
    ).toMatchObject({ status: 303, location: members })
    expect(await invitations(fresh)).toEqual([])
    expect((await postBy(fresh, `${fresh.base}/invitations/${second?.id}/send`)).status).toBe(404)
  })

  test('for a member who cannot sign in yet is offered, and leaves them the role that they have', async () => {
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
    ['what is no address', { email: 'nobody' }, 'email'],
    ['an address of 10,000 characters', { email: `${'x'.repeat(9_990)}@a.example` }, 'email'],
    ['a role that there is not', { role: 'king' }, 'role'],
    ['no role', { role: '' }, 'role'],
  ])('with %s is refused at its field, with what was entered', async (_, change, field) => {
    const before = await invitations(owner)
    const again = await invite(owner, { email: 'fay@lantern.example', role: 'owner', ...change })
    expect([again.status, Object.keys(faultsIn(again))]).toEqual([400, [field]])
    if (field !== 'email') expect(again.body).toContain('value="fay@lantern.example"')
    if (field !== 'role') expect(again.body).toContain('value="owner" checked')
    expect(await invitations(owner)).toEqual(before)
  })

  test('for what is no member begins empty', async () => {
    for (const id of ['%00', 'x', `c${'0'.repeat(24)}`]) {
      const page = await owner.get(`${owner.base}/members/invite?member=${id}`)
      expect([page.status, page.body.includes('name="email" type="email" value=""')]).toEqual([200, true])
    }
  })

  test('for somebody who can sign in already is refused', async () => {
    const again = await invite(owner, { email: admin.member.email })
    expect(faultsIn(again)).toEqual({ email: 'It is that of a member who can sign in already.' })
  })

  test('of an owner is for owners alone, to send, to send again and to take back', async () => {
    const before = await invitations(owner)
    expect(faultsIn(await invite(admin, { email: 'gil@lantern.example', role: 'owner' }))).toHaveProperty(
      'role',
    )
    const former = await someone('owner')
    await setMemberActive(owner.workspace.ctx, former.id, false)
    expect(faultsIn(await invite(admin, { email: former.email }))).toHaveProperty('email')
    expect(await invitations(owner)).toEqual(before)

    const asOwner = { name: 'Gil', email: 'gil@lantern.example', role: 'owner' as const }
    const { invitation } = await inviteMember(owner.workspace.ctx, asOwner, app.url)
    for (const what of ['send', 'take-back'])
      expect((await postBy(admin, `${admin.base}/invitations/${invitation.id}/${what}`)).status).toBe(403)
    expect(faultsIn(await invite(admin, { email: asOwner.email.toUpperCase() }))).toHaveProperty('email')
    expect((await invitations(owner))[0]).toEqual(invitation)
  })
})

test('members are listed with role and state, and whether they can sign in; oneself is marked', async () => {
  const text = textOf(await owner.get(`${owner.base}/members`))
  expect(text).toContain(`A person (you) ${owner.member.email} owner yes active`)
  const member = await someone()
  await setMemberActive(owner.workspace.ctx, member.id, false)
  expect(textOf(await owner.get(`${owner.base}/members`))).toContain(
    `Someone ${member.email} agent no deactivated`,
  )
})

test('roles are given and taken as far as one’s own goes: owners to all, admins to all but owners', async () => {
  for (const by of [owner, admin])
    for (const from of roles)
      for (const to of roles) {
        const member = await someone(from)
        const allowed = mayManage(by.member.role, from) && mayManage(by.member.role, to)
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

test('members are deactivated and activated as far as one’s role goes', async () => {
  for (const by of [owner, admin])
    for (const role of roles) {
      const member = await someone(role)
      const path = `${by.base}/members/${member.id}`
      const allowed = mayManage(by.member.role, role)
      const deactivated = await postBy(by, `${path}/deactivate`)
      expect([deactivated.status, (await now(member.id))?.active]).toEqual([allowed ? 303 : 403, !allowed])
      await setMemberActive(owner.workspace.ctx, member.id, false)
      expect((await postBy(by, `${path}/activate`)).status).toBe(allowed ? 303 : 403)
      expect((await now(member.id))?.active).toBe(allowed)
    }
})

test('the last owner stays one, and is told why on the page', async () => {
  const last = await anOwner(app)
  const path = `${last.base}/members/${last.member.id}`
  for (const [page, action, fields] of [
    [`${path}/deactivate`, `${path}/deactivate`, {}],
    [path, path, { role: 'agent', sure: 'yes' }],
  ] as const) {
    const refused = await last.submit(page, fields, action)
    expect([refused.status, textOf(refused)]).toEqual([
      409,
      expect.stringContaining('A workspace keeps at least one active owner.'),
    ])
  }
  expect((await last.get(path)).status).toBe(200)
})

test('nobody steps down or goes by a slip', async () => {
  const other = await somebodyIn(app, owner.workspace)
  const path = `${other.base}/members/${other.member.id}`
  const asked = await other.submit(path, { role: 'admin' })
  expect([asked.status, textOf(asked), (await now(other.member.id))?.role]).toEqual([
    200,
    expect.stringContaining('You are owner here and would be admin'),
    'owner',
  ])
  expect((await other.submit(path, { role: 'admin', sure: 'yes' })).location).toBe('/settings')
  expect((await now(other.member.id))?.role).toBe('admin')
  expect(textOf(await other.get(`${path}/deactivate`))).toContain('This is you.')
  expect((await now(other.member.id))?.active).toBe(true)
  expect((await other.submit(`${path}/deactivate`, {})).location).toBe('/settings')
  expect(textOf(await other.get('/settings'))).toContain('no workspace has you as a member now')
})
