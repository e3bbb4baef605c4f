import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createContext } from '#kernel/context.ts'
import { inviteMember, revokeInvitation } from '../../src/modules/invitations/public.ts'
import { findPersonByEmail, sendReset } from '../../src/modules/people/public.ts'
import {
  type Role,
  createMember,
  findMember,
  listMembers,
  setMemberActive,
} from '../../src/modules/workspaces/public.ts'
import type { Person } from '../support/browser.ts'
import { asOwner } from '../support/database.ts'
import { type Scene, act, csrfOf, isKnown, isSignedIn, scene, signIn } from './scene.ts'

let it: Scene
beforeAll(async () => {
  it = await scene()
})
afterAll(() => it[Symbol.asyncDispose]())

const password = 'what a newcomer chooses'
const dayMs = 24 * 3_600_000
let newcomers = 0

/** An invitation to the workspace of the scene. */
async function invite(email = `newcomer-${++newcomers}@gable.example`, role: Role = 'agent') {
  const { invitation, link } = await inviteMember(it.workspace.ctx, { name: 'New Comer', email, role })
  return {
    id: invitation.id,
    email,
    path: link.slice(it.here.url.length),
    token: link.split('token=')[1] ?? '',
  }
}

const membersNamed = async (email: string) =>
  (await listMembers(it.workspace.ctx.db)).filter((member) => member.email === email)

