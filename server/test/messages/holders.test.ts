import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { sam, startEmailing } from '#test/support/emailing.ts'
import { idOf } from '#test/support/fixtures.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { type Texting, startTexting } from '#test/support/texting.ts'
import { assignEarlier } from '../../src/modules/holders/assign-earlier.ts'
import { receiveMessage } from '../../src/modules/messages/public.ts'
import { createSender, openAccount } from '../../src/modules/senders/public.ts'

let app: TestApp
let numbers = 100

beforeAll(async () => void (app = await testApp({ now: '2026-03-02T18:00:00.000Z' })))
afterAll(() => app[Symbol.asyncDispose]())

interface Scene extends Texting {
  /** A client of Ada's, who consents to texts. */
  phone: string
  client: string
  ada: Client
  adaId: string
  /** Her colleague. */
  bo: Client
  boId: string
  masked: Client
}

/** Ada has a client, whom her colleague Bo cannot see. */
async function openScene(): Promise<Scene> {
  const texting = await startTexting(app)
  const { workspace, agent } = texting
  await agent.patch('/ai-settings', { enabled: true })
  const [{ id: adaId }, { id: boId }] = [await workspace.member('Ada'), await workspace.member('Bo')]
  const phone = `+1312555${String(++numbers).padStart(4, '0')}`
  const client = await texting.lead(phone)
  await agent.patch(`/contacts/${client}`, { first_name: 'Sam', owner_id: adaId })
  return {
    ...texting,
    phone,
    client,
    adaId,
    boId,
    ada: await workspace.keyFor(adaId),
    bo: await workspace.keyFor(boId),
    masked: await workspace.credential(
      'messages:send',
      'messages:read',
      'calls:read',
      'calls:write',
      'contacts:read',
    ),
  }
}

const double = async ({ bo, phone }: Scene): Promise<string> =>
  idOf(await bo.post('/contacts', { first_name: 'Double', phone }))

test('a contact that a waiting message named is erased, and so is the message, also if they no longer share the number', async () => {
  const scene = await openScene()
  const named = await double(scene)
  const message = await scene.bo.post('/messages', {
    channel: 'sms',
    to: scene.phone,
    contact_id: named,
    body: 'Is Saturday fine?',
  })
  expect(message.status).toBe(201)
  expect((await scene.bo.patch(`/contacts/${named}`, { phone: '+13125559999' })).status).toBe(200)
  expect((await scene.agent.delete(`/contacts/${named}`)).status).toBe(200)
  expect((await scene.agent.get(`/messages/${idOf(message)}`)).body).toMatchObject({
    status: 'cancelled',
    body: null,
    contact_id: scene.client,
  })
})

/** Everyone who can write to the number without seeing whose it is. */
const authors = {
  'an agent, by the number': { by: (scene: Scene) => scene.bo, named: () => undefined },
  'an agent, by a contact of their own': { by: (scene: Scene) => scene.bo, named: double },
  'a masked credential, by the number': { by: (scene: Scene) => scene.masked, named: () => undefined },
} as const

const kinds = {
  message: (client: Client, to: string, contact_id?: string) =>
    client.post('/messages', { channel: 'sms', to, body: 'Is Saturday fine?', contact_id }),
  call: (client: Client, to: string, contact_id?: string) => client.post('/calls', { to, contact_id }),
} as const

const cases = Object.entries(kinds).flatMap(([kind, write]) =>
  Object.entries(authors).map(([author, { by, named }]) => ({
    kind,
    author,
    write,
    by,
    named,
    path: `/${kind}s`,
  })),
)

