import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import {
  type Subject,
  type SuppressionKind,
  findAgainst,
  liftSuppression,
  subjectOf,
  suppress,
} from '../compliance/public.ts'
import { pointsOf } from '../contacts/contact-points.ts'
import { lockHolder } from '../contacts/queries.ts'

let app: TestApp
beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const consent = { captured_at: '2026-03-02T14:59:00Z', source_url: 'https://www.example.com' }
const source = 'Website'
const number = (n: number) => `+1312555013${n}`
const address = (n: number) => `person${n}@reyes.example`

const block = ({ ctx }: TestWorkspace, subject: Subject, kind: SuppressionKind = 'litigator') =>
  suppress(ctx, [{ subject, kind, source: 'operator' }])

const blockers = async (agent: Client, sender: { phone: string; email?: string }) => {
  app.clock.advance(1000)
  return (await agent.post('/leads', { ...sender, source, consent })).body['ai_outbound_blockers'] as string[]
}

const contactOf = async (agent: Client, sender: object) =>
  (await agent.post('/leads', { source, ...sender })).body['contact_id'] as string

test('the number of a lead stays blocked after erasure of its suppressed email-only contact', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { id } = (await agent.post('/contacts', { email: address(1) })).body
  const lead = { email: address(1), phone: number(1) }
  expect(await contactOf(agent, lead)).toBe(id)
  await block(workspace, subjectOf('contact', id))
  await agent.delete(`/contacts/${id}`)
  expect(await blockers(agent, lead)).toEqual(['suppressed'])
  expect(await blockers(agent, { phone: number(1) })).toEqual(['suppressed'])
})

/** Creates a contact that had number 1, has number 2 and address 1, and got number 3 and address 2 from leads. */
async function person(agent: Client): Promise<string> {
  const { id } = (await agent.post('/contacts', { phone: number(1), email: address(1) })).body
  await agent.patch(`/contacts/${id}`, { phone: number(2) })
  expect(await contactOf(agent, { phone: number(3), email: address(1) })).toBe(id)
  expect(await contactOf(agent, { phone: number(2), email: address(2) })).toBe(id)
  return id
}

/** The ways in which the person may come back. Number 9 is new. */
const returns = {
  'its own number': { phone: number(2) },
  'its own address': { phone: number(9), email: address(1) },
  'its former number': { phone: number(1) },
  'a number that a lead brought': { phone: number(3) },
  'an address that a lead brought': { phone: number(9), email: address(2) },
}
const subjects = {
  'the contact': (id: string) => subjectOf('contact', id),
  'its own number': () => subjectOf('phone', number(2)),
  'a number that a lead brought': () => subjectOf('phone', number(3)),
}
const kinds = {
  opted_out: 'opted_out',
  internal_dnc: 'suppressed',
  litigator: 'suppressed',
  manual: 'suppressed',
} as const
const products = Object.entries(returns).flatMap(([by, lead]) =>
  Object.entries(subjects).flatMap(([against, subjectFor]) =>
    Object.entries(kinds).flatMap(([kind, blocker]) =>
      [false, true].map((erased) => ({
        by,
        lead,
        against,
        subjectFor,
        kind: kind as SuppressionKind,
        blocker,
        erased,
        when: erased ? 'after its erasure' : 'before an erasure',
      })),
    ),
  ),
)

test.each(products)(
  '$kind on $against blocks a lead with $by $when',
  async ({ lead, subjectFor, kind, blocker, erased }) => {
    const workspace = await app.workspace()
    const agent = await workspace.credential()
    const id = await person(agent)
    await block(workspace, subjectFor(id), kind)
    app.clock.advance(1000)
    if (erased) await agent.delete(`/contacts/${id}`)
    expect(await blockers(agent, lead)).toEqual([blocker])
    expect(await blockers(agent, { phone: '+13125550199', email: 'other@reyes.example' })).toEqual([])
  },
)

