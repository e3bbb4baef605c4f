import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keyRing } from '#kernel/secrets.ts'
import { asOwner } from '../support/database.ts'
import { type Scene, later, openScene, unclear } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('mishaps')))
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const seconds = (n: number) => n * 1000
const minutes = (n: number) => n * 60_000
const taken = (providerMessageId: string) => ({ kind: 'taken' as const, providerMessageId })
const sql = (text: string, values: unknown[]) => asOwner(scene.app.databaseUrl, text, values)

test('a message waits while its account cannot be opened, then is sent', async () => {
  const { app, person, send, look, read } = scene
  const id = await send(await person(), 'Hello')
  const keys = keyRing(['an application secret that has sealed nothing here'])
  expect(await look({ ...app.runtime, keys })).toEqual([])
  expect((await read(id))['status']).toBe('queued')
  app.clock.advance(seconds(5))
  expect(await look()).toEqual(['Hello'])
})

test('a lookup does not mistake another message at the provider for the lost one', async () => {
  const { app, person, send, look, read, eventsOf, script } = scene
  const to = await person()
  const first = await send(to, 'Yes')
  await look()
  app.clock.advance(seconds(5))
  const second = await send(to, 'Yes')
  script.outcomes = [unclear]
  await look()
  script.found = {
    attemptId: null,
    providerMessageId: String((await read(first))['provider_message_id']),
    status: 'delivered',
    failure: null,
    at: null,
  }
  for (const pause of [seconds(30), seconds(90), minutes(8), minutes(5)]) {
    app.clock.advance(pause)
    await look()
  }
  expect((await read(second))['status']).toBe('unknown')
  expect(await eventsOf(second)).toEqual(['message.unknown'])
})

test('an outcome that cannot be stored does not block the others', async () => {
  const { app, person, send, look, read, script } = scene
  const ids = [
    await send(await person(), 'One'),
    await send(await person(), 'Two'),
    await send(await person(), 'Three'),
  ]
  script.outcomes = [taken('SMtwice'), taken('SMtwice'), taken('SMonce')]
  while (script.sent.length < ids.length) {
    app.clock.advance(seconds(2))
    await look()
  }
  const statuses = await Promise.all(ids.map(async (id) => (await read(id))['status']))
  expect(statuses.filter((status) => status === 'sent')).toHaveLength(2)
})

test.each([
  ['outbox', 'message_id'],
  ['messages', 'id'],
])(
  'a text that left is sent although its row in %s was locked longer than a worker waits for a lock',
  async (table, column) => {
    const { app, person, send, look, read, script } = scene
    const id = await send(await person(), 'Hello')
    const other = await send(await person(), 'Beside it')
    let held: Promise<unknown> | undefined
    script.during = async ({ body }) => {
      if (body !== 'Hello') return
      held = sql(
        `with held as materialized (select from ${table} where ${column} = $1 for update) select pg_sleep(4) from held`,
        [id],
      )
      const isHeld = async () =>
        (await sql(`select from pg_stat_activity where wait_event = 'PgSleep'`, [])).length > 0
      while (!(await isHeld()));
    }
    app.clock.advance(seconds(2))
    await look()
    await held
    expect([(await read(id))['status'], (await read(other))['status']]).toEqual(['sent', 'sent'])
  },
)

test('a message erased while in flight is not retried', async () => {
  const { app, agent, person, send, look, read, count, script } = scene
  const id = await send(await person(), 'Hello')
  const contact = (await read(id))['contact_id']
  script.during = () => agent.delete(`/contacts/${contact}`)
  script.outcomes = [later]
  await look()
  expect(await read(id)).toMatchObject({ status: 'cancelled', body: null })
  app.clock.advance(minutes(10))
  expect(await look()).toEqual([])
  expect(await count('outbox')).toBe(0)
})

test('a message that cannot be checked does not block other messages of its sender', async () => {
  const { app, person, send, look, read } = scene
  const [odd, sound] = [await send(await person(), 'Odd'), await send(await person(), 'Sound')]
  await sql("update contacts set timezone = 'Mars/Base' where id = $1", [(await read(odd))['contact_id']])
  await look()
  app.clock.advance(seconds(2))
  await look()
  expect([(await read(odd))['status'], (await read(sound))['status']]).toEqual(['queued', 'sent'])
  await sql('update contacts set timezone = null where id = $1', [(await read(odd))['contact_id']])
  app.clock.advance(minutes(1))
  expect(await look()).toEqual(['Odd'])
})

test('a number with a thousand leads does not hide the consent of other people', async () => {
  const { app, person, send, look, read } = scene
  const wanted = await send(await person(), 'Hello')
  const tablet = await send(await person(), 'Thanks for coming')
  await sql(
    `insert into leads (workspace_id, id, contact_id, status, source, phone, offered_to, created_at, updated_at)
     select workspace_id, 'czzz' || lpad(n::text, 21, '0'), contact_id, 'new', 'Open house', "to", '{}', created_at, created_at
     from messages, generate_series(1, 1100) as n where id = $1`,
    [tablet],
  )
  for (let i = 0; i < 3; i++) {
    app.clock.advance(seconds(2))
    await look()
  }
  expect((await read(wanted))['status']).toBe('sent')
})