describe.each(cases)('a $kind of $author to a colleague’s client', ({ kind, write, by, named, path }) => {
  test('belongs to the client, and shows the author nothing of them', async () => {
    const scene = await openScene()
    const author = by(scene)
    const theirs = await named(scene)
    const { status, body } = await write(author, scene.phone, theirs)
    expect(status).toBe(201)
    const shown = { contact_id: theirs ?? null, ...(kind === 'message' && { conversation_id: null }) }
    const zones = [expect.objectContaining({ zone: 'America/Chicago' })]
    expect(body).toMatchObject({ ...shown, compliance: { zones } })
    const own = `${path}/${String(body['id'])}`
    expect((await author.get(own)).body).toMatchObject(shown)
    expect((await scene.ada.get(own)).body['contact_id']).toBe(scene.client)

    const ids = async (client: Client, contactId: string) =>
      (await client.get(`${path}?contact_id=${contactId}`)).body['data'].map(({ id }: { id: string }) => id)
    expect(await ids(scene.ada, scene.client)).toEqual([body['id']])
    expect(await ids(author, scene.client)).toEqual([])
    if (theirs !== undefined) expect(await ids(author, theirs)).toEqual([body['id']])
    expect((await author.get(path)).body['data']).toMatchObject([{ id: body['id'], ...shown }])
    const events = (await author.get('/events')).body['data'] ?? []
    expect(JSON.stringify(events)).not.toContain(scene.client)
  })

  test('is erased with the client', async () => {
    const scene = await openScene()
    const author = by(scene)
    const { body } = await write(author, scene.phone, await named(scene))
    await scene.agent.delete(`/contacts/${scene.client}`)
    expect((await scene.agent.get(`${path}/${String(body['id'])}`)).body).toMatchObject({ to: null })
  })
})

test('what a colleague wrote is in the client’s evidence, conversation, and timeline', async () => {
  const scene = await openScene()
  const { body } = await kinds.message(scene.bo, scene.phone)
  await kinds.call(scene.bo, scene.phone)
  const evidence = (await scene.agent.get(`/contacts/${scene.client}/evidence`)).body
  expect(evidence['messages']).toMatchObject([{ id: body['id'], body: 'Is Saturday fine?' }])
  const [conversation] = (await scene.ada.get(`/conversations?contact_id=${scene.client}`)).body['data']
  expect(conversation).toMatchObject({ contact_id: scene.client, last_message_id: body['id'] })
  expect((await scene.bo.get(`/conversations/${String(conversation.id)}`)).status).toBe(404)
  const listed = await scene.bo.get(`/messages?conversation_id=${String(conversation.id)}`)
  expect(listed.body['data']).toEqual([])
})

test('an email of a colleague does not show which email of the client it continues', async () => {
  const workspace = await app.workspace()
  await readyToSend(workspace)
  const [{ id: adaId }, { id: boId }] = [await workspace.member('Ada'), await workspace.member('Bo')]
  const [agent, ada, bo] = [
    await workspace.credential(),
    await workspace.keyFor(adaId),
    await workspace.keyFor(boId),
  ]
  const masked = await workspace.credential('messages:send', 'messages:read')
  const email = { channel: 'email', to: 'sam@reyes.example', subject: 'Saturday', body: 'Is Saturday fine?' }
  await agent.post('/contacts', { email: email.to, owner_id: adaId })
  const received = idOf(await ada.post('/messages', email))
  await asOwner(
    app.databaseUrl,
    "update messages set direction = 'INBOUND', status = 'received', purpose = null where id = $1",
    [received],
  )
  for (const author of [bo, masked]) {
    const { body } = await author.post('/messages', email)
    expect(body).toMatchObject({ contact_id: null, conversation_id: null, reply_to_message_id: null })
    const own = `/messages/${String(body['id'])}`
    expect((await author.get(own)).body).toMatchObject({ reply_to_message_id: null })
    expect((await agent.get(own)).body).toMatchObject({ reply_to_message_id: received })
  }
})

test('the sender of a preflight does not reveal to a colleague that a client has written to another one', async () => {
  const scene = await openScene()
  const other = await createSender(scene.workspace.ctx, {
    connection_id: scene.connectionId,
    kind: '10dlc',
    address: '+13125550190',
    registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  })
  await scene.ada.post('/messages', {
    channel: 'sms',
    to: scene.phone,
    body: 'Hello',
    from: other.address,
    contact_id: scene.client,
  })
  const senderFor = async (client: Client, to: string) =>
    (await client.post('/messages/preflight', { channel: 'sms', to, body: 'Hello' })).body['sender'].address
  expect(await senderFor(scene.ada, scene.phone)).toBe(other.address)
  for (const author of [scene.bo, scene.masked])
    expect(await senderFor(author, scene.phone)).toBe(await senderFor(author, '+13125550009'))
})

