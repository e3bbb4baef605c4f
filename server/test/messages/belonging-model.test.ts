import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { idOf } from '../support/fixtures.ts'
import { type Texting, startTexting } from '../support/texting.ts'

let app: TestApp
let numbers = 0

beforeAll(async () => void (app = await testApp({ now: '2026-03-02T18:00:00.000Z' })))
afterAll(() => app[Symbol.asyncDispose]())

/** A contact, and how it has the number: of its own, from a lead, as a double, or no more. */
interface Known {
  id: string
  has: 'own' | 'lead' | 'double' | undefined
  ownedBy: 'agent' | undefined
  changedAt: number
}

const deeds = fc.array(
  fc.record({
    what: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('an agent adds a contact', 'gives it up', 'write') },
      { weight: 1, arbitrary: fc.constantFrom('an admin adds a contact', 'a lead', 'has it again', 'erase') },
      { weight: 1, arbitrary: fc.constant('text') },
    ),
    who: fc.nat(3),
  }),
  { minLength: 8, maxLength: 16 },
)

/** Those who may hold the number: who has it of their own, else from a lead, else the oldest double. */
function holders(contacts: readonly Known[]): Known[] {
  const by = Map.groupBy(contacts, ({ has }) => has)
  return by.get('own') ?? by.get('lead') ?? by.get('double')?.slice(0, 1) ?? []
}

/** Whose a message is: the holder's. In a household, whom the workspace last wrote to, else who changed last. */
function belongsTo(contacts: readonly Known[], writtenTo: readonly Known[]): Known | undefined {
  const all = holders(contacts)
  const last = writtenTo.findLast((one) => all.includes(one))
  return last ?? all.toSorted((a, b) => b.changedAt - a.changedAt)[0]
}

async function live(
  { agent, workspace, text }: Texting,
  history: typeof deeds extends fc.Arbitrary<infer T> ? T : never,
) {
  // Each history has a day of its own, so that its messages are the newest.
  const day = 24 * 3_600_000
  app.clock.set(new Date(Date.parse('2026-03-02T18:00:00.000Z') + numbers * day).toISOString())
  const phone = `+1312555${String(1000 + (numbers++ % 9000))}`
  const colleague = await workspace.keyFor((await workspace.member()).id)
  const consent = {
    captured_at: '2026-01-02T15:00:00Z',
    source_url: 'https://lanternandoak.example/valuation',
  }
  const contacts: Known[] = []
  const writtenTo: Known[] = []
  /** Doubles that messages name; holders.test.ts erases such. */
  const named = new Set<string>()
  const now = () => app.clock.now().getTime()
  const lead = async (more: object) =>
    (await agent.post('/leads', { phone, source: 'Website', skip_routing: true, consent, ...more })).body[
      'contact_id'
    ]
  contacts.push({ id: await lead({}), has: 'own', ownedBy: undefined, changedAt: now() })
  const whose = async (direction: string, body: string) => {
    const { data } = (await agent.get(`/messages?limit=200&direction=${direction}`)).body
    return data.find((one: { body: string }) => one.body === body)?.contact_id
  }
  for (const [n, { what, who }] of [...history, { what: 'text', who: 0 }].entries()) {
    app.clock.advance(60_000)
    const one = contacts[who % contacts.length] as Known
    const words = `The ${n}th`
    if (what === 'an admin adds a contact')
      contacts.push({
        id: idOf(await agent.post('/contacts', { phone })),
        has: 'own',
        ownedBy: undefined,
        changedAt: now(),
      })
    else if (what === 'an agent adds a contact') {
      const [holder] = holders(contacts)
      const has = holder !== undefined && holder.ownedBy !== 'agent' ? 'double' : 'own'
      contacts.push({
        id: idOf(await colleague.post('/contacts', { phone })),
        has,
        ownedBy: 'agent',
        changedAt: now(),
      })
    } else if (what === 'gives it up' && (one.has === 'own' || one.has === 'double')) {
      await agent.patch(`/contacts/${one.id}`, { phone: null })
      Object.assign(one, { has: undefined, changedAt: now() })
    } else if (what === 'has it again' && one.has === undefined) {
      if ((await agent.patch(`/contacts/${one.id}`, { phone })).status === 200)
        Object.assign(one, { has: 'own', changedAt: now() })
    } else if (what === 'a lead' && holders(contacts).length === 0) {
      // The lead is found by the email address, and the contact keeps its other number.
      const email = `lead-${numbers}-${n}@reyes.example`
      await agent.patch(`/contacts/${one.id}`, { email, phone: '+13125550142' })
      expect(await lead({ email })).toBe(one.id)
      Object.assign(one, { has: 'lead', changedAt: now() })
    } else if (what === 'erase' && contacts.length > 1 && !named.has(one.id)) {
      await agent.delete(`/contacts/${one.id}`)
      contacts.splice(contacts.indexOf(one), 1)
    } else if (what === 'write') {
      const draft = { channel: 'sms', to: phone, contact_id: one.id, body: words }
      if (one.has === undefined || (await agent.post('/messages', draft)).status !== 201) continue
      const addressee =
        one.has === 'double' && !holders(contacts).includes(one) ? belongsTo(contacts, writtenTo) : one
      expect([history.slice(0, n + 1), await whose('OUTBOUND', words)]).toEqual([
        history.slice(0, n + 1),
        addressee?.id,
      ])
      if (addressee !== undefined) writtenTo.push(addressee)
      if (addressee !== one) named.add(one.id)
    } else if (what === 'text') {
      const expected = belongsTo(contacts, writtenTo)?.id ?? null
      await text(phone, words)
      expect([history.slice(0, n + 1), await whose('INBOUND', words)]).toEqual([
        history.slice(0, n + 1),
        expected,
      ])
    }
  }
}

test('a message belongs to the holder of its number, in any order of what people and members do', async () => {
  const texting = await startTexting(app)
  await fc.assert(
    fc.asyncProperty(deeds, (history) => live(texting, history)),
    { numRuns: 60 },
  )
})
