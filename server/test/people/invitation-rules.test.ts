import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Ctx, createContext } from '#kernel/context.ts'
import { acceptAsNewPerson, invitationOf } from '../../src/modules/invitations/accept-invitation.ts'
import { sweepInvitations } from '../../src/modules/invitations/jobs.ts'
import { inviteMember, revokeInvitation } from '../../src/modules/invitations/public.ts'
import {
  type MemberRow,
  type Role,
  createMember,
  setMemberActive,
  setMemberRole,
} from '../../src/modules/workspaces/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { personIn } from '../support/browser.ts'
import { asOwner } from '../support/database.ts'

let app: TestApp
let workspace: TestWorkspace
let people = 0

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await app.workspace()
  // The workspace needs an owner who remains.
  await createMember(workspace.ctx, { name: 'The first', email: 'first@gable.example', role: 'owner' })
})

const newEmail = () => `person-${++people}@rules.example`

const addMember = (role: Role): Promise<MemberRow> =>
  createMember(workspace.ctx, { name: 'A member', email: newEmail(), role })

/** A context that acts as the member, with the role that they have at that moment. */
const as = ({ id, name }: MemberRow): Ctx =>
  createContext(app.runtime, {
    workspaceId: workspace.id,
    actor: { type: 'member', id, name },
    scopes: new Set(),
  })

async function invite(ctx: Ctx, role: Role, email = newEmail()): Promise<string> {
  const { link } = await inviteMember(ctx, { name: 'A guest', email, role })
  return link.split('token=')[1] ?? ''
}

/** Accepts the invitation of a link. Returns `in`, or the status of the rejection. */
async function follow(token: string): Promise<'in' | number> {
  const invitation = await invitationOf(app.runtime, token)
  if (invitation === undefined) return 404
  try {
    await acceptAsNewPerson(app.runtime, invitation, { name: 'Ada', password: 'a long enough one' })
    return 'in'
  } catch (error) {
    return (error as { status: number }).status
  }
}

test('removing a member revokes their open invitation', async () => {
  const member = await addMember('agent')
  const token = await invite(workspace.ctx, 'agent', member.email.toUpperCase())
  await setMemberActive(workspace.ctx, member.id, false)
  expect(await follow(token)).toBe(404)
  // A new invitation works.
  expect(await follow(await invite(workspace.ctx, 'agent', member.email))).toBe('in')
})

test.each<[Role, Role, Role | 'removed', 'in' | number]>([
  ['owner', 'owner', 'owner', 'in'],
  ['owner', 'owner', 'admin', 404],
  ['owner', 'admin', 'admin', 'in'],
  ['owner', 'agent', 'agent', 404],
  ['owner', 'agent', 'removed', 404],
  ['admin', 'admin', 'admin', 'in'],
  ['admin', 'agent', 'agent', 404],
  ['admin', 'agent', 'removed', 404],
])(
  'if an %s invites an %s and is %s when the link is opened, the result is %s',
  async (by, role, later, outcome) => {
    const inviter = await addMember(by)
    const token = await invite(as(inviter), role)
    if (later === 'removed') await setMemberActive(workspace.ctx, inviter.id, false)
    else await setMemberRole(workspace.ctx, inviter.id, later)
    expect(await follow(token)).toBe(outcome)
  },
)

test('an active member who can sign in cannot be invited', async () => {
  const { email, member } = await personIn(workspace, 'agent')
  await expect(invite(workspace.ctx, 'agent', email.toUpperCase())).rejects.toMatchObject({ status: 409 })
  await setMemberActive(workspace.ctx, member.id, false)
  await invite(workspace.ctx, 'agent', email)
})

test('a member can send 10 invitations a day to one address and 300 in total; an operator, more', async () => {
  const ctx = as(await addMember('admin'))
  const email = newEmail()
  for (let sent = 0; sent < 10; sent++) await invite(ctx, 'agent', email)
  await expect(invite(ctx, 'agent', email.toUpperCase())).rejects.toMatchObject({ status: 429 })
  await invite(ctx, 'agent')
  await invite(workspace.ctx, 'agent', email)
  app.clock.advance(24 * 3_600_000)
  await invite(ctx, 'agent', email)
  for (let sent = 1; sent < 300; sent++) await invite(ctx, 'agent')
  await expect(invite(ctx, 'agent')).rejects.toMatchObject({ status: 429 })
})

test.each<[Role, Role, Role]>([
  ['owner', 'admin', 'owner'],
  ['owner', 'agent', 'admin'],
  ['admin', 'agent', 'agent'],
])('an %s demoted to %s cannot change an %s', async (was, is, of) => {
  const asker = await addMember(was)
  const ctx = as(asker)
  const member = await addMember(of)
  await setMemberRole(workspace.ctx, asker.id, is)
  await expect(setMemberActive(ctx, member.id, false)).rejects.toMatchObject({ status: 403 })
  await expect(setMemberRole(ctx, member.id, 'agent')).rejects.toMatchObject({ status: 403 })
  await setMemberActive(workspace.ctx, asker.id, false)
  await expect(setMemberActive(ctx, member.id, false)).rejects.toMatchObject({ status: 403 })
})

test('if two owners remove each other concurrently, only one removal succeeds', async () => {
  const place = await app.workspace()
  const [one, other] = await Promise.all(
    ['one', 'other'].map((name) =>
      createMember(place.ctx, { name, email: `${name}@rules.example`, role: 'owner' }),
    ),
  )
  const asMember = ({ id, name }: MemberRow) =>
    createContext(app.runtime, {
      workspaceId: place.id,
      actor: { type: 'member', id, name },
      scopes: new Set(),
    })
  if (one === undefined || other === undefined) throw new Error('There are two.')
  const outcomes = await Promise.allSettled([
    setMemberActive(asMember(one), other.id, false),
    setMemberActive(asMember(other), one.id, false),
  ])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test.each(['Ada\nReyes', 'Ada\tReyes'])(
  'rejects the name %j, which has a control character',
  async (name) => {
    const draft = { name, email: newEmail(), role: 'agent' as const }
    await expect(createMember(workspace.ctx, draft)).rejects.toMatchObject({ status: 400 })
    await expect(inviteMember(workspace.ctx, draft)).rejects.toMatchObject({ status: 400 })
  },
)

test('an invitation is deleted 30 days after it is accepted, is revoked, or expires', async () => {
  const dayMs = 24 * 3_600_000
  const left = async () => {
    await sweepInvitations.handle(app.runtime)
    const kept = await asOwner(
      app.databaseUrl,
      'select name from invitations where workspace_id = $1 order by name',
      [workspace.id],
    )
    return kept.map(({ name }) => name)
  }
  const send = async (name: string) => {
    const draft = { name, email: newEmail(), role: 'agent' as const }
    const { invitation, link } = await inviteMember(workspace.ctx, draft)
    return { id: invitation.id, token: link.split('token=')[1] ?? '' }
  }
  await follow((await send('accepted')).token)
  await revokeInvitation(workspace.ctx, (await send('revoked')).id)
  await send('waiting')
  app.clock.advance(30 * dayMs - 1000)
  expect(await left()).toEqual(['accepted', 'revoked', 'waiting'])
  app.clock.advance(1000)
  expect(await left()).toEqual(['waiting'])
  app.clock.advance(7 * dayMs)
  expect(await left()).toEqual([])
})