test('a message that names a double is erased with the double', async () => {
  const scene = await openScene()
  const named = await double(scene)
  const { body } = await kinds.message(scene.bo, scene.phone, named)
  await scene.agent.delete(`/contacts/${named}`)
  expect((await scene.agent.get(`/messages/${body['id']}`)).body).toMatchObject({ body: null, to: null })
})

describe('a contact that a colleague adds with a client’s number', () => {
  test('gets none of the client’s texts and calls, even after it was written to', async () => {
    const scene = await openScene()
    const named = await double(scene)
    await kinds.message(scene.bo, scene.phone, named)
    await scene.text(scene.phone, 'Yes, it is.')
    const received = (await scene.ada.get('/messages?direction=INBOUND')).body['data']
    expect(received).toMatchObject([{ contact_id: scene.client, body: 'Yes, it is.' }])
    expect((await scene.bo.get('/messages?direction=INBOUND')).body['data']).toEqual([])
  })

  test('gets none of the client’s emails, whether they continue what it was used for or nothing', async () => {
    const { workspace, agent, lead, receive } = await startEmailing(app)
    const [{ id: adaId }, { id: boId }] = [await workspace.member('Ada'), await workspace.member('Bo')]
    const [ada, bo] = [await workspace.keyFor(adaId), await workspace.keyFor(boId)]
    const client = await lead(sam)
    await agent.patch(`/contacts/${client}`, { owner_id: adaId })
    const contact_id = idOf(await bo.post('/contacts', { first_name: 'Double', email: sam }))
    const written = { channel: 'email', to: sam, contact_id, subject: 'Hello', body: 'Is Saturday fine?' }
    const sent = idOf(await bo.post('/messages', written))
    await receive({ From: sam, Subject: 'Another matter' }, 'Is it still for sale?')
    await receive({ From: sam, Subject: 'Re: Hello', 'In-Reply-To': `<${sent}@lantern.example>` }, 'Yes')
    const received = (await ada.get('/messages?direction=INBOUND')).body['data']
    expect(received).toMatchObject([{ contact_id: client }, { contact_id: client }])
    for (const path of ['/messages?direction=INBOUND', '/conversations'])
      expect((await bo.get(path)).body['data']).toEqual([])
  })

  test('gets none of the client’s WhatsApp messages, before and after it was written to', async () => {
    const scene = await openScene()
    const { ctx } = scene.workspace
    const registration = { status: 'APPROVED' }
    const sender = await createSender(ctx, { kind: 'whatsapp', address: '+13125550189', registration })
    const account = orNotFound(await openAccount(ctx, sender.connection_id))
    const receive = (providerMessageId: string) =>
      receiveMessage(ctx, account, {
        providerMessageId,
        channel: 'whatsapp',
        from: scene.phone.slice(1),
        to: sender.address,
        subject: null,
        body: 'Is it free?',
        bodyHtml: null,
        name: 'Sam',
        receivedAt: app.clock.now(),
        providerResponds: false,
      })
    const contact_id = await double(scene)
    await receive('wamid.1')
    const written = { channel: 'whatsapp', to: scene.phone, contact_id, purpose: 'reply', body: 'It is.' }
    expect((await scene.bo.post('/messages', written)).body).toMatchObject({
      contact_id,
      conversation_id: null,
    })
    await receive('wamid.2')
    const received = (await scene.ada.get('/messages?direction=INBOUND')).body['data']
    expect(received).toMatchObject([{ contact_id: scene.client }, { contact_id: scene.client }])
    for (const path of ['/messages?direction=INBOUND', '/conversations'])
      expect((await scene.bo.get(path)).body['data']).toEqual([])
  })

  test.each(['POST', 'PATCH'])(
    'is reported to the client’s owner, on %s, who learns nothing of it',
    async (method) => {
      const scene = await openScene()
      if (method === 'POST') await double(scene)
      else {
        const id = idOf(await scene.bo.post('/contacts', { first_name: 'Double' }))
        await scene.bo.patch(`/contacts/${id}`, { phone: scene.phone })
      }
      const found = await scene.events('contact.duplicate_found')
      expect(found).toEqual([{ id: scene.client }])
      const { data } = (await scene.ada.get(`/contacts/${scene.client}/events`)).body
      expect(JSON.stringify(data)).toContain('Someone added another contact')
      expect(JSON.stringify(data)).not.toContain('Double')
      expect(JSON.stringify((await scene.bo.get('/events')).body)).not.toContain(scene.client)
    },
  )

  test.each([
    ['its owner can see the client', async ({ ada, phone }: Scene) => ada.post('/contacts', { phone })],
    ['an admin adds it', async ({ agent, phone }: Scene) => agent.post('/contacts', { phone })],
  ])('is a household if %s: what a sender last wrote to gets the response', async (_, add) => {
    const scene = await openScene()
    const other = idOf(await add(scene))
    expect(await scene.events('contact.duplicate_found')).toEqual([])
    await kinds.message(scene.agent, scene.phone, other)
    await scene.text(scene.phone, 'Yes')
    const { data } = (await scene.agent.get('/messages?direction=INBOUND')).body
    expect(data).toMatchObject([{ contact_id: other }])
  })
})

