import { verify } from '@octokit/webhooks-methods'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { type Taken, takingReceiver } from '#test/egress/taking-receiver.ts'
import { type TestApp, testApp, towardsLoopback } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'
import { idOf } from '#test/support/fixtures.ts'

const sending = async (name: string): Promise<TestApp> =>
  testApp({ role: 'all', databaseUrl: await freshDatabase(name), egress: towardsLoopback })

const until = (condition: () => unknown) => eventually(() => expect(condition()).toBeTruthy())

/** Waits until a delivery is settled, which happens a moment after the receiver has received it. */
const settled = (app: TestApp) =>
  eventually(async () => {
    const [row] = await asOwner<{ id: string }>(
      app.databaseUrl,
      "select id from webhook_deliveries where status = 'delivered'",
    )
    return row ?? false
  })

/** Verifies the contract's signature and that of Standard Webhooks, with third-party code. */
async function isSigned({ headers, body }: Taken, secret: string): Promise<boolean> {
  const contract = await verify(secret, body, String(headers['x-webhook-signature']))
  new Webhook(secret).verify(body, headers as Record<string, string>)
  return contract
}

test('a delivery has valid contract and Standard Webhooks signatures over its raw bytes', async () => {
  await using app = await sending('deliver_signed')
  // Standard Webhooks rejects old signatures.
  app.clock.set(new Date())
  await using receiver = await takingReceiver()
  const agent = await app.credential()
  const { secret } = (await agent.post('/webhooks', { url: receiver.url })).body
  await agent.post('/contacts', { first_name: 'Zoë 😀', phone: '+13125550123' })
  await until(() => receiver.taken.length === 1)
  const [taken] = receiver.taken
  if (taken === undefined) throw new Error('Nothing was taken.')
  expect(await isSigned(taken, secret)).toBe(true)
  const { data, ...payload } = JSON.parse(taken.body)
  expect(taken.headers).toMatchObject({
    'content-type': 'application/json',
    'x-webhook-event': 'contact.created',
    'x-webhook-delivery': expect.stringMatching(/^c[a-z0-9]{24}$/),
    'webhook-id': data.event_id,
  })
  expect(payload).toMatchObject({ event: 'contact.created', tenantId: expect.any(String) })
  expect(data.contact).toMatchObject({ first_name: 'Zoë 😀', phone: '+1******0123' })
  await expect(isSigned({ ...taken, body: taken.body.replace('Zoë', 'Zoe') }, secret)).rejects.toThrow(
    'signature',
  )
})

test('deliveries are signed with both secrets for 24 hours after a rotation', async () => {
  await using app = await sending('deliver_rotated')
  app.clock.set(new Date())
  await using receiver = await takingReceiver()
  const agent = await app.credential()
  const { id, secret: old } = (await agent.post('/webhooks', { url: receiver.url })).body
  const { secret } = (await agent.post(`/webhooks/${id}/rotate-secret`)).body
  await agent.post('/contacts')
  await until(() => receiver.taken.length === 1)
  const [both] = receiver.taken
  if (both === undefined) throw new Error('Nothing was taken.')
  expect(await isSigned(both, secret)).toBe(true)
  const previous = { ...both.headers, 'x-webhook-signature': both.headers['x-webhook-signature-previous'] }
  expect(await isSigned({ headers: previous, body: both.body }, old)).toBe(true)

  // If a day passed between an attempt and its settlement, the attempt would count as unreported.
  await settled(app)
  app.clock.advance(24 * 3_600_000)
  await agent.post('/contacts')
  await until(() => receiver.taken.length === 2)
  const [, after] = receiver.taken
  expect(after?.headers).not.toHaveProperty('x-webhook-signature-previous')
  expect(after?.headers['webhook-signature']).toMatch(/^v1,\S+$/)
})

test('both secrets sign the exact bytes sent: original payload, scrubbed payload, and test event', async () => {
  await using app = await sending('deliver_bytes')
  app.clock.set(new Date())
  await using receiver = await takingReceiver()
  const agent = await app.credential()
  const draft = { url: receiver.url, event_types: ['contact.created'] }
  const { id, secret: old } = (await agent.post('/webhooks', draft)).body
  const { secret } = (await agent.post(`/webhooks/${id}/rotate-secret`)).body
  const text = 'Zoë 😀 "\\/\u202f\u00a0 &amp; 1e3'
  const contact = idOf(await agent.post('/contacts', { first_name: text, tags: [text] }))
  // An erasure drops the claim of an attempt that is not settled yet, and the next attempt would be due much later.
  const delivery = await settled(app)
  await agent.delete(`/contacts/${contact}`)
  expect((await agent.post(`/webhooks/${id}/deliveries/${delivery.id}/redeliver`)).status).toBe(202)
  await until(() => receiver.taken.length === 2)
  await agent.post(`/webhooks/${id}/test`)
  await until(() => receiver.taken.length === 3)

  const bodies = receiver.taken.map(({ body }) => body)
  expect(bodies.map((body) => JSON.parse(body).data.contact?.first_name)).toEqual([
    text,
    undefined,
    undefined,
  ])
  // Otherwise, a signature over a reserialized payload would be valid too.
  expect(bodies.some((body) => body !== JSON.stringify(JSON.parse(body)))).toBe(true)
  for (const { headers, body } of receiver.taken) {
    const previous = { ...headers, 'x-webhook-signature': headers['x-webhook-signature-previous'] }
    expect(await isSigned({ headers, body }, secret)).toBe(true)
    expect(await isSigned({ headers: previous, body }, old)).toBe(true)
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
  }
})

