import { expect, test, vi } from 'vitest'
import { agent, app, openScene, workspace } from '../scenes/workspace.ts'
import type { Response } from '../support/client.ts'
import { asOwner, fingerprint } from '../support/database.ts'

openScene()

const withKey = (key: string) => ({ 'idempotency-key': key })
const isReplay = ({ headers }: Response) => headers.get('idempotency-replayed') === 'true'

const rowsBut = async (...tables: string[]) =>
  Object.fromEntries(
    Object.entries(await fingerprint(app.databaseUrl)).filter(([name]) => !tables.includes(name)),
  )

test('methods other than POST ignore Idempotency-Key', async () => {
  const { id } = (await agent.post('/contacts')).body
  const path = `/contacts/${id}`
  const before = await rowsBut('contacts', 'events')
  for (const key of ['same', 'same', 'a b', 'a'.repeat(256)]) {
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { notes: key }],
      ['DELETE', undefined],
    ] as const) {
      if (method === 'DELETE' && key === 'same') continue
      const response = await agent.request(method, path, { body, headers: withKey(key) })
      expect([200, 409]).toContain(response.status)
      expect(response.headers.has('idempotency-replayed')).toBe(false)
    }
  }
  expect(await rowsBut('contacts', 'events')).toEqual(before)
})

test('concurrent requests with one key create one contact', async () => {
  for (let round = 0; round < 10; round++) {
    app.clock.advance(60_000)
    const source = `rush-${round}`
    await Promise.all(Array.from({ length: 20 }, () => agent.post('/contacts', { source }, withKey(source))))
    expect((await agent.get(`/contacts?source=${source}`)).body['data']).toHaveLength(1)
    const again = await agent.post('/contacts', { source }, withKey(source))
    expect([again.status, isReplay(again)]).toEqual([201, true])
  }
})

test('a repeated request returns 409 while the first is running, and then the first response', async () => {
  const held = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const hold = app.runtime.database.transaction(workspace.id, async (tx) => {
    await tx.run({ text: 'lock table contacts in access exclusive mode', values: [] })
    isHeld.resolve()
    await held.promise
  })
  await isHeld.promise
  const first = agent.post('/contacts', { source: 'Slow' }, withKey('slow'))
  await vi.waitFor(async () => {
    const waiting = await asOwner(
      app.databaseUrl,
      "select 1 from pg_locks where not granted and relation = 'contacts'::regclass",
    )
    expect(waiting).toHaveLength(1)
  }, 30_000)
  const second = await agent.post('/contacts', { source: 'Slow' }, withKey('slow'))
  expect(second).toMatchObject({ status: 409, body: { error: { code: 'idempotency_in_progress' } } })
  held.resolve()
  await hold
  expect((await first).status).toBe(201)
  const third = await agent.post('/contacts', { source: 'Slow' }, withKey('slow'))
  expect([third.status, isReplay(third), third.body]).toEqual([201, true, (await first).body])
})

test('erasing a contact removes personal data from stored responses', async () => {
  const { id } = (
    await agent.post('/contacts', { first_name: 'Xanadu', email: 'xanadu@mail.example' }, withKey('erased'))
  ).body
  await agent.post(`/contacts/${id}/notes`, { body: 'Xanadu called.' }, withKey('erased-note'))
  const stored = () =>
    asOwner(
      app.databaseUrl,
      "select 1 from idempotency_replies r where workspace_id = $1 and r::text ilike '%xanadu%'",
      [workspace.id],
    )
  expect(await stored()).toHaveLength(2)
  await agent.delete(`/contacts/${id}`)
  expect(await stored()).toEqual([])
})

test('a repeated request gets a masked response without contacts:read:pii', async () => {
  const clerk = await workspace.credential('contacts:write')
  const send = () => clerk.post('/contacts', { phone: '+13125550123' }, withKey('masked'))
  expect([(await send()).body['phone'], (await send()).body['phone']]).toEqual([
    '+1******0123',
    '+1******0123',
  ])
})
