import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { gableWith } from '#test/support/gable.ts'
import { type Texting, startTexting } from '#test/support/texting.ts'
import { chainEntries } from '../compliance/ledger/chain-entries.ts'
import { suppress } from '../compliance/public.ts'
import type { ContactEvidence } from './evidence.ts'

const person = '+13125550177'
const subject = { type: 'phone' as const, value: person as never }

let app: TestApp
let texting: Texting
let contact: string

beforeAll(async () => {
  app = await testApp({ now: '2026-03-02T18:00:00.000Z', publicUrl: 'https://gable.example.com' })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  texting = await startTexting(app)
  contact = await texting.lead(person)
  await texting.send(person, 'The open house is at 2.')
  app.clock.advance(1000)
  await texting.text(person, 'STOP')
  await chainEntries(texting.workspace.ctx)
})

const evidenceFor = async (agent: Client, id = contact): Promise<ContactEvidence> => {
  const { status, body } = await agent.get(`/contacts/${id}/evidence`)
  expect(status).toBe(200)
  return body as ContactEvidence
}

/** Verifies the proof of an entry as the API reference describes. */
const isProven = ({ proof, ...entry }: ContactEvidence['ledger']['entries'][number]) => {
  if (proof?.canonical === null || proof === null) return false
  const hash = createHash('sha256').update(Buffer.from(proof.previous, 'hex')).update(proof.canonical)
  const said = JSON.parse(proof.canonical) as unknown[]
  return hash.digest('hex') === proof.hash && said[2] === entry.id && said[6] === entry.subject
}

test('evidence has the contact, consents, suppressions, provable ledger entries, and messages', async () => {
  const evidence = await evidenceFor(texting.agent)
  expect(evidence.contact).toMatchObject({ id: contact, phone: person, erased_at: null })
  expect(evidence.complete).toEqual({ consents: true, ledger: true, messages: true })
  expect(evidence.consents).toMatchObject([
    { phone: person, source_url: 'https://lanternandoak.example/valuation', in_ledger: true },
  ])
  expect(evidence.suppressions).toMatchObject([{ kind: 'opted_out', source: 'inbound' }])
  const { entries, head } = evidence.ledger
  expect(entries.map(({ kind }) => kind)).toEqual(['opted_out', 'consent_captured'])
  expect(entries.map(isProven)).toEqual([true, true])
  expect(entries[0]?.proof).toMatchObject({ sequence: 2, previous: entries[1]?.proof?.hash })
  expect(head).toEqual({ sequence: 2, hash: entries[0]?.proof?.hash })
  expect(evidence.messages.map(({ status, body }) => [status, body])).toEqual([
    ['queued', expect.stringContaining('no more messages')],
    ['received', 'STOP'],
    ['cancelled', 'The open house is at 2.'],
  ])
  expect(evidence.messages[2]?.compliance).toMatchObject({ decision: 'allowed' })
})

test('evidence is an attachment named after the id of the contact', async () => {
  const url = `${app.base}/contacts/${contact}/evidence`
  const { headers } = await fetch(url, { headers: { authorization: `token ${texting.agent.key}` } })
  expect(headers.get('content-disposition')).toBe(`attachment; filename="evidence-${contact}.json"`)
})

test('evidence has the entries of the contact’s former number, but not those of other people', async () => {
  const { agent, workspace } = texting
  const other = await texting.lead('+13125550143')
  await suppress(workspace.ctx, [{ subject, kind: 'manual', source: 'operator' }])
  expect((await evidenceFor(agent, other)).ledger.entries.map(({ kind }) => kind)).toEqual([
    'consent_captured',
  ])
  await agent.patch(`/contacts/${contact}`, { phone: '+13125550199' })
  const kinds = (await evidenceFor(agent)).ledger.entries.map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['consent_captured', 'opted_out', 'suppressed']))
})

test('evidence of an erased contact keeps ids and verdicts, but no content', async () => {
  const { agent, workspace } = texting
  await suppress(workspace.ctx, [{ subject, kind: 'litigator', source: 'operator' }])
  const before = await evidenceFor(agent)
  await agent.delete(`/contacts/${contact}`)
  app.clock.advance(1000)
  // The number now belongs to someone else.
  await texting.lead(person)
  await suppress(workspace.ctx, [{ subject, kind: 'manual', source: 'operator' }])
  await chainEntries(workspace.ctx)
  const after = await evidenceFor(agent)
  const ids = ({ ledger }: ContactEvidence) => ledger.entries.map(({ id }) => id)
  expect(ids(after)).toEqual(expect.arrayContaining(ids(before)))
  expect(after.ledger.entries.map(isProven)).not.toContain(false)
  expect(after.ledger.entries.map(({ reason }) => reason)).not.toContain('manual')
  expect(after.consents).toMatchObject([{ phone: null, source_url: null, salt: null, in_ledger: null }])
  expect(after.suppressions.map(({ kind }) => kind)).toEqual(['opted_out', 'litigator'])
  expect(after.messages).toHaveLength(3)
  expect(JSON.stringify(after)).not.toMatch(/5550177|open house|lanternandoak/)
})

test('without contacts:read:pii, evidence is masked and omits hashes that could reveal a number', async () => {
  const few = await texting.workspace.credential('compliance:write', 'leads:write', 'messages:read')
  await few.post('/suppressions', { phone: person, kind: 'litigator' })
  await few.post('/leads', { phone: person, source: 'Website', consent: {}, skip_routing: true })
  await chainEntries(texting.workspace.ctx)
  const evidence = await evidenceFor(few)
  expect(evidence.contact.phone).toBe('+1******0177')
  expect(evidence.consents).toHaveLength(1)
  expect(evidence.ledger.entries.map(({ kind }) => kind)).toEqual(['opted_out', 'consent_captured'])
  expect(evidence.suppressions.map(({ kind }) => kind)).toEqual(['opted_out'])
  for (const { subject: hash, proof } of evidence.ledger.entries)
    expect([hash, proof?.canonical]).toEqual([null, null])
  expect(JSON.stringify(evidence)).not.toContain('5550177')
})

test('message texts require messages:read', async () => {
  const auditor = await texting.workspace.credential('compliance:read', 'contacts:read:pii')
  const { messages } = await evidenceFor(auditor)
  expect(messages.map(({ body, subject: line }) => [body, line])).toEqual(messages.map(() => [null, null]))
  expect(messages[2]?.compliance).toMatchObject({ decision: 'allowed' })
})

test('`contacts evidence` prints the same evidence as the API', async () => {
  const gable = gableWith(() => ({ DATABASE_URL: app.databaseUrl }))
  const printed = await gable.json('contacts', 'evidence', contact, '--workspace', texting.workspace.id)
  const { generated_at: _, ...rest } = await evidenceFor(texting.agent)
  expect(printed).toMatchObject(JSON.parse(JSON.stringify(rest)) as object)
})
