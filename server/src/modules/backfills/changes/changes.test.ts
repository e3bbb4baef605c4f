import { beforeEach, expect, test } from 'vitest'
import { Unavailable, orNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import {
  app,
  emailing,
  enabled,
  enrolled,
  get,
  openAutomations,
  post,
  tagStep,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'
import { asOwner } from '#test/support/database.ts'
import { createContact } from '../../contacts/public.ts'
import { createEngine } from '../../enrollments/engine/engine.ts'
import { enrollContact } from '../../enrollments/enroll.ts'
import { batches } from '../batches.ts'

openAutomations()

const patch = (path: string, body: object) => emailing.agent.patch(path, body)

const minute = 60_000

// Each test starts with a fresh rate limit, which counts per minute.
beforeEach(() => app.clock.advance(minute))
const enrollmentOf = (id: string) => get(`/enrollments/${id}`)
const changeOf = async (automation: string) =>
  get(`/automation-changes/${(await get(`/automations/${automation}`))['change_id']}`)
const disable = (automation: string, running?: string) =>
  post(`/automations/${automation}/disable`, { ...(running && { running }) })
const enable = (automation: string) => post(`/automations/${automation}/enable`)

/** Enrolls without requests, because those are rate-limited. */
const enrollMany = (automation: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const contact = await createContact(emailing.workspace.ctx, { first_name: 'Ada' })
      const { enrollment } = await enrollContact(emailing.workspace.ctx, automation, {
        contact_id: contact.id,
      })
      return { contact: contact.id, enrollment: enrollment.id }
    }),
  )

const statuses = async (automation: string) => {
  const { data } = await get(`/automations/${automation}/enrollments?limit=200`)
  return Object.groupBy(data as { status: string }[], ({ status }) => status)
}

const waiting = { steps: [waitStep('wait', 10), tagStep('after')] }

test('disabling stops every enrollment at once and updates statuses in batches', async () => {
  const id = await enabled({ steps: [waitStep('wait', 10), tagStep('after'), waitStep('more', 5)] })
  const all = await enrollMany(id, 60)
  await tick()
  app.clock.advance(20 * minute)
  const disabled = await disable(id)
  expect(disabled.body).toMatchObject({ enabled: false, running: 'pause', change_id: expect.any(String) })
  expect(await changeOf(id)).toMatchObject({ action: 'pause', status: 'running', total: 60, changed: 0 })
  await tick(1)
  const { [`running`]: running = [], paused = [] } = await statuses(id)
  expect(paused.length, 'a batch, and those that were due').toBeGreaterThan(0)
  expect(running.length + paused.length).toBe(60)
  await tick()
  expect((await statuses(id))['paused']).toHaveLength(60)
  const [change] = (await get(`/automations/${id}/changes`))['data']
  expect(change).toMatchObject({ status: 'done', total: 60, unchanged: 0 })
  expect((await get(`/automations/${id}`))['change_id']).toBeNull()
  expect((await enrollmentOf(orNotFound(all[0]).enrollment))['steps']).toEqual([])
})

test('overdue enrollments resume at 200 an hour; waiting ones keep the rest of their wait', async () => {
  const id = await enabled(waiting)
  const due = await enrollMany(id, 60)
  await tick()
  app.clock.advance(9 * minute)
  const later = await enrolled(id)
  await tick()
  app.clock.advance(minute)
  await disable(id)
  await tick()
  app.clock.advance(7 * 24 * 60 * minute)
  const enabledAt = app.clock.now().getTime()
  await enable(id)
  expect(await changeOf(id)).toMatchObject({ action: 'resume', total: 61 })
  await tick()
  const goOn = async (one: { enrollment: string }) =>
    Date.parse((await enrollmentOf(one.enrollment))['next'].at) - enabledAt
  const first = await statuses(id)
  expect([first['completed']?.length, first['running']?.length]).toEqual([1, 60])
  expect(await goOn(later)).toBe(9 * minute)
  const details = await Promise.all(due.map(({ enrollment }) => enrollmentOf(enrollment)))
  const turns = details.flatMap(({ next }) => (next === null ? [] : [Date.parse(next.at) - enabledAt]))
  expect(turns.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 59 }, (_, i) => (i + 1) * 18_000))
  app.clock.advance(30 * minute)
  await tick()
  // 18 seconds apart, the last one after 17.7 minutes.
  expect((await statuses(id))['completed']).toHaveLength(61)
})

