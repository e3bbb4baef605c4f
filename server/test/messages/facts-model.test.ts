import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { E164 } from '../../src/modules/contacts/public.ts'
import { findSendFacts } from '../../src/modules/messages/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { idOf } from '../support/fixtures.ts'
import { type Texting, startTexting } from '../support/texting.ts'

let app: TestApp
let numbers = 0

beforeAll(async () => void (app = await testApp({ now: '2026-03-02T18:00:00.000Z' })))
afterAll(() => app[Symbol.asyncDispose]())

/** What a history says about one number: all that a judge may know of it. */
interface Known {
  phone: E164
  contacts: { id: string; paused: boolean }[]
  leads: { id: string; level: 'none' | 'partial' | 'express_written'; at: number; cold: boolean }[]
  revokedAt: number
  stoppedAt: number | undefined
  suppressions: Map<string, string>
  lastInbound: number | undefined
}

const suppressed = ['internal_dnc', 'litigator', 'manual'] as const

/** What happens to one of three numbers. */
const deeds = fc.array(
  fc.record({
    who: fc.nat(2),
    minutes: fc.integer({ min: 1, max: 600 }),
    what: fc.oneof(
      fc.constantFrom(
        'lead without consent',
        'cold lead',
        'partial consent',
        'full consent',
        'cold full consent',
      ),
      fc.constantFrom('revoke', 'STOP', 'START', 'text', 'double', 'pause', 'resume', 'lift'),
      fc.constantFrom(...suppressed),
    ),
  }),
  { minLength: 4, maxLength: 14 },
)

type Deed = (typeof deeds extends fc.Arbitrary<infer T> ? T : never)[number]

async function happen({ agent, text }: Texting, known: Known, { what }: Deed): Promise<void> {
  const now = app.clock.now().getTime()
  const { phone, leads, contacts } = known
  const lead = async (level: Known['leads'][number]['level'], cold: boolean) => {
    const consent = {
      captured_at: new Date(now).toISOString(),
      ...(level === 'express_written' && { source_url: 'https://lantern.example' }),
    }
    const { body } = await agent.post('/leads', {
      phone,
      source: cold ? 'Purchased list' : 'Website',
      skip_routing: true,
      ...(level !== 'none' && { consent }),
    })
    leads.push({ id: body['id'], level, at: now, cold })
    if (!contacts.some(({ id }) => id === body['contact_id']))
      contacts.push({ id: body['contact_id'], paused: false })
  }
  const deed: Record<string, () => unknown> = {
    'lead without consent': () => lead('none', false),
    'cold lead': () => lead('none', true),
    'partial consent': () => lead('partial', false),
    'full consent': () => lead('express_written', false),
    'cold full consent': () => lead('express_written', true),
    async revoke() {
      const first = leads.find(({ level }) => level !== 'none')
      if (first === undefined) return
      await agent.delete(`/leads/${first.id}/consent`)
      known.revokedAt = now
    },
    async STOP() {
      await text(phone, 'STOP')
      known.stoppedAt ??= now
      for (const contact of contacts) contact.paused = true
      known.lastInbound = now
    },
    async START() {
      await text(phone, 'START')
      known.stoppedAt = undefined
      known.lastInbound = now
    },
    async text() {
      await text(phone, 'Is the house on Elm still for sale?')
      known.lastInbound = now
    },
    async double() {
      contacts.push({
        id: idOf(await agent.post('/contacts', { first_name: 'Double', phone })),
        paused: false,
      })
    },
    async pause() {
      const [contact] = contacts
      if (contact === undefined) return
      await agent.patch(`/contacts/${contact.id}`, { ai_auto_response: 'paused' })
      contact.paused = true
    },
    async resume() {
      const [contact] = contacts
      if (contact === undefined) return
      await agent.patch(`/contacts/${contact.id}`, { ai_auto_response: 'active' })
      contact.paused = false
    },
    async lift() {
      for (const id of known.suppressions.values()) await agent.post(`/suppressions/${id}/lift`)
      known.suppressions.clear()
    },
  }
  await (
    deed[what] ??
    (async () => {
      const response = await agent.post('/suppressions', { phone, kind: what })
      known.suppressions.set(what, idOf(response))
    })
  )()
}

/** What must be known before a send to this number. */
function expected({ leads, contacts, revokedAt, stoppedAt, suppressions, lastInbound }: Known) {
  const standing = leads.filter(({ level, at }) => level !== 'none' && at > revokedAt)
  const level =
    ['express_written', 'partial'].find((one) => standing.some((lead) => lead.level === one)) ?? 'none'
  const asked = leads.filter(({ cold }) => !cold).map(({ at }) => at)
  return {
    consent: { level, revoked: revokedAt > Number.NEGATIVE_INFINITY && level !== 'express_written' },
    inquiryAt: asked.length === 0 ? undefined : Math.max(...asked),
    optedOut: stoppedAt !== undefined,
    optOutAt: stoppedAt,
    suppressions: [...suppressions.keys()].toSorted(),
    aiPaused: contacts.some(({ paused }) => paused),
    lastInbound,
  }
}

type Facts = Awaited<ReturnType<typeof findSendFacts>>[number]['facts']

const found = ({ contact }: Facts) => ({
  consent: contact.consent,
  inquiryAt: contact.inquiryAt,
  optedOut: contact.optedOut.length > 0,
  optOutAt: contact.optOut?.at,
  suppressions: [...contact.suppressions].toSorted(),
  aiPaused: contact.aiPaused,
  lastInbound: contact.lastInbound.sms,
})

test('what is known before a send follows from the history of its number, alone and in a batch', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (history) => {
      const texting = await startTexting(app)
      await texting.agent.patch('/compliance-settings', { cold_sources: ['Purchased list'] })
      const everyone = Array.from({ length: 3 }, (): Known => ({
        phone: `+1312555${String(1000 + (numbers++ % 9000))}` as E164,
        contacts: [],
        leads: [],
        revokedAt: Number.NEGATIVE_INFINITY,
        stoppedAt: undefined,
        suppressions: new Map(),
        lastInbound: undefined,
      }))
      for (const deed of history) {
        app.clock.advance(deed.minutes * 60_000)
        await happen(texting, everyone[deed.who] as Known, deed)
      }
      const { db, keys } = texting.workspace.ctx
      const now = app.clock.now()
      const sends = everyone.map(({ phone, contacts }) => ({
        channel: 'sms' as const,
        to: { type: 'phone' as const, value: phone },
        contactId: contacts.at(-1)?.id ?? null,
      }))
      const batch = await findSendFacts({ db, keys }, sends, now)
      const alone = await Promise.all(sends.map((send) => findSendFacts({ db, keys }, [send], now)))
      expect(batch).toEqual(alone.flat())
      expect(batch.map(({ facts }) => found(facts))).toEqual(everyone.map(expected))
    }),
    { numRuns: 60 },
  )
})
