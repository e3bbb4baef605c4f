import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseOldMessages } from '../../src/modules/messages/erasure/erase-old-messages.ts'
import { removeFromProviders } from '../../src/modules/messages/erasure/remove-from-providers.ts'
import { asOwner } from '../support/database.ts'
import { tablesWith } from '../support/whereabouts.ts'
import { type Scene, failure, later, openScene, unclear } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('message_erasure')))
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const minutes = (n: number) => n * 60_000
const days = (n: number) => n * 24 * 60 * minutes(1)
const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  asOwner<Row>(scene.app.databaseUrl, text, values)
const erase = async (id: string) => scene.agent.delete(`/contacts/${(await scene.read(id))['contact_id']}`)
const remove = () => removeFromProviders(scene.workspace.ctx, scene.carriers)

const nothingLeft = {
  from: null,
  to: null,
  subject: null,
  body: null,
  body_html: null,
  template: null,
  error: null,
}

describe('retention', () => {
  const retainFor = (retention_days: number | null) =>
    scene.agent.patch('/compliance-settings', { retention_days })
  const apply = () => eraseOldMessages(scene.app.runtime, scene.workspace.id)

  test('erases the content of messages past the retention period and keeps everything else', async () => {
    const { app, agent, person, send, look, read } = scene
    const to = await person()
    const old = await send(to, 'Old')
    await look()
    const before = await read(old)
    app.clock.advance(days(20))
    const recent = await send(to, 'Recent')
    await look()
    await retainFor(30)
    expect(await apply()).toBe(0)
    app.clock.advance(days(11))
    expect(await apply()).toBe(1)
    const erased_at = app.clock.now().toISOString()
    expect(await read(old)).toEqual({ ...before, ...nothingLeft, erased_at, updated_at: erased_at })
    expect((await read(recent))['body']).toBe('Recent')
    const conversation = await agent.get(`/conversations/${String(before['conversation_id'])}`)
    expect(conversation.status).toBe(200)
    expect(await apply()).toBe(0)
    app.clock.advance(days(20))
    expect(await apply()).toBe(1)
    expect((await read(recent))['body']).toBeNull()
  })

  test('erases nothing if no period is set', async () => {
    const { app, person, send, look, read } = scene
    const id = await send(await person(), 'Kept')
    await look()
    app.clock.advance(days(80))
    expect(await apply()).toBe(0)
    expect((await read(id))['body']).toBe('Kept')
  })

  test('skips queued and locked messages, and erases them later', async () => {
    const { app, workspace, person, send, look, read } = scene
    const held = await send(await person(), 'Held')
    await look()
    const queued = await send(await person(), 'Queued')
    await look()
    const sent = await send(await person(), 'Sent')
    await look()
    await sql("update outbox set state = 'waiting' where message_id = $1", [queued])
    await sql(
      `insert into outbox (workspace_id, message_id, sender_id, recipient, lane, segments, state, due_at, attempts, turns, created_at)
       select workspace_id, id, sender_id, 'someone', 0, 1, 'waiting', now() + interval '100 years', 0, 0, created_at
       from messages where id = $1`,
      [queued],
    )
    await retainFor(30)
    app.clock.advance(days(31))
    await workspace.ctx.transaction(async (tx) => {
      await tx.run`select 1 from messages where workspace_id = ${tx.workspaceId} and id = ${held} for update`
      expect(await apply()).toBe(1)
    })
    const bodies = async () => Promise.all([held, queued, sent].map(async (id) => (await read(id))['body']))
    expect(await bodies()).toEqual(['Held', 'Queued', null])
    expect(await apply()).toBe(1)
    expect(await bodies()).toEqual([null, 'Queued', null])
    await sql('delete from outbox where message_id = $1', [queued])
    expect(await apply()).toBe(1)
    expect(await bodies()).toEqual([null, null, null])
    expect(await apply()).toBe(0)
  })

  test('erases more than a thousand messages in one run', async () => {
    const { app, person, send, look } = scene
    const id = await send(await person(), 'One of many')
    await look()
    await sql(
      `insert into messages
       select (jsonb_populate_record(one, jsonb_build_object('id', left(id, 9) || lpad(n::text, 16, '0'), 'provider_message_id', null))).*
       from messages as one, generate_series(1, 1200) as n where id = $1`,
      [id],
    )
    await retainFor(30)
    app.clock.advance(days(31))
    expect(await apply()).toBe(1201)
    const rows = await sql('select 1 from messages where workspace_id = $1 and body is not null', [
      scene.workspace.id,
    ])
    expect(rows).toEqual([])
  })

  test('removes message content from stored idempotent responses', async () => {
    const { app, agent, person, look } = scene
    const to = await person()
    const again = () =>
      agent.post('/messages', { channel: 'sms', to, body: 'Hello' }, { 'idempotency-key': to })
    expect((await again()).status).toBe(201)
    await look()
    await retainFor(30)
    app.clock.advance(days(31))
    // As if a request of today had stored the response.
    await sql('update idempotency_replies set created_at = $1 where key = $2', [app.clock.now(), to])
    expect((await again()).body['body']).toBe('Hello')
    expect(await apply()).toBe(1)
    expect((await again()).body['error'].code).toBe('idempotency_erased')
  })
})