test('overdue enrollments resumed one by one are paced too', async () => {
  const id = await enabled(waiting)
  const all = await enrollMany(id, 5)
  for (const { enrollment } of all) await patch(`/enrollments/${enrollment}`, { status: 'paused' })
  app.clock.advance(60 * minute)
  const now = app.clock.now().getTime()
  const at = []
  for (const { enrollment } of all) {
    await patch(`/enrollments/${enrollment}`, { status: 'running' })
    at.push(Date.parse((await enrollmentOf(enrollment))['next'].at) - now)
  }
  expect(at).toEqual([0, 18_000, 36_000, 54_000, 72_000])
})

test('a disabled automation resumes no enrollment, and a manual pause survives enabling it', async () => {
  const id = await enabled(waiting)
  const [byHand, other, kept] = (await enrollMany(id, 3)).map(({ enrollment }) => enrollment)
  await tick()
  await patch(`/enrollments/${byHand}`, { status: 'paused' })
  await disable(id)
  await tick()
  for (const one of [byHand, other]) {
    const rejected = await patch(`/enrollments/${one}`, { status: 'running' })
    expect([rejected.status, rejected.body['error'].code]).toEqual([409, 'automation_disabled'])
  }
  expect((await patch(`/enrollments/${kept}`, { status: 'paused' })).body['reason']).toBeNull()
  await enable(id)
  await tick()
  expect(await enrollmentOf(orNotFound(byHand))).toMatchObject({ status: 'paused' })
  expect(await enrollmentOf(orNotFound(kept))).toMatchObject({ status: 'paused' })
  expect(await enrollmentOf(orNotFound(other))).toMatchObject({ status: 'running', reason: null })
})

test('`finish` lets enrollments continue, even paused ones; `cancel` ends them', async () => {
  const id = await enabled(waiting)
  const [one, byHand] = (await enrollMany(id, 2)).map(({ enrollment }) => enrollment)
  await tick()
  await patch(`/enrollments/${byHand}`, { status: 'paused' })
  await disable(id)
  await tick()
  expect((await disable(id, 'finish')).body).toMatchObject({ running: 'finish' })
  expect((await patch(`/enrollments/${byHand}`, { status: 'running' })).status).toBe(200)
  app.clock.advance(10 * minute)
  await tick()
  app.clock.advance(10 * minute)
  await tick()
  for (const enrollment of [one, byHand])
    expect(await enrollmentOf(orNotFound(enrollment))).toMatchObject({ status: 'completed' })

  await enable(id)
  const again = await enrolled(id)
  await tick()
  app.clock.advance(10 * minute)
  await disable(id, 'cancel')
  const tooEarly = await enable(id)
  expect([tooEarly.status, tooEarly.body['error'].code]).toEqual([409, 'automation_cancelling'])
  await tick()
  expect(await enrollmentOf(again.enrollment)).toMatchObject({
    status: 'cancelled',
    reason: 'automation_disabled',
    steps: [],
  })
  expect((await enable(id)).body).toMatchObject({ enabled: true, running: null })
})

test('enabling while a pause is in progress leaves every enrollment running', async () => {
  const id = await enabled(waiting)
  await enrollMany(id, 60)
  await tick()
  await disable(id)
  await tick(1)
  await enable(id)
  await tick()
  expect((await statuses(id))['running']).toHaveLength(60)
  const { data } = await get(`/automations/${id}/changes`)
  expect(data.map(({ action, status }: Record<string, string>) => `${action} ${status}`)).toEqual([
    'resume done',
    'pause replaced',
  ])
})

