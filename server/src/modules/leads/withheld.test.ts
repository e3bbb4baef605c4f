import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { setRules } from '../routing/public.ts'

let app: TestApp
beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const draft = { phone: '+13125550123', email: 'ada@reyes.example', source: 'Website' }

interface Attempt {
  workspace: TestWorkspace
  all: Client
  /** Has no contacts:read:pii. */
  few: Client
  lead: { id: string }
  contactId: string
  ownerId: string
  memberIds: string[]
}

/** Captures the same lead in a workspace where its sender is unknown, or in one where an agent has them as a contact. */
async function attempt(isKnown: boolean): Promise<Attempt> {
  app.clock.set('2026-03-02T15:00:00Z')
  const workspace = await app.workspace()
  const all = await workspace.credential()
  const few = await workspace.credential('leads:write', 'events:read', 'settings:manage')
  const [next, owner] = [await workspace.member(), await workspace.member()]
  await setRules(workspace.ctx, {
    rules: [],
    default: {
      name: 'All',
      method: 'direct',
      pool: { members: [next.id] },
      sticky: { existing_owner: true },
    },
  })
  if (isKnown) await all.post('/contacts', { ...draft, owner_id: owner.id })
  app.clock.advance(60_000)
  const { body } = await few.post('/leads', draft)
  const known = (await all.get(`/leads/${body.id}`)).body
  expect(known.assignee_id).toBe(isKnown ? owner.id : next.id)
  return {
    workspace,
    all,
    few,
    lead: { ...body, id: known.id },
    contactId: known.contact_id,
    ownerId: known.assignee_id,
    memberIds: [next.id, owner.id],
  }
}

/** Every way in which a credential can read about the lead that it captured. */
async function everythingSeen({ few, lead, contactId, ownerId, memberIds }: Attempt): Promise<unknown[]> {
  const { id } = lead
  const agents = async (ask: (path: string) => ReturnType<Client['get']>) => {
    const responses = await Promise.all(memberIds.map((member) => ask(`/agents/${member}`)))
    return responses.map(({ status, headers, body }) => [status, headers.get('etag'), body])
  }
  return [
    lead,
    { agents: await agents(few.get) },
    { paused: await agents((path) => few.patch(path, { paused: true })) },
    await few.get('/agents'),
    await few.get(`/leads/${id}`),
    await few.get('/leads'),
    await few.get(`/leads?contact_id=${contactId}`),
    await few.get('/leads?unlinked_only=true'),
    await few.get(`/leads/${id}/routing`),
    await few.get('/events'),
    await few.get('/events?type=lead.assigned'),
    await few.post(`/leads/${id}/claim`, { member_id: ownerId }),
    await few.post(`/leads/${id}/assign`, { assignee_id: ownerId }),
    await few.post(`/leads/${id}/assign`, {}),
    await few.patch(`/leads/${id}`, { status: 'contacted' }),
    await few.get(`/leads/${id}`),
  ].map((one) => ('body' in one ? [one.status, one.body] : one))
}

/** Removes request ids and replaces record ids, for comparison. */
const comparable = (seen: unknown) =>
  JSON.parse(
    JSON.stringify(seen, (name, value) => (name === 'request_id' ? '' : value)).replaceAll(
      /\bc[a-z0-9]{24}\b/g,
      'id',
    ),
  )

test('without contacts:read:pii, capturing a known and an unknown person looks the same', async () => {
  const [known, unknown] = [await attempt(true), await attempt(false)]
  const seen = await everythingSeen(known)
  expect(comparable(seen)).toEqual(comparable(await everythingSeen(unknown)))
  expect(JSON.stringify(seen)).not.toContain(known.contactId)
  const statuses = seen.flatMap((one) => (Array.isArray(one) ? [one[0]] : []))
  expect(statuses).toEqual([200, 200, 200, 403, 200, 403, 200, 200, 403, 200, 200, 200, 200])
})

test('the timeline hides a lead from the credential without contacts:read:pii that captured it', async () => {
  const { workspace, few, lead, contactId } = await attempt(true)
  const titles = async (client: Client) =>
    (await client.get(`/contacts/${contactId}/events`)).body.data.map(({ title }: { title: string }) => title)
  expect(await titles(few)).toEqual(['Contact created'])
  const other = await workspace.credential('leads:read', 'events:read')
  expect(await titles(other)).toEqual(['Lead assigned', 'Lead captured', 'Contact created'])
  expect((await other.get(`/leads/${lead.id}`)).body).toMatchObject({ contact_id: null, status: 'assigned' })
})

test('with contacts:read:pii nothing is withheld', async () => {
  const { all, lead, contactId, ownerId } = await attempt(true)
  expect((await all.get(`/leads?contact_id=${contactId}`)).body.data).toMatchObject([
    { id: lead.id, contact_id: contactId, assignee_id: ownerId, routing: { method: 'sticky' } },
  ])
  const events = (await all.get('/events?type=lead.assigned')).body.data
  expect(events).toMatchObject([{ data: { id: lead.id, assignee_id: ownerId } }])
})

test('lead events do not contain the id of the contact', async () => {
  const { all, contactId } = await attempt(true)
  const { data } = (await all.get('/events')).body
  const ofLeads = data.filter(({ event }: { event: string }) => event.startsWith('lead.'))
  expect(ofLeads).toHaveLength(2)
  expect(JSON.stringify(ofLeads)).not.toContain(contactId)
})
