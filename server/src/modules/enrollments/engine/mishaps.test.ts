import type { TObject } from 'typebox'
import { expect, test } from 'vitest'
import type { Queries } from '#kernel/db/handles.ts'
import { Unavailable } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import {
  app,
  emailing,
  enabled,
  enrolled,
  get,
  historyOf,
  openAutomations,
  post,
  tag,
  tagStep,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { batches } from '../../backfills/batches.ts'
import { inboxLimit } from '../inbox/queries.ts'
import { createEngine } from './engine.ts'
import { moveContacts } from './move-contacts.ts'

openAutomations()

const minute = 60_000
const quietly = () => ({ ...app.runtime, log: createLog('silent') })
const statusOf = async (enrollment: string) => (await get(`/enrollments/${enrollment}`)).status

test('an automation that throws does not hold up the other automations of the contact', async () => {
  const { contact, enrollment: bad } = await enrolled(await enabled({ steps: [waitStep('w', 5), tag] }))
  const also = async (steps: object[]) =>
    idOf(await post(`/automations/${await enabled({ steps })}/enroll`, { contact_id: contact }))
  const [good, long] = [
    await also([waitStep('w', 5), tagStep('good'), waitStep('again', 5), tagStep('better')]),
    await also([waitStep('w', 100)]),
  ]
  await tick()
  // The number of the next step is taken, so recording that step throws.
  await asOwner(
    app.databaseUrl,
    `insert into enrollment_steps values ($1, $2, 0, 'x', 'wait', now(), now(), 'done', null, '{}')`,
    [emailing.workspace.id, bad],
  )
  app.clock.advance(5 * minute)
  await tick()
  expect(await historyOf(good)).toEqual(['w done', 'good done'])
  for (const minutes of [1, 5, 30, 120]) {
    expect(await statusOf(bad)).toBe('running')
    app.clock.advance(minutes * minute)
    await tick()
  }
  expect([await statusOf(bad), await statusOf(good), await statusOf(long)]).toEqual([
    'failed',
    'completed',
    'completed',
  ])
})

test('a database outage uses up no retry attempt and delays no other contact', async () => {
  const steps = [waitStep('w', 5), tag]
  const automation = await enabled({ steps })
  const [away, other] = [await enrolled(automation), await enrolled(automation)]
  await tick()
  await using queue = app.runtime.database.across('gable_engine')
  const engine = createEngine(quietly(), queue, newId(app.clock.now()), batches, {
    async move(ctx, hold, contactIds, takes) {
      if (contactIds.includes(away.contact)) throw Unavailable()
      await moveContacts(ctx, hold, contactIds, takes)
    },
  })
  app.clock.advance(5 * minute)
  for (let n = 0; n < 10; n++) await engine.tick()
  expect(await statusOf(other.enrollment)).toBe('completed')
  expect(
    await asOwner(app.databaseUrl, 'select status, attempts from enrollments where id = $1', [
      away.enrollment,
    ]),
  ).toEqual([{ status: 'running', attempts: 0 }])
  await tick()
  expect(await historyOf(away.enrollment)).toEqual(['w done', 'on done'])
})

test('an engine recovers at once from a failed read and from a lost response about its lanes', async () => {
  const { contact, enrollment } = await enrolled(
    await enabled({ steps: [waitStep('w', 5), tagStep('a'), waitStep('v', 5), tagStep('b')] }),
  )
  await tick()
  app.clock.advance(5 * minute)
  await using queue = app.runtime.database.across('gable_engine')
  const name = newId(app.clock.now())
  let faults = 1
  const { database } = app.runtime
  const failing = {
    ...database,
    reads: (...of: Parameters<typeof database.reads>) => {
      if (of[0] === emailing.workspace.id && faults-- > 0) throw new Error('connection lost')
      return database.reads(...of)
    },
  }
  const engine = createEngine({ ...quietly(), database: failing }, queue, name, batches)
  await engine.tick()
  expect(await historyOf(enrollment), 'it could not read what is due').toEqual([])
  await engine.tick()
  expect(await historyOf(enrollment)).toEqual(['w done', 'a done'])

  app.clock.advance(5 * minute)
  let lost = 1
  const losing: Queries = {
    ...queue,
    many: (row) => {
      const tagged = queue.many(row)
      return (async (...statement: Parameters<typeof tagged>) => {
        const rows = await tagged(...statement)
        if ('fence' in (row as unknown as TObject).properties && lost-- > 0)
          throw new Error('connection lost')
        return rows
      }) as typeof tagged
    },
  }
  const other = createEngine(quietly(), losing, newId(app.clock.now()), batches)
  await expect(other.tick(), 'it does not know what it holds').rejects.toThrow('connection lost')
  await other.tick()
  expect(await historyOf(enrollment)).toEqual(['w done', 'a done', 'v done', 'b done'])
  expect((await get(`/contacts/${contact}`)).tags).toEqual(['a', 'b'])
})

test('a due step does not overtake an exit queued behind a full inbox batch', async () => {
  const { contact, enrollment } = await enrolled(
    await enabled({ exits: [{ when: 'owner_changed' }], steps: [waitStep('w', 5), tag] }),
  )
  await tick()
  await asOwner(
    app.databaseUrl,
    `insert into automation_inbox (workspace_id, id, contact_id, follows, chain, created_at)
     select $1, '0' || lpad(n::text, 24, '0'), $2, '{}', '{}', now() from generate_series(1, $3) as n`,
    [emailing.workspace.id, contact, inboxLimit],
  )
  const { id: owner_id } = await emailing.workspace.member()
  await emailing.agent.patch(`/contacts/${contact}`, { owner_id })
  app.clock.advance(5 * minute)
  await tick(1)
  expect(await historyOf(enrollment)).toEqual([])
  await tick()
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'exited', steps: [] })
})

test('inbox events of many contacts do not delay a step that is due', async () => {
  const waiting = await enabled({ steps: [waitStep('w', 5), tag] })
  const { enrollment } = await enrolled(waiting)
  await tick()
  app.clock.advance(5 * minute)
  await asOwner(
    app.databaseUrl,
    `insert into automation_inbox (workspace_id, id, contact_id, follows, chain, created_at)
     select $1, '0' || n, 'c' || n, '{}', '{}', now() from generate_series(100, 199) as n`,
    [emailing.workspace.id],
  )
  await tick(1)
  expect(await historyOf(enrollment)).toEqual(['w done', 'on done'])
})