test('messages to a contact and a double at the same time wait for each other in one order', async () => {
  const scene = await openScene()
  const named = await double(scene)
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async (_, i) =>
      i % 2 === 0
        ? (await kinds.message(scene.ada, scene.phone, scene.client)).status
        : (await kinds.message(scene.bo, scene.phone, named)).status,
    ),
  )
  expect(new Set(statuses)).toEqual(new Set([201]))
})

test('the author of a message can cancel it, and may not send it again as the client’s', async () => {
  const scene = await openScene()
  const { body } = await kinds.message(scene.bo, scene.phone)
  const id = String(body['id'])
  await asOwner(app.databaseUrl, "update messages set status = 'failed' where id = $1", [id])
  await asOwner(app.databaseUrl, 'delete from outbox where message_id = $1', [id])
  const again = await scene.bo.post(`/messages/${id}/resend`)
  expect(again).toMatchObject({
    status: 201,
    body: { contact_id: null, conversation_id: null, resend_of: id },
  })
  const cancelled = await scene.bo.post(`/messages/${String(again.body['id'])}/cancel`)
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', contact_id: null } })
})

test.each(['bo', 'masked'] as const)(
  'the author of a call (%s) sets its result, and not the summary that they do not see',
  async (who) => {
    const scene = await openScene()
    const author = scene[who]
    const path = `/calls/${idOf(await author.post('/calls', { to: scene.phone }))}`
    await asOwner(
      app.databaseUrl,
      `update calls set status = 'completed', ended_at = now(), completed_at = now() where id = $1`,
      [path.split('/').at(-1)],
    )
    expect(await scene.ada.patch(path, { summary: 'Wants a garden.' })).toMatchObject({ status: 200 })
    expect(await author.patch(path, { summary: 'Spoke briefly.' })).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    })
    expect(await author.patch(path, { disposition: 'interested' })).toMatchObject({
      status: 200,
      body: { disposition: 'interested', summary: null },
    })
    expect((await scene.ada.get(path)).body).toMatchObject({
      disposition: 'interested',
      summary: 'Wants a garden.',
    })
  },
)

