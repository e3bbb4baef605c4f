import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
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

openAutomations()

const minute = 60_000
const patch = (path: string, body: object) => emailing.agent.patch(path, body)
const enrollmentOf = (id: string) => get(`/enrollments/${id}`)

async function publish(automation: string, definition: object): Promise<void> {
  await patch(`/automations/${automation}`, { definition })
  await post(`/automations/${automation}/publish`)
}

test('a migration moves enrollments whose step is in the new version, and lists the others', async () => {
  const id = await enabled({ steps: [waitStep('a', 10), tagStep('old'), waitStep('b', 10)] })
  const [atA, paused, atB] = [await enrolled(id), await enrolled(id), await enrolled(id)]
  await tick()
  await patch(`/enrollments/${orNotFound(paused).enrollment}`, { status: 'paused' })
  app.clock.advance(5 * minute)
  const begun = await enrolled(id)
  await asOwner(app.databaseUrl, `update enrollments set step_key = 'b' where id = $1`, [
    orNotFound(atB).enrollment,
  ])
  await publish(id, { steps: [tagStep('first'), waitStep('a', 100), tagStep('new')] })
  const until = (await enrollmentOf(orNotFound(atA).enrollment))['waiting_for'].until
  const started = await post(`/automations/${id}/migrate`, { to: 2 })
  expect(started.status).toBe(202)
  expect(started.body).toMatchObject({ action: 'migrate', version: 2, total: 4, status: 'running' })
  await tick()
  expect(await get(`/automation-changes/${started.body['id']}`)).toMatchObject({
    status: 'done',
    changed: 3,
    unchanged: 1,
    left_out: [{ enrollment_id: orNotFound(atB).enrollment, reason: 'step_missing' }],
  })
  expect(await enrollmentOf(orNotFound(atA).enrollment)).toMatchObject({
    version: 2,
    step_key: 'a',
    waiting_for: { until },
  })
  expect(await enrollmentOf(orNotFound(atB).enrollment)).toMatchObject({ version: 1 })
  expect(await enrollmentOf(orNotFound(paused).enrollment)).toMatchObject({ version: 2, status: 'paused' })
  const { steps } = await enrollmentOf(begun.enrollment)
  expect(steps.map(({ step_key }: { step_key: string }) => step_key)).toEqual(['first'])
  const { data } = await get(`/contacts/${orNotFound(atA).contact}/events`)
  expect(data.map(({ title }: { title: string }) => title)).toContain(
    'Automation moved to version 2: No reply',
  )
  app.clock.advance(5 * minute)
  await tick()
  expect((await get(`/contacts/${orNotFound(atA).contact}`))['tags']).toEqual(['new'])
})

test('a migration leaves out an enrollment whose step has the same key but another type', async () => {
  const id = await enabled({ steps: [waitStep('wait', 10), tagStep('after')] })
  const { enrollment } = await enrolled(id)
  await tick()
  await publish(id, { steps: [tagStep('wait'), tagStep('after')] })
  const { body } = await post(`/automations/${id}/migrate`, { to: 2 })
  await tick()
  expect((await get(`/automation-changes/${body['id']}`))['left_out']).toEqual([
    { enrollment_id: enrollment, reason: 'step_differs' },
  ])
  const unknown = await post(`/automations/${id}/migrate`, { to: 3 })
  expect([unknown.status, unknown.body['error'].details[0].path]).toEqual([400, 'to'])
})

test('a migration leaves out a contact who is active in another automation of the group', async () => {
  const inGroup = { exclusive_group: { name: 'nurture' }, steps: [waitStep('wait', 10)] }
  const id = await enabled({ steps: [waitStep('wait', 10)] })
  const other = await enabled(inGroup)
  const [free, taken] = [await enrolled(id), await enrolled(id)]
  await post(`/automations/${other}/enroll`, { contact_id: taken.contact })
  await tick()
  await publish(id, inGroup)
  const { body } = await post(`/automations/${id}/migrate`, { to: 2 })
  await tick()
  expect(await get(`/automation-changes/${body['id']}`)).toMatchObject({
    changed: 1,
    left_out: [{ enrollment_id: taken.enrollment, reason: 'group' }],
  })
  const rejected = await post(`/automations/${other}/enroll`, { contact_id: free.contact })
  expect([rejected.status, rejected.body['error'].code]).toEqual([409, 'exclusive_group_taken'])
})

test('a migrated enrollment exits at once if an exit of the new version already holds', async () => {
  const id = await enabled({ steps: [waitStep('a', 10)] })
  const { contact, enrollment } = await enrolled(id)
  await tick()
  await patch(`/contacts/${contact}`, { tags: ['vip'] })
  await publish(id, { exits: [{ when: 'tag', tag: 'vip' }], steps: [waitStep('a', 10)] })
  await post(`/automations/${id}/migrate`, { to: 2 })
  await tick()
  expect(await enrollmentOf(enrollment)).toMatchObject({ status: 'exited', reason: 'tag' })
})

test('a migrated wait counts newly awaited events from when its step began', async () => {
  const waitFor = (...events: string[]) => ({
    steps: [
      {
        key: 'w',
        type: 'wait_for',
        events: events.map((event) => ({ event, steps: [tagStep(event.slice(-5))] })),
        timeout: { days: 1 },
      },
    ],
  })
  const id = await enabled(waitFor('appointment.booked'))
  const { contact, enrollment } = await enrolled(id)
  await tick()
  app.clock.advance(minute)
  await patch(`/contacts/${contact}`, { tags: ['vip'] })
  await publish(id, waitFor('appointment.booked', 'contact.tag_added'))
  await post(`/automations/${id}/migrate`, { to: 2 })
  await tick()
  expect(await enrollmentOf(enrollment)).toMatchObject({ status: 'completed' })
})