test('a reassigned number blocks only itself, not the other numbers of its contact', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const id = await person(agent)
  await block(workspace, subjectOf('phone', number(3)), 'reassigned_number')
  for (const erased of [false, true]) {
    if (erased) await agent.delete(`/contacts/${id}`)
    expect(await blockers(agent, returns['a number that a lead brought'])).toEqual(['suppressed'])
    expect(await blockers(agent, returns['its own number'])).toEqual([])
  }
})

test('a number keeps the suppressions of the contact that gave it up', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { id } = (await agent.post('/contacts', { phone: number(1) })).body
  await block(workspace, subjectOf('contact', id))
  await agent.patch(`/contacts/${id}`, { phone: number(2) })
  expect(await blockers(agent, { phone: number(1) })).toEqual(['suppressed'])
  await liftSuppression(workspace.ctx, {
    subject: subjectOf('phone', number(1)),
    kind: 'litigator',
    source: 'operator',
  })
  expect(await blockers(agent, { phone: number(1) })).toEqual([])
  expect(await blockers(agent, { phone: number(2) })).toEqual(['suppressed'])
})

test.each([false, true])(
  'a former holder’s suppressions do not block a number that another contact has (erased: %s)',
  async (erased) => {
    const workspace = await app.workspace()
    const agent = await workspace.credential()
    const { id } = (await agent.post('/contacts', { phone: number(1), email: address(1) })).body
    await agent.patch(`/contacts/${id}`, { phone: number(2) })
    await agent.post('/contacts', { phone: number(1), email: address(2) })
    await block(workspace, subjectOf('contact', id))
    if (erased) await agent.delete(`/contacts/${id}`)
    expect(await blockers(agent, { phone: number(1) })).toEqual([])
    expect(await blockers(agent, { phone: number(9), email: address(2) })).toEqual([])
    expect(await blockers(agent, { phone: number(2) })).toEqual(['suppressed'])
    // A suppression of the number, recorded after the other contact got it, does not apply to the first contact.
    app.clock.advance(1000)
    await block(workspace, subjectOf('phone', number(1)), 'opted_out')
    expect(await blockers(agent, { phone: number(1) })).toEqual(['opted_out'])
    expect(await blockers(agent, { phone: number(2) })).toEqual(['suppressed'])
  },
)

test('an opt-out with a former number still applies after another contact gets the number', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { id } = (await agent.post('/contacts', { phone: number(1) })).body
  await block(workspace, subjectOf('phone', number(1)), 'opted_out')
  app.clock.advance(1000)
  await agent.patch(`/contacts/${id}`, { phone: number(2) })
  await agent.post('/contacts', { phone: number(1) })
  expect(await blockers(agent, { phone: number(2) })).toEqual(['opted_out'])
})

test.each(['gives it up', 'is erased'])(
  'a number stays blocked after its suppressed contact gives it up and its other contact %s',
  async (how) => {
    const workspace = await app.workspace()
    const agent = await workspace.credential()
    const [blocked, other] = [
      (await agent.post('/contacts', { phone: number(1) })).body['id'],
      (await agent.post('/contacts', { phone: number(1) })).body['id'],
    ]
    await block(workspace, subjectOf('contact', blocked))
    app.clock.advance(1000)
    await agent.patch(`/contacts/${blocked}`, { phone: null })
    expect(await blockers(agent, { phone: number(1) })).toEqual([])
    app.clock.advance(1000)
    if (how === 'is erased') await agent.delete(`/contacts/${other}`)
    else await agent.patch(`/contacts/${other}`, { phone: number(2) })
    expect(await blockers(agent, { phone: number(1) })).toEqual(['suppressed'])
  },
)