describe('what earlier versions stored', () => {
  const assign = async ({ app: { runtime }, workspace }: Scene) => assignEarlier(runtime, workspace.id)
  /** As if the workspace were older than the assignment of holders. */
  const older = ({ workspace }: Scene) =>
    asOwner(app.databaseUrl, 'delete from holder_assignments where workspace_id = $1', [workspace.id])
  const contactsOf = async (table: string, { workspace }: Scene) =>
    (
      await asOwner<{ contact_id: string | null }>(
        app.databaseUrl,
        `select contact_id from ${table} where workspace_id = $1 order by id`,
        [workspace.id],
      )
    ).map(({ contact_id }) => contact_id)

  /** As earlier versions stored what Bo wrote and placed to the client, and what came from the number. */
  async function unassigned(scene: Scene): Promise<void> {
    await kinds.message(scene.bo, scene.phone)
    await kinds.call(scene.bo, scene.phone)
    for (const table of ['messages', 'calls'])
      await asOwner(
        app.databaseUrl,
        `update ${table} set contact_id = null, owner_id = $2, author_id = null where workspace_id = $1`,
        [scene.workspace.id, scene.boId],
      )
    await asOwner(
      app.databaseUrl,
      'update conversations set contact_id = null, owner_id = null where workspace_id = $1',
      [scene.workspace.id],
    )
    app.clock.advance(1000)
  }

  test('is assigned to the contact that held the number at that time, and the author keeps it', async () => {
    const scene = await openScene()
    await older(scene)
    await unassigned(scene)
    expect(await assign(scene)).toBe(2)
    for (const table of ['messages', 'calls', 'conversations'])
      expect(await contactsOf(table, scene)).toEqual([scene.client])
    const shown = { contact_id: null, conversation_id: null }
    expect((await scene.bo.get('/messages')).body['data']).toMatchObject([shown])
    expect((await scene.ada.get('/messages')).body['data']).toMatchObject([{ contact_id: scene.client }])
    expect(await assign(scene)).toBe(0)
  })

  test('stays without a contact if several contacts held the number, and is in the evidence of each', async () => {
    const scene = await openScene()
    await older(scene)
    await scene.agent.post('/contacts', { phone: scene.phone })
    await unassigned(scene)
    expect(await assign(scene)).toBe(0)
    const evidence = (await scene.agent.get(`/contacts/${scene.client}/evidence`)).body
    expect(evidence).toMatchObject({
      messages: [{ body: 'Is Saturday fine?' }],
      points: [{ type: 'phone', value: scene.phone, former_since: null, shared: true }],
    })
  })

  test('and was written before or after a contact held the number is not theirs', async () => {
    const scene = await openScene()
    await older(scene)
    await unassigned(scene)
    await asOwner(
      app.databaseUrl,
      "update contact_points set since = since + interval '1 hour' where workspace_id = $1",
      [scene.workspace.id],
    )
    expect(await assign(scene)).toBe(0)
    const evidence = (await scene.agent.get(`/contacts/${scene.client}/evidence`)).body
    expect(evidence['messages']).toEqual([])
  })

  test.each([
    ['another owner', (scene: Scene) => scene.boId, true],
    ['the same owner', (scene: Scene) => scene.adaId, false],
    ['no owner', () => undefined, false],
  ] as const)('a later contact of %s becomes a double or not', async (_, ownerOf, isDouble) => {
    const scene = await openScene()
    await older(scene)
    const later = idOf(await scene.agent.post('/contacts', { phone: scene.phone, owner_id: ownerOf(scene) }))
    app.clock.advance(1000)
    await assign(scene)
    const rows = await asOwner<{ contact_id: string }>(
      app.databaseUrl,
      'select contact_id from contact_points where workspace_id = $1 and double',
      [scene.workspace.id],
    )
    expect(rows.map(({ contact_id }) => contact_id)).toEqual(isDouble ? [later] : [])
  })

  test('is nothing in a new workspace, whose imports make no doubles', async () => {
    const scene = await openScene()
    await scene.agent.post('/contacts', { phone: scene.phone, owner_id: scene.boId })
    app.clock.advance(1000)
    await assign(scene)
    const doubles = 'select from contact_points where workspace_id = $1 and double'
    expect(await asOwner(app.databaseUrl, doubles, [scene.workspace.id])).toEqual([])
  })
})
