import { expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import {
  app,
  emailing,
  enabled,
  enrolled,
  get,
  historyOf,
  leave,
  openAutomations,
  post,
  send,
  tagStep,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'
import { asOwner } from '#test/support/database.ts'
import { batches } from '../../backfills/batches.ts'
import { createEngine } from '../engine/engine.ts'
import { moveContacts } from '../engine/move-contacts.ts'

openAutomations()

const patch = (path: string, body: object) => emailing.agent.patch(path, body)
const suppress = (email: string) => post('/suppressions', { kind: 'manual', email })

const waitFor = (...names: string[]) => ({
  key: 'r',
  type: 'wait_for',
  events: names.map((event) => ({ event })),
  timeout: { days: 3 },
})
const suppressed = 'recipient.suppressed'
const toSuppression = waitFor(suppressed)
const done = `r done ${suppressed}`

test('a wait for a suppression sees one of the address of the contact during a pause', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [toSuppression] }))
  await tick()
  await patch(`/enrollments/${enrollment}`, { status: 'paused' })
  await suppress(email)
  await tick()
  await patch(`/enrollments/${enrollment}`, { status: 'running' })
  await tick()
  expect(await historyOf(enrollment)).toEqual([done])
})

test('a wait after a message sees a suppression since the message was accepted', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [send('hello'), toSuppression] }))
  await tick()
  await leave({ kind: 'unknown', message: 'no response' })
  await suppress(email)
  await tick()
  app.clock.advance(3 * 3_600_000)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello done', done])
})

test('a wait sees a suppression that the version before its migration did not wait for', async () => {
  const id = await enabled({ steps: [waitFor('contact.tag_added')] })
  const { email, enrollment } = await enrolled(id)
  await tick()
  await suppress(email)
  await tick()
  await patch(`/automations/${id}`, { definition: { steps: [toSuppression] } })
  await post(`/automations/${id}/publish`)
  await post(`/automations/${id}/migrate`, { to: 2 })
  await tick()
  expect(await historyOf(enrollment)).toEqual([done])
})

test('a wait sees a suppression although the move that it woke failed', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [toSuppression] }))
  await tick()
  await suppress(email)
  await using queue = app.runtime.database.across('gable_engine')
  const failing = createEngine(
    { ...app.runtime, log: createLog('silent') },
    queue,
    newId(app.clock.now()),
    batches,
    {
      async move(ctx, hold, contactIds, takes) {
        if (takes !== 'none') throw new Error('no luck')
        await moveContacts(ctx, hold, contactIds, takes)
      },
    },
  )
  await failing.tick()
  app.clock.advance(60_000)
  await tick()
  expect(await historyOf(enrollment)).toEqual([done])
})

test('of a reply and the suppression that follows it, the reply decides', async () => {
  const { contact, email, enrollment } = await enrolled(
    await enabled({ steps: [waitFor(suppressed, 'contact.tag_added')] }),
  )
  await tick()
  await patch(`/contacts/${contact}`, { tags: ['first'] })
  await suppress(email)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['r done contact.tag_added'])
})

test('a suppression before the wait does not end it', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [waitStep('w', 5), toSuppression] }))
  await tick()
  await suppress(email)
  app.clock.advance(5 * 60_000)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['w done'])
})

test('a wait ignores an event of an earlier step, however long the step took', async () => {
  const { enrollment } = await enrolled(
    await enabled({ steps: [tagStep('own'), waitFor('contact.tag_added')] }),
  )
  await using queue = app.runtime.database.across('gable_engine')
  let late = 0
  const clock = { ...app.clock, now: () => new Date(app.clock.now().getTime() + late++) }
  await createEngine({ ...app.runtime, clock }, queue, newId(app.clock.now()), batches).tick()
  app.clock.advance(late)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['own done'])
})

test('a wait sees an event behind many others whose conditions do not hold', async () => {
  const only = {
    event: 'contact.tag_added',
    conditions: { field: 'event.tag', operator: 'eq', value: 'last' },
  }
  const { contact, enrollment } = await enrolled(await enabled({ steps: [{ ...waitFor(), events: [only] }] }))
  await tick()
  await patch(`/contacts/${contact}`, { tags: ['other'] })
  await asOwner(
    app.databaseUrl,
    `insert into events select (json_populate_record(e, json_build_object('id', left(e.id, 14) || lpad(n::text, 11, '0')))).*
     from events e, generate_series(1, 600) as n where e.timeline_id = $1 and e.name = 'contact.tag_added'`,
    [contact],
  )
  app.clock.advance(1000)
  await patch(`/contacts/${contact}`, { tags: ['other', 'last'] })
  await tick()
  expect(await historyOf(enrollment)).toEqual(['r done contact.tag_added'])
})

test('the timeline of a contact does not show the suppression of its address', async () => {
  const { contact, email } = await enrolled(await enabled({ steps: [toSuppression] }))
  await suppress(email)
  const { data } = await get(`/contacts/${contact}/events`)
  expect(data.map(({ type }: { type: string }) => type)).not.toContain('consent')
})
