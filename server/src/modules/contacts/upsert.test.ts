import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keyRing } from '#kernel/secrets.ts'
import { type TestApp, type TestWorkspace, appSecret, testApp } from '#test/support/app.ts'
import type { Client, Response } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { upsertContact } from './upsert-contact.ts'

let app: TestApp
let workspace: TestWorkspace
let sync: Client
beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await app.workspace()
  sync = await workspace.credential()
})

const crm = (id: string) => ({ system: 'crm', id })
const dialer = (id: string) => ({ system: 'dialer', id })
const ada = { external_ids: [crm('a-1')], first_name: 'Ada', phone: '+13125550123' }
const upsert = (client: Client, body: object, headers?: Record<string, string>) =>
  client.post('/contacts?upsert=external_id', body, headers)
const countOf = async (client: Client, noun = 'contacts') =>
  (await client.get(`/${noun}/count`)).body['count'] as number
const errorOf = ({ status, body }: Response) => [status, body['error']?.code]

test('an upsert creates a contact for a new ID, and then changes that contact as a patch does', async () => {
  const first = await upsert(sync, { ...ada, tags: ['buyer'], notes: 'Prefers mornings.' })
  expect(first).toMatchObject({ status: 201, body: { external_ids: [crm('a-1')], stage: 'LEAD' } })
  app.clock.advance(60_000)
  const changes = { external_ids: [crm('a-1')], first_name: 'Adele', stage: 'HOT_LEAD' }
  const second = await upsert(sync, changes)
  expect(second).toMatchObject({
    status: 200,
    body: { ...first.body, first_name: 'Adele', stage: 'HOT_LEAD', updated_at: expect.any(String) },
  })
  expect((await sync.get(`/contacts/${idOf(first)}`)).body).toEqual(second.body)
  const events = (await sync.get('/events')).body['data']
  expect(events.map(({ event, data }: { event: string; data: object }) => [event, data])).toEqual([
    [
      'contact.updated',
      expect.objectContaining({ changes: [{ field: 'first_name', from: 'Ada', to: 'Adele' }] }),
    ],
    ['contact.stage_changed', expect.objectContaining({ from: 'LEAD', to: 'HOT_LEAD' })],
    [
      'contact.created',
      expect.objectContaining({ contact: expect.objectContaining({ external_ids: [crm('a-1')] }) }),
    ],
  ])
})

test('an upsert that changes nothing makes no version and no event', async () => {
  const first = await upsert(sync, ada)
  app.clock.advance(60_000)
  const events = await countOf(sync, 'events')
  expect(await upsert(sync, ada)).toMatchObject({ status: 200, body: first.body })
  expect(await countOf(sync, 'events')).toBe(events)
})

test('an upsert adds IDs, while a patch replaces them', async () => {
  const id = idOf(await upsert(sync, ada))
  const added = await upsert(sync, { external_ids: [dialer('7'), crm('a-1'), dialer('7')] })
  expect(added).toMatchObject({ status: 200, body: { id, external_ids: [crm('a-1'), dialer('7')] } })
  expect(idOf(await upsert(sync, { external_ids: [dialer('7')] }))).toBe(id)
  await sync.patch(`/contacts/${id}`, { external_ids: [crm('a-2')] })
  expect(idOf(await upsert(sync, { external_ids: [crm('a-2')] }))).toBe(id)
  for (const gone of [crm('a-1'), dialer('7')])
    expect((await upsert(sync, { external_ids: [gone] })).status).toBe(201)
  const many = Array.from({ length: 20 }, (_, n) => crm(`m-${n}`))
  expect((await upsert(sync, { external_ids: many })).status).toBe(201)
  expect(errorOf(await upsert(sync, { external_ids: [crm('m-0'), crm('m-20')] }))).toEqual([
    400,
    'validation_failed',
  ])
})

test('systems, and IDs that differ only in case or in blanks within, are different; blanks around do not count', async () => {
  const ids = [crm('a-1'), crm('A-1'), dialer('a-1'), crm('a -1')]
  const made = []
  for (const id of ids) made.push(await upsert(sync, { external_ids: [id] }))
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(idOf(await upsert(sync, { external_ids: [crm(' a-1 ')] }))).toBe(idOf(made[0] as Response))
})

test('upsert needs external_ids', async () => {
  for (const body of [{ first_name: 'Ada' }, { first_name: 'Ada', external_ids: [] }])
    expect(await upsert(sync, body)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'external_ids', message: 'is required with upsert' }] } },
    })
  expect((await sync.post('/contacts?upsert=phone', ada)).status).toBe(400)
})