test('resuming an enrollment is idempotent, and a stale ETag is rejected', async () => {
  const id = await enabled(waiting)
  const { enrollment } = await enrolled(id)
  await tick()
  const path = `/enrollments/${enrollment}`
  const before = await emailing.agent.get(path)
  await patch(path, { status: 'paused' })
  app.clock.advance(minute)
  const headers = { 'if-match': orNotFound(before.headers.get('etag')) }
  const stale = await emailing.agent.request('PATCH', path, { body: { status: 'running' }, headers })
  expect([stale.status, stale.body['error'].code]).toEqual([412, 'precondition_failed'])
  const resumed = await patch(path, { status: 'running' })
  app.clock.advance(minute)
  expect((await patch(path, { status: 'running' })).body).toEqual(resumed.body)
})

test('a change retries after a database outage and leaves no enrollment out', async () => {
  const id = await enabled(waiting)
  await enrollMany(id, 2)
  await tick()
  await disable(id, 'cancel')
  await using queue = app.runtime.database.across('gable_engine')
  let outages = 2
  const { database } = app.runtime
  const failing: typeof database = {
    ...database,
    transaction: (...of) => {
      if (of[0] === emailing.workspace.id && outages-- > 0) return Promise.reject(Unavailable())
      return database.transaction(...of)
    },
  }
  const log = createLog('silent')
  const engine = createEngine(
    { ...app.runtime, log, database: failing },
    queue,
    newId(app.clock.now()),
    batches,
  )
  for (let n = 0; n < 4; n++) await engine.tick()
  const [change] = (await get(`/automations/${id}/changes`))['data']
  expect(change).toMatchObject({ changed: 2, left_out: [], status: 'done' })
})

test('an enrollment that cannot be changed is left out and does not block the others', async () => {
  const id = await enabled(waiting)
  const all = await enrollMany(id, 4)
  await tick()
  // A step row that cannot be read makes every change of this enrollment throw.
  const broken = orNotFound(all[1])
  await asOwner(
    app.databaseUrl,
    `insert into enrollment_steps values ($1, $2, 0, 'x', 'send', now(), now(), 'done', null, '3')`,
    [emailing.workspace.id, broken.enrollment],
  )
  await disable(id, 'cancel')
  await tick()
  const [change] = (await get(`/automations/${id}/changes`))['data']
  expect(change).toMatchObject({
    changed: 3,
    left_out: [{ enrollment_id: broken.enrollment, reason: 'error' }],
  })
  await asOwner(app.databaseUrl, 'delete from enrollment_steps where enrollment_id = $1', [broken.enrollment])
  app.clock.advance(10 * minute)
  await tick()
  expect(await enrollmentOf(broken.enrollment), 'once it can be, it is').toMatchObject({
    status: 'cancelled',
  })
})

test('a long change does not hold up a short one that starts later', async () => {
  const [long, short] = [await enabled(waiting), await enabled(waiting)]
  await enrollMany(long, 120)
  await enrollMany(short, 1)
  await tick()
  await disable(long)
  await disable(short)
  await tick(4)
  const statusOf = async (id: string) => (await get(`/automations/${id}/changes`))['data'][0].status
  expect([await statusOf(long), await statusOf(short)]).toEqual(['running', 'done'])
})

test('concurrent engines change each enrollment once', async () => {
  const id = await enabled(waiting)
  await enrollMany(id, 70)
  await tick()
  await disable(id, 'cancel')
  await Promise.all([tick(2), tick(3), tick(1)])
  await tick()
  expect((await statuses(id))['cancelled']).toHaveLength(70)
  const [change] = (await get(`/automations/${id}/changes`))['data']
  expect(change).toMatchObject({ status: 'done', total: 70, unchanged: 0 })
  const rows = await asOwner<{ most: number }>(
    app.databaseUrl,
    `select max(count)::int as most from (
       select count(*) from events where name = 'automation.ended' and data->>'id' = $1
         and data->>'status' = 'cancelled' group by data->>'run_id') as each`,
    [id],
  )
  expect(rows[0]?.most).toBe(1)
})
