import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type Message, messageFields } from '../../src/modules/messages/message.ts'
import { beginSends } from '../../src/modules/messages/outbox/begin-sends.ts'
import { findMessage } from '../../src/modules/messages/queries.ts'
import { queueMessage } from '../../src/modules/messages/queue/queries.ts'
import { findDefaultSender } from '../../src/modules/senders/public.ts'
import { asOwner } from '../support/database.ts'
import { type Scene, openScene } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('message_batches')))
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  asOwner<Row>(scene.app.databaseUrl, text, values)

async function begin(limit: number) {
  const { app, workspace } = scene
  const { id } = orNotFound(await findDefaultSender(workspace.ctx.db, 'SMS'))
  return beginSends(app.runtime, { workspaceId: workspace.id, senderId: id }, limit)
}

/** Queues a text to a new person that differs from all others in these columns. */
async function queued(changes: Partial<Message>): Promise<string> {
  const { workspace, person, send } = scene
  const id = await send(await person(), 'See you on Saturday.')
  await sql('delete from outbox where message_id = $1', [id])
  for (const [name, value] of Object.entries(changes))
    await sql(`update messages set ${name} = $2 where id = $1`, [id, value])
  await workspace.ctx.transaction(async (tx) => queueMessage(tx, orNotFound(await findMessage(tx, id))))
  return id
}

const valuesOf = (name: 'source' | 'purpose') => {
  const { enum: own, anyOf = [] } = messageFields[name].schema as {
    enum?: string[]
    anyOf?: { enum?: string[] }[]
  }
  return own ?? anyOf.flatMap((one) => one.enum ?? [])
}

test('a full outbox leaves by lane: people and replies first, then automations and the AI, then campaigns', async () => {
  const lanes = [['user', 'api', 'system'], ['automation', 'ai'], ['campaign']]
  const sources = valuesOf('source').filter((one) => one !== 'inbound')
  expect(lanes.flat().toSorted()).toEqual(sources.toSorted())
  const laneOf = ({ source, purpose }: { source: string; purpose: string }) =>
    purpose === 'reply' ? 0 : lanes.findIndex((lane) => lane.includes(source))
  const all = sources
    .flatMap((source) => valuesOf('purpose').map((purpose) => ({ source, purpose })))
    .toReversed()
  const ids = new Map<string, (typeof all)[number]>()
  for (const one of all) ids.set(await queued(one as Partial<Message>), one)
  const left: (typeof all)[number][] = []
  for (const _ of all) for (const { message } of await begin(1)) left.push(orNotFound(ids.get(message.id)))
  expect(left).toEqual(all.toSorted((a, b) => laneOf(a) - laneOf(b)))
})

/** What a batch knows of each of its messages, changed in one thing at a time. */
const differences: Record<string, (id: string) => Promise<unknown>> = {
  nothing: async () => undefined,
  'the author': async (id) => sql("update messages set source = 'automation' where id = $1", [id]),
  'an AI': async (id) => sql('update messages set ai_generated = true where id = $1', [id]),
  'words of an AI': async (id) =>
    sql("update messages set ai_generated = true, body = 'Adults only.' where id = $1", [id]),
  'the purpose': async (id) => sql("update messages set purpose = 'reply' where id = $1", [id]),
  'the class': async (id) => sql("update messages set message_class = 'transactional' where id = $1", [id]),
  'an opt-out': async (id) => suppress(id, 'opted_out'),
  'a suppression': async (id) => suppress(id, 'litigator'),
  'the consent': async (id) => suppress(id, 'consent_revoked'),
  'a pause of the AI': async (id) => {
    await sql('update messages set ai_generated = true where id = $1', [id])
    await sql(
      "update contacts set ai_auto_response = 'paused' where id = (select contact_id from messages where id = $1)",
      [id],
    )
  },
  'a persona': (id) => writtenBy(id, 'auto'),
  'a persona that is off': (id) => writtenBy(id, 'off'),
  'the erasure': async (id) =>
    sql('update contacts set erased_at = now() where id = (select contact_id from messages where id = $1)', [
      id,
    ]),
  'the place': async (id) => {
    const { to } = await scene.read(id)
    const other = String(to).replace('+1312', '+1808')
    await sql('update messages set "to" = $2 where id = $1', [id, other])
    await sql('update contact_points set value = $2 where value = $1', [to, other])
    await sql('update leads set phone = $2 where phone = $1', [to, other])
  },
}
async function writtenBy(id: string, mode: 'auto' | 'off'): Promise<void> {
  const disclosure = 'I am a virtual assistant of Lantern & Oak.'
  const { status, body } = await scene.agent.post('/personas', { name: `Alder ${mode}`, disclosure, mode })
  expect([status, body['error']]).toEqual([201, undefined])
  await sql('update messages set ai_generated = true, persona_id = $2 where id = $1', [id, body['id']])
}
const suppress = async (id: string, kind: string) =>
  scene.agent.post('/suppressions', { phone: (await scene.read(id))['to'], kind })

test('in a batch whose messages differ in one thing each, each is judged as alone', async () => {
  const { agent } = scene
  const ids: string[] = []
  for (const differ of Object.values(differences)) {
    const id = await queued({})
    await differ(id)
    ids.push(id)
  }
  // An opt-out takes waiting messages out of the queue.
  const outbox = await sql<{ row: object }>('select to_jsonb(o) as row from outbox o')
  const before = await sql<{ row: object }>('select to_jsonb(m) as row from messages m where id = any ($1)', [
    ids,
  ])
  const restore = async () => {
    await sql('delete from outbox')
    await sql('delete from message_attempts where message_id = any ($1)', [ids])
    for (const { row } of outbox)
      await sql('insert into outbox select (jsonb_populate_record(null::outbox, $1)).*', [
        JSON.stringify(row),
      ])
    for (const { row } of before)
      await sql(
        `update messages m set status = r.status, compliance = r.compliance, updated_at = r.updated_at
         from jsonb_populate_record(null::messages, $1) r where m.id = r.id`,
        [JSON.stringify(row)],
      )
  }
  const verdict = async (id: string) => {
    const { status, compliance } = (await agent.get(`/messages/${id}`)).body
    return { status, ...compliance }
  }
  await begin(100)
  const together = new Map<string, object>()
  for (const id of ids) together.set(id, await verdict(id))
  for (const [n, id] of ids.entries()) {
    await restore()
    await sql("update outbox set due_at = due_at + interval '1 year' where message_id <> $1", [id])
    await begin(100)
    expect([Object.keys(differences)[n], await verdict(id)]).toEqual([
      Object.keys(differences)[n],
      together.get(id),
    ])
  }
  const statuses = [...together.values()].map((one) => (one as { status: string }).status)
  expect(new Set(statuses)).toEqual(new Set(['sending', 'blocked']))
})