test('one suppressed contact among more than 1,000 former holders keeps a number blocked', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const phone = number(1)
  await asOwner(
    app.databaseUrl,
    `with before as (
       insert into contacts (workspace_id, id, stage, tags, search_names, search_details, ai_auto_response, created_at, updated_at)
       select $1, 'c' || lpad(n::text, 24, '0'), 'LEAD', '{}', '', '', 'active', now(), now() from generate_series(1, 1200) as n
       returning id
     )
     insert into contact_points (workspace_id, contact_id, kind, value, source, since, former_since)
     select $1, id, 'phone', $2, 'contact', now(), now() from before`,
    [workspace.id, phone],
  )
  const [blocked, other] = [
    (await agent.post('/contacts', { phone })).body['id'],
    (await agent.post('/contacts', { phone })).body['id'],
  ]
  await block(workspace, subjectOf('contact', blocked))
  for (const id of [blocked, other]) await agent.patch(`/contacts/${id}`, { phone: null })
  expect(await blockers(agent, { phone })).toEqual(['suppressed'])
})

test('a number stays blocked when a suppressed contact and another give it up at once', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  for (let round = 0; round < 10; round++) {
    app.clock.advance(60_000)
    const phone = `+1312555017${round}`
    const ids = await Promise.all(
      [1, 2].map(async () => (await agent.post('/contacts', { phone })).body['id'] as string),
    )
    await block(workspace, subjectOf('contact', ids[0] ?? ''))
    await Promise.all(ids.map((id) => agent.patch(`/contacts/${id}`, { phone: null })))
    expect(await blockers(agent, { phone }), phone).toEqual(['suppressed'])
  }
})

type Step =
  | { do: 'create' | 'lead'; phone: number; email: number }
  | { do: 'change'; contact: number; phone: number; email: number }
  | { do: 'block'; type: Subject['type']; of: number; kind: SuppressionKind }

const small = fc.nat(2)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('create' as const, 'lead' as const), phone: small, email: small }),
  fc.record({ do: fc.constant('change' as const), contact: small, phone: fc.nat(3), email: fc.nat(3) }),
  fc.record({
    do: fc.constant('block' as const),
    type: fc.constantFrom('phone' as const, 'email' as const, 'contact' as const),
    of: small,
    kind: fc.constantFrom('opted_out' as const, 'litigator' as const, 'manual' as const),
  }),
)

test('an erasure never lifts a block', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), small, async (steps, victim) => {
      const workspace = await app.workspace()
      const agent = await workspace.credential()
      const contacts = [
        (await agent.post('/contacts', { phone: number(0), email: address(0) })).body['id'] as string,
      ]
      const one = (n: number) => contacts[n % contacts.length] ?? ''
      for (const each of steps) {
        app.clock.advance(1000)
        if (each.do === 'block') {
          const text = { phone: number, email: address, contact: one }[each.type](each.of)
          const kind = each.type === 'email' && each.kind === 'litigator' ? 'complaint' : each.kind
          await block(workspace, subjectOf(each.type, text), kind)
        } else if (each.do === 'change') {
          const phone = each.phone === 3 ? null : number(each.phone)
          const email = each.email === 3 ? null : address(each.email)
          await agent.patch(`/contacts/${one(each.contact)}`, { phone, email })
        } else {
          const points = { phone: number(each.phone), email: address(each.email) }
          if (each.do === 'lead') contacts.push(await contactOf(agent, points))
          else contacts.push((await agent.post('/contacts', points)).body['id'])
        }
      }
      const before = await allBlocked(workspace)
      await agent.delete(`/contacts/${one(victim)}`)
      expect(await allBlocked(workspace)).toEqual(expect.arrayContaining(before))
    }),
    { numRuns: 20 },
  )
})

/** All combinations of number and address that the AI may not contact, and why. */
async function allBlocked({ ctx }: TestWorkspace): Promise<string[]> {
  const found = new Set<string>()
  await ctx.transaction(async (tx) => {
    for (const phone of [0, 1, 2, 3].map(number)) {
      for (const email of [0, 1, 2, 3].map(address)) {
        const points = pointsOf({ phone, email })
        const holder = await lockHolder(tx, points)
        const recipient = { points, contactId: holder?.id ?? null }
        const rows = (await findAgainst({ db: tx, keys: tx.keys }, [recipient]))(recipient)
        for (const { kind } of rows.filter(({ channels }) => channels.some((one) => one !== 'email')))
          found.add(`${phone} ${email} ${kind}`)
      }
    }
  })
  return [...found]
}