test('an ID belongs to one contact: nothing takes it from there unseen', async () => {
  const [one, other] = [
    idOf(await upsert(sync, ada)),
    idOf(await sync.post('/contacts', { external_ids: [crm('b-1')] })),
  ]
  const taken = {
    code: 'external_id_taken',
    details: [{ path: 'external_ids.1.id', message: `belongs to the contact ${other}` }],
  }
  const both = { external_ids: [crm('a-1'), crm('b-1')] }
  expect(await upsert(sync, both)).toMatchObject({ status: 409, body: { error: taken } })
  expect(await sync.patch(`/contacts/${one}`, both)).toMatchObject({ status: 409, body: { error: taken } })
  expect(errorOf(await sync.post('/contacts', ada))).toEqual([409, 'external_id_taken'])
  expect((await sync.get(`/contacts/${one}`)).body['external_ids']).toEqual([crm('a-1')])
  await sync.patch(`/contacts/${other}`, { external_ids: [] })
  expect((await sync.patch(`/contacts/${one}`, both)).status).toBe(200)
})

test('of eight upserts of one new ID at once, one creates the contact', async () => {
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      upsert(sync, { external_ids: [crm('a-1'), dialer(String(n))], tags: [`t${n}`] }),
    ),
  )
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
  expect(new Set(responses.map(idOf)).size).toBe(1)
  expect((await sync.get(`/contacts/${idOf(responses[0] as Response)}`)).body['external_ids']).toHaveLength(9)
})

test('of a creation and a patch that give one ID at once, one succeeds', async () => {
  const id = idOf(await sync.post('/contacts'))
  const responses = await Promise.all([
    sync.post('/contacts', ada),
    sync.patch(`/contacts/${id}`, { external_ids: [crm('a-1')] }),
  ])
  expect(responses.map(errorOf).filter(([status]) => status === 409)).toEqual([[409, 'external_id_taken']])
})

test('an erasure that races with upserts is not undone', async () => {
  const id = idOf(await upsert(sync, ada))
  await Promise.all([sync.delete(`/contacts/${id}`), ...Array.from({ length: 4 }, () => upsert(sync, ada))])
  expect(await countOf(sync)).toBe(0)
})

test('an erased contact leaves a hash, by which an upsert does not bring the person back', async () => {
  const id = idOf(await upsert(sync, { ...ada, external_ids: [crm('ada@reyes.example')] }))
  await sync.delete(`/contacts/${id}`)
  expect((await sync.get(`/contacts/${id}`)).body['external_ids']).toEqual([])
  const rows = await asOwner(app.databaseUrl, 'select * from contact_external_ids where workspace_id = $1', [
    workspace.id,
  ])
  expect([rows.length, JSON.stringify(rows).includes('reyes')]).toEqual([1, false])
  const again = { ...ada, external_ids: [crm('ada@reyes.example')] }
  expect(errorOf(await upsert(sync, again))).toEqual([409, 'contact_erased'])
  // Also after the secret was rotated.
  const rotated = { ...workspace.ctx, keys: keyRing(['another secret that is long enough', appSecret]) }
  await expect(
    upsertContact(
      {
        ...rotated,
        transaction: (work) => workspace.ctx.transaction((tx) => work({ ...tx, keys: rotated.keys })),
      },
      again,
    ),
  ).rejects.toMatchObject({ code: 'contact_erased' })
  // Who asks for the person again gets them, and from then on the ID is theirs.
  const back = await sync.post('/contacts', again)
  expect(back.status).toBe(201)
  expect(idOf(await upsert(sync, again))).toBe(idOf(back))
})

test('a contact in the trash is found, and stays there', async () => {
  const id = idOf(await upsert(sync, { ...ada, stage: 'TRASH' }))
  expect(await upsert(sync, { ...ada, last_name: 'Reyes' })).toMatchObject({
    status: 200,
    body: { id, stage: 'TRASH' },
  })
})

test('a batch upserts its items in order, also two of one ID, and each fails alone', async () => {
  const erased = idOf(await upsert(sync, { external_ids: [crm('e-1')] }))
  await sync.delete(`/contacts/${erased}`)
  const items = [
    { ...ada, idempotency_key: 'item-1' },
    { external_ids: [crm('a-1')], last_name: 'Reyes' },
    { external_ids: [crm('e-1')] },
    { first_name: 'Bo' },
    { external_ids: [crm('b-1')], phone: 'x'.repeat(40) },
  ]
  const send = () => sync.post('/contacts/batch?upsert=external_id', { items })
  const results = (await send()).body['results']
  expect(results.map(({ status }: Response) => status)).toEqual([201, 200, 409, 400, 400])
  expect(results[1].data).toMatchObject({ id: results[0].data.id, first_name: 'Ada', last_name: 'Reyes' })
  expect(results[2].error.code).toBe('contact_erased')
  const again = (await send()).body['results']
  expect([again[0], again[1].status]).toEqual([results[0], 200])
  expect(await countOf(sync)).toBe(1)
})

