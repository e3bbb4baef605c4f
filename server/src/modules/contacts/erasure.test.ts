import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import type { Client, Response } from '#test/support/client.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { columnsNotErased, tablesWith } from '#test/support/whereabouts.ts'

const secret = 'Xanadu'

test('an erasure removes all personal data from every record of a contact', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('erased_contact') })
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const owner = await workspace.member()
  await agent.post('/webhooks', { url: 'https://hooks.example.com' })
  const contact = {
    first_name: `${secret} first`,
    last_name: `${secret} last`,
    email: `${secret}@mail.example`,
    phone: '+13125550142',
    address: { street: `${secret} street`, city: secret, state: 'IL', postal_code: secret, country: secret },
    timezone: 'America/Chicago',
    source: `${secret} source`,
    notes: `${secret} notes`,
    tags: [`${secret} tag`],
    owner_id: owner.id,
  }
  const { id } = (await agent.post('/contacts', contact, { 'idempotency-key': 'one' })).body
  const path = `/contacts/${id}`
  await agent.post(`${path}/notes`, { body: `${secret} note` }, { 'idempotency-key': 'two' })
  await agent.patch(path, {
    first_name: `${secret} again`,
    tags: [`${secret} other`],
    address: { street: `${secret} moved`, state: 'IL' },
    stage: 'ACTIVE_CLIENT',
  })
  await recordResponses(app.databaseUrl, workspace.id, [`No such person: ${secret}`, null])
  expect(await tablesWith(app.databaseUrl, [secret, '5550142'])).toEqual([
    'contact_points',
    'contacts',
    'events',
    'idempotency_replies',
    'webhook_deliveries',
    'webhook_payloads',
  ])

  app.clock.advance(5000)
  const erased = await agent.delete(path)
  expect(erased.body).toEqual({ id, erased: true, erased_at: app.clock.now().toISOString() })
  expect(await tablesWith(app.databaseUrl, [secret, '5550142', '******0142'])).toEqual([])
  expect(await columnsNotErased(app.databaseUrl)).toEqual([])

  expect((await agent.get(path)).body).toMatchObject({
    id,
    first_name: null,
    last_name: null,
    email: null,
    phone: null,
    address: null,
    timezone: null,
    source: null,
    notes: null,
    tags: [],
    stage: 'ACTIVE_CLIENT',
    owner_id: owner.id,
    erased_at: erased.body.erased_at,
  })
  const timeline = (await agent.get(`${path}/events`)).body.data
  expect(timeline.map((event: { title: string }) => event.title)).toEqual([
    'Contact erased',
    'Contact updated',
    'Tag added',
    'Moved from LEAD to ACTIVE_CLIENT',
    'Note',
    'Contact created',
  ])
  expect((await agent.get(`${path}/notes`)).body.data).toMatchObject([{ body: null }])
})

test('deliveries and responses about an erased contact are kept without personal data', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const hooks = [await webhook(agent), await webhook(agent)]
  const create = async (first_name: string) => (await agent.post('/contacts', { first_name })).body.id
  const [id, other] = [await create(secret), await create('Eda')]
  await agent.patch(`/contacts/${id}`, { stage: 'SPHERE', tags: [secret], last_name: secret })
  await recordResponses(app.databaseUrl, workspace.id, ['First', null, 'Third'])
  const before = await logs(agent, hooks)
  await agent.delete(`/contacts/${id}`)

  const after = await logs(agent, hooks)
  expect(after).toHaveLength(10)
  for (const [i, { payload, attempts, ...rest }] of after.entries()) {
    const { payload: first = '', attempts: log, ...same } = before[i] ?? {}
    expect(rest).toEqual(same)
    const { data, ...envelope } = JSON.parse(first)
    if (data.id === other) expect([payload, attempts]).toEqual([first, log])
    else {
      const { contact: _, tag: __, changes: ___, ...kept } = data
      expect(JSON.parse(payload)).toEqual({ ...envelope, data: kept })
      expect(attempts).toEqual(log.map((attempt: object) => ({ ...attempt, answer: null })))
    }
  }
})

test('an erased contact is not listed, and is erased only once', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', { first_name: 'Ada', tags: ['a'], source: 'Web' })).body
  const first = await agent.delete(`/contacts/${id}`)
  for (const query of ['', '?q=ada', '?tag=a', '?stage=LEAD', '?source=Web']) {
    expect((await agent.get(`/contacts${query}`)).body.data, query).toEqual([])
  }
  app.clock.advance(60_000)
  expect((await agent.delete(`/contacts/${id}`)).body).toEqual(first.body)
})

test('retrying the request that created an erased contact returns 409 and restores nothing', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const create = () => agent.post('/contacts', { first_name: secret }, { 'idempotency-key': 'k' })
  const { id } = (await create()).body
  await agent.delete(`/contacts/${id}`)
  expect(await create()).toMatchObject({ status: 409, body: { error: { code: 'idempotency_erased' } } })
})

test('an erasure finds a stored response however its path was encoded', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', {})).body
  const note = () =>
    agent.post(`/contacts/%63${id.slice(1)}/notes?fields=body`, { body: secret }, { 'idempotency-key': 'n' })
  expect((await note()).body.body).toBe(secret)
  await agent.delete(`/contacts/${id}`)
  expect(await note()).toMatchObject({ status: 409, body: { error: { code: 'idempotency_erased' } } })
})

const webhook = async (agent: Client): Promise<string> =>
  (await agent.post('/webhooks', { url: 'https://hooks.example.com' })).body['id']

/** All deliveries of these webhooks, with requests and responses. */
async function logs(agent: Client, webhooks: string[]): Promise<Response['body'][]> {
  const read: Response['body'][] = []
  for (const id of webhooks) {
    for (const delivery of (await agent.get(`/webhooks/${id}/deliveries`)).body['data'])
      read.push((await agent.get(`/webhooks/${id}/deliveries/${delivery.id}`)).body)
  }
  return read
}

/** Records these endpoint responses in each delivery of a workspace, one per attempt. */
async function recordResponses(
  url: string,
  workspaceId: string,
  responses: (string | null)[],
): Promise<void> {
  const attempts = responses.map((answer) => ({
    started_at: '2026-03-02T15:00:00.000Z',
    duration_ms: 12,
    status: answer === null ? null : 404,
    failure: answer === null ? 'no response within 10 s' : 'status 404',
    answer,
  }))
  await asOwner(url, 'update webhook_deliveries set attempts = $2 where workspace_id = $1', [
    workspaceId,
    JSON.stringify(attempts),
  ])
}