describe('an invitation', () => {
  test('lets a new person choose a password, adds them to the workspace in its role, and signs them in', async () => {
    const { email, path } = await invite(undefined, 'admin')
    const user = it.user()
    expect((await user.submit(path, { password: 'short' })).status).toBe(400)
    const { location } = await user.submit(path, { name: 'Ada', password })
    expect(location).toBe(`/sign-in/done?return_to=%2Fsettings%2F${it.workspace.id}`)
    expect(await isKnown(user)).toBe(true)
    expect(await membersNamed(email)).toMatchObject([{ name: 'Ada', role: 'admin', active: true }])
    expect((await signIn(it.user(), { email, password })).status).toBe(303)
  })

  test('is accepted by only one of sixteen concurrent requests', async () => {
    const { email, token } = await invite()
    const responses = await Promise.all(
      Array.from({ length: 16 }, () => it.user().post('/invitation', { token, name: 'Ada', password })),
    )
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(responses.filter(({ status }) => status >= 500)).toEqual([])
    expect(await membersNamed(email)).toHaveLength(1)
    expect((await it.user().open(`/invitation?token=${token}`)).status).toBe(404)
  })

  test('is accepted by only one of sixteen concurrent requests of a person who can already sign in', async () => {
    const person = await it.person()
    const elsewhere = await it.app.workspace('Elsewhere')
    const { link } = await inviteMember(elsewhere.ctx, { name: 'Ada', email: person.email, role: 'agent' })
    const user = await it.requireSession(person)
    const fields = { csrf: await csrfOf(user), token: link.split('token=')[1] ?? '' }
    const responses = await Promise.all(Array.from({ length: 16 }, () => user.post('/invitation', fields)))
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(15)
    expect(await listMembers(elsewhere.ctx.db)).toHaveLength(1)
  })

  test('expires after seven days', async () => {
    for (const [ms, status] of [
      [7 * dayMs - 1000, 200],
      [7 * dayMs, 404],
      [7 * dayMs + 1000, 404],
    ] as const) {
      const { path, token } = await invite()
      it.app.clock.advance(ms)
      expect([ms, (await it.user().open(path)).status]).toEqual([ms, status])
      const accepted = await it.user().post('/invitation', { token, name: 'Ada', password })
      expect(accepted.status).toBe(status === 200 ? 303 : 404)
    }
  })

  test('stops working once it is revoked or replaced', async () => {
    const revoked = await invite()
    await revokeInvitation(it.workspace.ctx, revoked.id)
    const replaced = await invite()
    const present = await invite(replaced.email.toUpperCase())
    for (const { token } of [revoked, replaced, { token: 'gbl_ln_x' }, { token: '' }]) {
      expect((await it.user().open(`/invitation?token=${token}`)).status).toBe(404)
      expect((await it.user().post('/invitation', { token, name: 'Ada', password })).status).toBe(404)
    }
    expect((await it.user().open(present.path)).status).toBe(200)
    await expect(revokeInvitation(it.workspace.ctx, revoked.id)).rejects.toMatchObject({ status: 404 })
  })

  test('is only for its address: another signed-in person cannot accept it', async () => {
    const { email, path, token } = await invite()
    const outsider = await it.requireSession(await it.person())
    expect((await outsider.open(path)).body).toContain('Sign out, then open the')
    expect((await act(outsider, '/invitation', { token })).status).toBe(200)
    expect(await membersNamed(email)).toEqual([])
  })

  test('is accepted by a person who can already sign in, and sets no password', async () => {
    const person = await it.person()
    const elsewhere = await it.app.workspace('Elsewhere')
    const { link } = await inviteMember(elsewhere.ctx, {
      name: 'Ada',
      email: person.email.toUpperCase(),
      role: 'agent',
    })
    const [path, token] = [link.slice(it.here.url.length), link.split('token=')[1] ?? '']
    expect((await it.user().open(path)).body).toContain('Sign in to accept')
    const taken = await it.user().post('/invitation', { token, name: 'Mallory', password })
    expect(taken.status).toBe(409)
    expect((await signIn(it.user(), { ...person, password })).status).toBe(401)
    const user = await it.requireSession(person)
    expect((await user.submit(path, {})).location).toBe(`/settings/${elsewhere.id}`)
    expect((await user.get('/account')).body).toContain(`/settings/${elsewhere.id}`)
  })

  test('does not add a member twice, and keeps their role', async () => {
    const { email, path } = await invite(undefined, 'owner')
    const member = await createMember(it.workspace.ctx, { name: 'Ada', email, role: 'agent' })
    expect((await it.user().submit(path, { name: ' ', password })).status).toBe(400)
    expect((await it.user().submit(path, { name: 'Ada', password })).status).toBe(303)
    expect(await membersNamed(email)).toMatchObject([{ id: member.id, role: 'agent' }])
  })

  test('reactivates a removed member in the invitation’s role', async () => {
    const person = await it.person()
    await it.person()
    await setMemberActive(it.workspace.ctx, person.member.id, false)
    const { path } = await invite(person.email, 'agent')
    await (await it.requireSession(person)).submit(path, {})
    expect(await findMember(it.workspace.ctx.db, person.member.id)).toMatchObject({
      active: true,
      role: 'agent',
    })
  })

  test('is in the audit log without its link', async () => {
    const { id, token } = await invite()
    const rows = await asOwner(it.app.databaseUrl, 'select name, data from events where subject_id = $1', [
      id,
    ])
    expect(rows).toEqual([{ name: 'member.invited', data: { id, role: 'agent' } }])
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

test('a workspace keeps one active owner if its two owners are removed concurrently', async () => {
  const place = await it.app.workspace()
  const ctx = createContext(it.app.runtime, place.ctx)
  const owners = await Promise.all(
    ['one', 'two'].map((name) => createMember(ctx, { name, email: `${name}@owners.example`, role: 'owner' })),
  )
  const removals = await Promise.allSettled(owners.map(({ id }) => setMemberActive(ctx, id, false)))
  expect(removals.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

describe('a password reset link', () => {
  async function link(person: Person): Promise<string> {
    const { directory } = it.app.runtime.database
    const row = await findPersonByEmail(directory, person.email)
    if (row === undefined) throw new Error('No such person.')
    return (await sendReset(it.app.runtime, row)).slice(it.here.url.length)
  }
  const tokenOf = (path: string) => path.split('token=')[1] ?? ''

  test('sets the password, ends all sessions, and does not sign the person in', async () => {
    const person = await it.person()
    const [before, user] = [await it.requireSession(person), it.user()]
    const path = await link(person)
    expect((await user.submit(path, { password: 'short' })).status).toBe(400)
    expect(await isKnown(before)).toBe(true)
    const { location } = await user.submit(path, { password })
    expect([location, isSignedIn(user), await isKnown(before)]).toEqual(['/sign-in', false, false])
    expect((await signIn(it.user(), person)).status).toBe(401)
    expect((await signIn(it.user(), { ...person, password })).status).toBe(303)
  })

  test('works for only one of sixteen concurrent requests and revokes the person’s other links', async () => {
    const person = await it.person()
    const [path, other] = [await link(person), await link(person)]
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        it.user().post('/sign-in/reset', { token: tokenOf(path), password: `${password} ${n}` }),
      ),
    )
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1)
    const winner = responses.findIndex(({ status }) => status === 303)
    expect((await signIn(it.user(), { ...person, password: `${password} ${winner}` })).status).toBe(303)
    expect((await it.user().open(other)).status).toBe(404)
  })

  test('expires after an hour', async () => {
    for (const [ms, status] of [
      [3_600_000 - 1000, 303],
      [3_600_000, 404],
      [3_600_000 + 1000, 404],
    ] as const) {
      const path = await link(await it.person())
      it.app.clock.advance(ms)
      expect((await it.user().post('/sign-in/reset', { token: tokenOf(path), password })).status).toBe(status)
    }
  })

  test('returns 404 if its token is invalid', async () => {
    for (const token of ['', 'x', 'gbl_ln_x', tokenOf((await invite()).path)])
      expect((await it.user().open(`/sign-in/reset?token=${token}`)).status).toBe(404)
  })
})