test('an Idempotency-Key replays an upsert, and is not shared with a creation', async () => {
  const key = { 'idempotency-key': 'k-1' }
  const first = await upsert(sync, ada, key)
  await sync.patch(`/contacts/${idOf(first)}`, { first_name: 'Bo' })
  const again = await upsert(sync, ada, key)
  expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([
    201,
    'true',
    first.body,
  ])
  expect((await sync.get(`/contacts/${idOf(first)}`)).body['first_name']).toBe('Bo')
  expect(errorOf(await sync.post('/contacts', ada, key))).toEqual([409, 'idempotency_mismatch'])
})

test('an ID is of its workspace alone, and a workspace in test mode upserts as others do', async () => {
  await upsert(sync, ada)
  const elsewhere = await app.workspace()
  await elsewhere.enterTestMode()
  const client = await elsewhere.credential()
  expect((await upsert(client, ada)).status).toBe(201)
  await client.post('/test-clock', { advance: 'P30D' })
  expect(await upsert(client, { ...ada, first_name: 'Bo' })).toMatchObject({
    status: 200,
    body: { updated_at: expect.stringMatching(/^2026-04-01/) },
  })
})

/** Credentials that must not find out whether others know a person. */
const limited: Record<string, () => Promise<Client>> = {
  'a masked key': () => workspace.credential('contacts:write', 'contacts:read'),
  'a key that sees only what it created': () => workspace.creator('contacts:write', 'contacts:read:pii'),
  'an agent': async () => workspace.keyFor((await workspace.member()).id),
}

test.each(Object.entries(limited))('%s has IDs of its own', async (_, seat) => {
  const client = await seat()
  const known = idOf(await upsert(sync, ada))
  const draft = { external_ids: [crm('a-1')], first_name: 'Eve' }
  const unknown = { external_ids: [crm('z-1')], first_name: 'Eve' }
  // Nothing shows that the first ID is known and the second is not.
  const seen = async ({ external_ids, ...more }: typeof draft) => {
    const steps = [
      await upsert(client, { external_ids, ...more }),
      await upsert(client, { external_ids, last_name: 'Doe' }),
      await client.post('/contacts', { external_ids }),
      await client.post('/contacts/batch?upsert=external_id', { items: [{ external_ids }] }),
    ]
    const [created] = steps
    await client.patch(`/contacts/${idOf(created as Response)}`, { external_ids: [] })
    steps.push(
      await client.patch(`/contacts/${idOf(created as Response)}`, { external_ids }),
      await client.post('/contacts', { external_ids }),
      await client.get(`/contacts/${idOf(created as Response)}`),
    )
    return {
      id: idOf(created as Response),
      steps: steps.map(({ status, body }) =>
        JSON.parse(
          JSON.stringify([status, body])
            .replaceAll(/\bc[a-z0-9]{24}\b|req_\w+/g, 'id')
            .replaceAll(/"(request_id|doc_url|created_at|updated_at)":"[^"]*"/g, '"$1":""')
            .replaceAll('z-1', 'a-1'),
        ),
      ),
    }
  }
  const [one, other] = [await seen(draft), await seen(unknown)]
  expect(one.steps).toEqual(other.steps)
  expect(one.steps.map(([status]) => status)).toEqual([201, 200, 409, 200, 200, 409, 200])
  // Whichever came first, a sync does not write into what such a client made and reads.
  expect(idOf(await upsert(sync, ada))).toBe(known)
  expect((await sync.get(`/contacts/${known}`)).body['first_name']).toBe('Ada')
  expect(await upsert(sync, { external_ids: [crm('z-1')], phone: '+13125550199' })).toMatchObject({
    status: 201,
  })
  expect(one.id).not.toBe(known)
})

test('an agent finds the IDs of the contacts that it sees, until it sees them no more', async () => {
  const member = await workspace.member()
  const agent = await workspace.keyFor(member.id)
  const id = idOf(await upsert(sync, { ...ada, owner_id: member.id }))
  expect(await upsert(agent, { external_ids: [crm('a-1')], last_name: 'Reyes' })).toMatchObject({
    status: 200,
    body: { id },
  })
  await sync.patch(`/contacts/${id}`, { owner_id: (await workspace.member()).id })
  const own = await upsert(agent, ada)
  expect(own).toMatchObject({ status: 201, body: { owner_id: member.id } })
  // Its own contact may leave its reach, too.
  await sync.patch(`/contacts/${idOf(own)}`, { owner_id: null })
  expect((await upsert(agent, ada)).status).toBe(201)
  expect(idOf(await upsert(sync, ada))).toBe(id)
})

test('an ID that may be a number or an address is masked', async () => {
  const id = idOf(
    await upsert(sync, { external_ids: [crm('ada@reyes.example'), dialer('+13125550123'), crm('a-1')] }),
  )
  const masked = await workspace.credential('contacts:read', 'contacts:write')
  const shown = (await masked.get(`/contacts/${id}`)).body['external_ids']
  expect(shown[2]).toEqual(crm('a-1'))
  expect(JSON.stringify(shown)).not.toMatch(/ada@|3125550123/)
  expect((await masked.patch(`/contacts/${id}`, { external_ids: shown })).status).toBe(400)
})