test('a secret that cannot be decrypted fails its own delivery with a reason and blocks no others', async () => {
  await using app = await sending('deliver_unopened')
  await using receiver = await takingReceiver()
  const [foreign, mine] = [await app.credential(), await app.credential()]
  const { id } = (await foreign.post('/webhooks', { url: receiver.url })).body
  await mine.post('/webhooks', { url: receiver.url })
  await asOwner(app.databaseUrl, "update webhooks set secret = '\\x0102030405' where id = $1", [id])
  await foreign.post('/contacts')
  await mine.post('/contacts')
  await until(() => receiver.taken.length === 1)
  const log = async () => (await foreign.get(`/webhooks/${id}/deliveries`)).body.data[0]
  await eventually(async () => expect(await log()).toMatchObject({ status: 'pending', attempt_count: 1 }))
  const { attempts } = (await foreign.get(`/webhooks/${id}/deliveries/${(await log()).id}`)).body
  expect(attempts[0].failure).toMatch(/secret cannot be decrypted/)
})

test('after an erasure, a late response is not stored and the retry sends the scrubbed payload', async () => {
  await using app = await sending('deliver_erased')
  await using receiver = await takingReceiver({ held: true })
  const agent = await app.credential()
  const { id: webhook } = (
    await agent.post('/webhooks', { url: receiver.url, event_types: ['contact.created'] })
  ).body
  const { id } = (await agent.post('/contacts', { first_name: 'Rosalind' })).body
  await until(() => receiver.taken.length === 1)
  await agent.delete(`/contacts/${id}`)
  receiver.respondToAll('Thank you, Rosalind')
  // The attempt counts as unreported: the next one is due a lease and a minute later.
  await eventually(() => {
    app.clock.advance(10_000)
    expect(receiver.taken.length).toBe(2)
  })
  receiver.respondToAll('Thanks')
  await eventually(async () => {
    const { data } = (await agent.get(`/webhooks/${webhook}/deliveries?status=delivered`)).body
    expect(data).toHaveLength(1)
  })
  expect(receiver.taken[1]?.body).not.toContain('Rosalind')
  const rows = await asOwner(app.databaseUrl, 'select attempts from webhook_deliveries')
  expect(JSON.stringify(rows)).not.toContain('Rosalind')
})

test('a claim skips locked rows', async () => {
  await using app = await sending('deliver_locked')
  await using receiver = await takingReceiver()
  const agent = await app.credential()
  const { id } = (await agent.post('/webhooks', { url: receiver.url })).body
  await agent.patch(`/webhooks/${id}`, { paused: true })
  await agent.post('/contacts', { first_name: 'Held' })
  await agent.post('/contacts', { first_name: 'Free' })
  const client = new pg.Client({ connectionString: app.databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from webhook_deliveries order by id limit 1 for update')
    await agent.patch(`/webhooks/${id}`, { paused: false })
    await until(() => receiver.taken.length === 1)
    expect(receiver.taken[0]?.body).toContain('Free')
    await client.query('rollback')
    await until(() => receiver.taken.length === 2)
  } finally {
    await client.end()
  }
})

test('an endpoint failing for a week still gets all six attempts before it is disabled', async () => {
  await using app = await sending('deliver_blip')
  await using receiver = await takingReceiver({ status: 500 })
  const agent = await app.credential()
  const { id } = (await agent.post('/webhooks', { url: receiver.url })).body
  await asOwner(app.databaseUrl, 'update webhooks set failing_since = $1', [
    new Date(app.clock.now().getTime() - 7 * 24 * 3_600_000),
  ])
  await agent.post('/contacts')
  const status = async () => (await agent.get(`/webhooks/${id}`)).body['status']
  for (const [attempt, minutes] of [1, 2, 4, 8, 16].entries()) {
    await until(() => receiver.taken.length === attempt + 1)
    await eventually(async () => {
      const { data } = (await agent.get(`/webhooks/${id}/deliveries`)).body
      expect(data[0].next_attempt_at).toBe(
        new Date(app.clock.now().getTime() + minutes * 60_000).toISOString(),
      )
    })
    expect(await status()).toBe('active')
    app.clock.advance(minutes * 60_000)
  }
  await eventually(async () => expect(await status()).toBe('disabled'))
  expect(receiver.taken).toHaveLength(6)
})

test('payloads mask phone numbers and email addresses typed into notes, names, and tags', async () => {
  await using app = await sending('deliver_typed')
  await using receiver = await takingReceiver()
  const agent = await app.credential()
  await agent.post('/webhooks', { url: receiver.url })
  const typed = 'call +1 312 555 0199 or ada@reyes.example'
  const { id } = (await agent.post('/contacts', { first_name: typed.slice(5, 20), source: typed })).body
  await agent.patch(`/contacts/${id}`, { notes: typed, tags: [typed.slice(24)] })
  await until(() => receiver.taken.length === 3)
  const bodies = receiver.taken.map(({ body }) => body).join()
  expect(bodies).toContain('call +1******0199 or a***@reyes.example')
  expect(bodies).not.toMatch(/555.0199|ada@/)
})