describe('removal at the provider', () => {
  test('happens after a message is erased, and only once', async () => {
    const { person, send, look, read, count, script } = scene
    const id = await send(await person(), 'Hello')
    await look()
    const { provider_message_id } = await read(id)
    await remove()
    expect(script.forgotten).toEqual([])
    await erase(id)
    await remove()
    expect(script.forgotten).toEqual([provider_message_id])
    expect(await count('message_removals')).toBe(0)
    await remove()
    expect(script.forgotten).toHaveLength(1)
  })

  test('covers messages erased by retention', async () => {
    const { app, agent, workspace, person, send, look, read, script } = scene
    const id = await send(await person(), 'Hello')
    await look()
    const { provider_message_id } = await read(id)
    await agent.patch('/compliance-settings', { retention_days: 30 })
    app.clock.advance(days(31))
    await eraseOldMessages(app.runtime, workspace.id)
    await remove()
    expect(script.forgotten).toEqual([provider_message_id])
  })

  test('retries after 1, 5, and 30 minutes, then 2 and 12 hours, and gives up after 14 days', async () => {
    const { app, person, send, look, count, script } = scene
    const id = await send(await person(), 'Hello')
    await look()
    await erase(id)
    script.forgets = false
    await remove()
    for (const pause of [1, 5, 30, 120, 720, 720].map(minutes)) {
      const { length } = script.forgotten
      app.clock.advance(pause - 1)
      await remove()
      expect(script.forgotten).toHaveLength(length)
      app.clock.advance(1)
      await remove()
      expect(script.forgotten).toHaveLength(length + 1)
    }
    expect(await count('message_removals')).toBe(1)
    app.clock.advance(days(14))
    await remove()
    expect(await count('message_removals')).toBe(0)
  })

  test('counts only attempts it made, even if the provider is slow', async () => {
    const { app, carriers, person, send, look } = scene
    const to = await person()
    for (let n = 0; n < 12; n++) await send(to, `${n}`)
    for (let n = 0; n < 12; n++) await look()
    const [{ contact_id } = {}] = (await scene.agent.get('/messages?limit=1')).body['data']
    await scene.agent.delete(`/contacts/${contact_id}`)
    let asked = 0
    const forget = async () => {
      asked++
      app.clock.advance(minutes(1))
      return false
    }
    const { twilio } = carriers
    await removeFromProviders(scene.workspace.ctx, { ...carriers, twilio: twilio && { ...twilio, forget } })
    expect(asked).toBeLessThan(12)
    const [counted] = await sql<{ attempts: number }>(
      'select sum(attempts)::integer as attempts from message_removals',
    )
    expect(counted?.attempts).toBe(asked)
  })

  test.for([
    ['is taken', { kind: 'taken' as const, providerMessageId: 'SMon-its-way' }, ['SMon-its-way']],
    ['is not taken', later, []],
    ['may have been taken', unclear, []],
  ] as const)('handles a message that is erased in flight and %s', async ([, outcome, forgotten]) => {
    const { person, send, look, read, script } = scene
    const id = await send(await person(), 'Hello')
    script.during = () => erase(id)
    script.outcomes = [outcome]
    await look()
    expect((await read(id))['body']).toBeNull()
    const attempts = await sql('select detail from message_attempts where message_id = $1', [id])
    expect(attempts).toEqual([{ detail: null }])
    await remove()
    expect(script.forgotten).toEqual(forgotten)
  })

  test('skips a provider that does not support it and keeps no entry', async () => {
    const { person, send, look, count, carriers } = scene
    const id = await send(await person(), 'Hello')
    await look()
    await erase(id)
    const { twilio } = carriers
    const unforgetting = twilio && { ...twilio, forget: undefined }
    await removeFromProviders(scene.workspace.ctx, { ...carriers, twilio: unforgetting as never })
    expect(await count('message_removals')).toBe(0)
  })
})

describe('erasing a contact', () => {
  test('cancels queued messages and publishes that without the number', async () => {
    const { person, send, read, eventsOf, count } = scene
    const id = await send(await person(), 'Hello')
    await erase(id)
    expect(await read(id)).toMatchObject({ status: 'cancelled', ...nothingLeft })
    expect(await eventsOf(id)).toEqual(['message.cancelled'])
    const rows = await sql<{ data: object }>(
      "select data from events where name = 'message.cancelled' and data ->> 'id' = $1",
      [id],
    )
    expect(JSON.stringify(rows)).not.toContain('312555')
    expect(await count('outbox')).toBe(0)
  })

  test('erases what a provider said about its messages, including later reports', async () => {
    const { person, send, look, read, script } = scene
    const said = {
      kind: 'rejected' as const,
      failure: { ...failure('rejected'), message: 'The mailbox of ada.reyes is closed.' },
    }
    const [before, during] = [await send(await person(), 'Hello'), await send(await person(), 'Hello')]
    script.during = ({ to }) => (to === sent[1] ? erase(during) : undefined)
    const sent = [String((await read(before))['to']), String((await read(during))['to'])]
    script.outcomes = [said, said]
    await look()
    expect((await read(before))['error']).toMatchObject({ message: said.failure.message })
    await erase(before)
    expect(await read(before)).toMatchObject({ status: 'failed', error: null })
    expect(await read(during)).toMatchObject({ status: 'failed', error: null })
    expect(await tablesWith(scene.app.databaseUrl, ['ada.reyes'])).toEqual([])
  })

  test('erases its conversations even if they have no messages', async () => {
    const { agent, workspace, person, send, look, read } = scene
    const id = await send(await person(), 'Hello')
    await look()
    const { contact_id, conversation_id } = await read(id)
    await sql('delete from message_attempts where message_id = $1', [id])
    await sql('delete from messages where id = $1', [id])
    await agent.delete(`/contacts/${String(contact_id)}`)
    const [row] = await sql<{ address: string | null }>(
      'select address from conversations where workspace_id = $1 and id = $2',
      [workspace.id, conversation_id],
    )
    expect(row?.address).toBeNull()
  })
})
