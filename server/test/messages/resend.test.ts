import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asOwner } from '../support/database.ts'
import { type Scene, openScene, rejected, unclear } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('resend')))
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const minutes = (n: number) => n * 60_000
const resend = (id: string, headers = {}) => scene.agent.post(`/messages/${id}/resend`, {}, headers)
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
]

/** A message that has failed. */
async function failed(): Promise<string> {
  const id = await scene.send(await scene.person(), 'Hello')
  scene.script.outcomes = [rejected]
  await scene.look()
  return id
}

test('a failed message is resent once, as a new message that references it', async () => {
  const { look, read } = scene
  const id = await failed()
  const { to, body, contact_id, sender_id } = await read(id)
  const again = await resend(id)
  expect(again).toMatchObject({
    status: 201,
    body: { status: 'queued', resend_of: id, to, body, contact_id, sender_id },
  })
  expect(await look()).toEqual(['Hello'])
  expect((await read(again.body['id']))['status']).toBe('sent')
  expect((await read(id))['status']).toBe('failed')
  const [event] = await asOwner<{ data: object }>(
    scene.app.databaseUrl,
    "select data from events where name = 'message.sent' and data ->> 'id' = $1",
    [again.body['id']],
  )
  expect(event?.data).toMatchObject({ resend_of: id })
  expect(codeOf(await resend(id))).toEqual([409, 'message_not_resendable'])
  expect(await look()).toEqual([])
})

test('only one of ten concurrent requests resends the message', async () => {
  const { look } = scene
  const id = await failed()
  const statuses = (await Promise.all(Array.from({ length: 10 }, () => resend(id)))).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  expect(await look()).toEqual(['Hello'])
})

test('an unknown message can be resent only after its lookups end', async () => {
  const { app, person, send, look, read } = scene
  const id = await send(await person(), 'Hello')
  scene.script.outcomes = [unclear]
  await look()
  expect((await read(id))['status']).toBe('unknown')
  expect(codeOf(await resend(id))).toEqual([409, 'message_not_resendable'])
  for (const pause of [0.5, 1.5, 8, 5].map(minutes)) {
    app.clock.advance(pause)
    await look()
  }
  expect((await resend(id)).status).toBe(201)
})

test('a resend is checked again, and a blocked one does not prevent a later one', async () => {
  const { app, agent, read } = scene
  const id = await failed()
  app.clock.advance(14 * 60 * minutes(1))
  const { status, body } = await resend(id)
  expect([status, body['error'].reason]).toEqual([422, 'quiet_hours'])
  expect(await read(body['error'].message_id)).toMatchObject({ status: 'blocked', resend_of: id })
  app.clock.advance(10 * 60 * minutes(1))
  expect((await resend(id)).status).toBe(201)
  expect((await agent.get('/messages?status=blocked')).body['data']).toHaveLength(1)
})

test('a queued, sent, or erased message cannot be resent', async () => {
  const { agent, person, send, look, read } = scene
  const sent = await send(await person(), 'Hello')
  expect(codeOf(await resend(sent))).toEqual([409, 'message_not_resendable'])
  await look()
  expect(codeOf(await resend(sent))).toEqual([409, 'message_not_resendable'])
  const id = await failed()
  await agent.delete(`/contacts/${(await read(id))['contact_id']}`)
  expect(codeOf(await resend(id))).toEqual([409, 'message_erased'])
})

test('a message to a former number of its contact cannot be resent', async () => {
  const { agent, person, read, script, look } = scene
  const phone = await person()
  const { body: found } = await agent.get(`/contacts?q=${encodeURIComponent(phone)}`)
  const contact_id = found['data'][0].id
  const { body } = await agent.post('/messages', { channel: 'sms', to: phone, body: 'Hello', contact_id })
  script.outcomes = [rejected]
  await look()
  expect((await read(body['id']))['status']).toBe('failed')
  await asOwner(
    scene.app.databaseUrl,
    'update contact_points set former_since = now() where contact_id = $1',
    [contact_id],
  )
  expect(codeOf(await resend(body['id']))).toEqual([409, 'message_not_resendable'])
})

test('a credential that sees only masks may resend, and the response is masked', async () => {
  const { workspace, look } = scene
  const id = await failed()
  const masked = await workspace.credential('messages:send')
  const { status, body } = await masked.post(`/messages/${id}/resend`)
  expect(status).toBe(201)
  expect(body['to']).toMatch(/^\+1\*/)
  expect(await look()).toEqual(['Hello'])
})
