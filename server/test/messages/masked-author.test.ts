import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstIdAt } from '#kernel/ids.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { idOf } from '#test/support/fixtures.ts'
import { startTexting } from '#test/support/texting.ts'
import { endpoints } from '../../src/api.ts'
import { expanded } from '../../src/modules/access/public.ts'
import { changeComplianceSettings } from '../../src/modules/compliance/public.ts'
import { createSender } from '../../src/modules/senders/public.ts'

let app: TestApp
beforeAll(async () => void (app = await testApp({ now: '2026-03-02T18:00:00.000Z' })))
afterAll(() => app[Symbol.asyncDispose]())

/** All that a masked credential may read, except what only an administrator reads. */
const scopes = expanded([
  'messages:send',
  'calls:write',
  'contacts:write',
  'leads:write',
  'events:read',
  'deals:write',
  'appointments:write',
  'automations:manage',
  'compliance:read',
])
const reads = endpoints.filter(({ method, scope }) => method === 'GET' && scopes.has(scope))

/** A client, to whom the workspace has written and for whom the AI responds, and a number and an address of no one. */
async function openScene() {
  app.clock.set('2026-03-02T18:00:00.000Z')
  const { workspace, agent, lead, text } = await startTexting(app)
  await agent.patch('/ai-settings', { enabled: true })
  const persona = { name: 'Alder', disclosure: 'An AI writes.', enabled: true, channels: ['SMS', 'EMAIL'] }
  await agent.post('/personas', persona)
  const known = { phone: '+13125550101', email: 'sam@reyes.example' }
  const unknown = { phone: '+13125550102', email: 'kim@reyes.example' }
  await createSender(workspace.ctx, {
    kind: 'email',
    address: 'office@gable.example',
    registration: { domain_authenticated: true },
  })
  await changeComplianceSettings(workspace.ctx, { postal_address: '48 Alder Court, Chicago, IL 60614' })
  const client = await lead(known.phone)
  await agent.patch(`/contacts/${client}`, {
    first_name: 'Sam',
    email: known.email,
    timezone: 'America/Denver',
  })
  await agent.post('/messages', { channel: 'sms', to: known.phone, body: 'Hello' })
  app.clock.advance(60_000)
  // Both have written, so both may get a response.
  for (const { phone } of [known, unknown]) await text(phone, 'Is Saturday fine?')
  app.clock.advance(3_600_000)
  return { agent, client, known, unknown, masked: await workspace.credential(...scopes) }
}

/** What the credential reads of everything that it can list, and of the client. */
async function everythingRead(masked: Client, client: string): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  const read = async (path: string) => {
    app.clock.advance(1)
    const { status, body, headers } = await masked.get(path)
    all[path] = [status, body, headers.get('etag') !== null]
    return body
  }
  const ids = new Map<string, string[]>()
  for (const { path, list } of reads.filter((one) => !one.path.includes('{'))) {
    const required = path === '/calendar' ? '?from=2026-03-01T00:00:00Z&to=2026-03-05T00:00:00Z' : ''
    const body = await read(`${path}${required}`)
    if (list === undefined) continue
    const found = (body['data'] as { id: string }[] | undefined) ?? []
    ids.set(
      path,
      found.map(({ id }) => id),
    )
  }
  for (const filtered of ['/messages', '/conversations', '/calls', '/events'])
    await read(`${filtered}?contact_id=${client}`)
  await read('/contacts?updated_after=2026-03-02T18:30:00.000Z')
  await read('/conversations?updated_after=2026-03-02T18:30:00.000Z')
  await read('/conversations?channel=SMS')
  for (const id of ids.get('/conversations') ?? []) await read(`/messages?conversation_id=${id}`)
  for (const { path } of reads.filter((one) => /^\/[a-z-]+\/\{id\}/.test(one.path))) {
    if (path.split('{').length > 2) continue
    for (const id of ids.get(`/${path.split('/')[1]}`) ?? []) await read(path.replace('{id}', id))
  }
  return all
}

/** Without what differs between two requests. Of an ID, whether it is older than the message. */
function comparable(value: unknown, sentAt: string): unknown {
  const text = JSON.stringify(value, (name, one) => (name === 'request_id' ? '' : one))
    .replaceAll(/\bc[a-z0-9]{24}\b/g, (id) => (id < firstIdAt(Date.parse(sentAt)) ? 'before' : 'after'))
    .replaceAll(/\bSM\d{32}\b/g, 'provider')
    .replaceAll(/\+1\*{6}\d{4}/g, 'number')
    .replaceAll(/[a-z]\*{3}@reyes/g, 'address@reyes')
  return JSON.parse(text)
}

/** What the masked credential sees after it has written to a number or address, by path without IDs. */
async function seenAfter(channel: 'sms' | 'email', isKnown: boolean): Promise<Record<string, unknown[]>> {
  const { masked, client, known, unknown } = await openScene()
  const whose = isKnown ? known : unknown
  const sentAt = app.clock.now().toISOString()
  const draft =
    channel === 'sms'
      ? { channel, to: whose.phone, body: 'Is Sunday fine?', purpose: 'reply' }
      : { channel, to: whose.email, subject: 'Sunday', body: 'Is Sunday fine?' }
  const sent = await masked.post('/messages', draft)
  expect([sent.status, sent.body['contact_id'], sent.body['conversation_id']]).toEqual([201, null, null])
  const again = await masked.get(`/messages/${idOf(sent)}`)
  const read = await everythingRead(masked, client)
  const byPath: Record<string, unknown[]> = {}
  for (const [path, one] of Object.entries({ sent: sent.body, again: again.body, ...read })) {
    const name = path.replaceAll(/\bc[a-z0-9]{24}\b/g, 'id')
    byPath[name] = [...(byPath[name] ?? []), comparable(one, sentAt)]
  }
  return byPath
}

test.each(['sms', 'email'] as const)(
  'after a masked credential has sent an %s to a bare recipient, it reads the same whether that is a client’s or no one’s',
  async (channel) => {
    const [known, unknown] = [await seenAfter(channel, true), await seenAfter(channel, false)]
    expect(Object.keys(known).length).toBeGreaterThan(40)
    expect(known['/conversations/id']).toHaveLength(2)
    for (const path of Object.keys(known)) expect(known[path], path).toEqual(unknown[path])
    expect(Object.keys(known)).toEqual(Object.keys(unknown))
  },
)
