import { expect, test } from 'vitest'
import { leaseFrom } from '#kernel/background/lease.ts'
import { orNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
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
} from '#test/scenes/automations.ts'
import { idOf } from '#test/support/fixtures.ts'
import { addLanesAcrossWorkspaces, claimLanesAcrossWorkspaces } from './lane-queries.ts'
import { moveContacts } from './move-contacts.ts'

openAutomations()

const alsoIn = async (automation: string, contact_id: string) =>
  idOf(await post(`/automations/${automation}/enroll`, { contact_id }))

test('the second of two automations moving a contact sees the changes of the first', async () => {
  const first = await enabled({ steps: [{ key: 'a', type: 'stage', stage: 'SPHERE' }] })
  const conditions = { field: 'contact.stage', operator: 'eq', value: 'SPHERE' }
  const second = await enabled({ exits: [{ when: 'conditions', conditions }], steps: [tag] })
  const { contact } = await enrolled(first)
  const other = await alsoIn(second, contact)
  await tick()
  expect(await get(`/enrollments/${other}`)).toMatchObject({ status: 'exited', steps: [] })
})

test('an enrollment stopped by another automation in the same move takes no step', async () => {
  const second = await enabled({ steps: [tag] })
  const first = await enabled({ steps: [{ key: 'a', type: 'stop', automation_id: second }] })
  const { contact } = await enrolled(first)
  const other = await alsoIn(second, contact)
  await tick()
  expect(await get(`/enrollments/${other}`)).toMatchObject({ status: 'exited', reason: 'stopped', steps: [] })
})

test("an exit applies even if its server's clock lags the server that enrolled the contact", async () => {
  const id = await enabled({ exits: [{ when: 'owner_changed' }], steps: [tag] })
  const { contact, enrollment } = await enrolled(id)
  app.clock.advance(-2000)
  const { id: owner_id } = await emailing.workspace.member()
  await emailing.agent.patch(`/contacts/${contact}`, { owner_id })
  app.clock.advance(2000)
  await tick()
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'exited', steps: [] })
})

test('a due step runs even if an engine died after a move without releasing its lane', async () => {
  const id = await enabled({ steps: [{ key: 'w', type: 'wait', for: { minutes: 5 } }, tag] })
  const { contact, enrollment } = await enrolled(id)
  const { workspace } = emailing
  await using queue = app.runtime.database.across('gable_engine')
  const now = app.clock.now()
  await addLanesAcrossWorkspaces(queue, [workspace.id], now)
  const [hold] = await claimLanesAcrossWorkspaces(queue, {
    ids: [workspace.id],
    holder: newId(now),
    lease: leaseFrom(app.clock, 30_000),
    limit: 1,
  })
  await moveContacts(workspace.ctx, orNotFound(hold), [contact])
  app.clock.advance(5 * 60_000)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['w done', 'on done'])
})

test('an exit after an enroll step applies, even if the engine has yet to enroll the contact', async () => {
  const follows = await enabled({ exits: [{ when: 'owner_changed' }], steps: [tagStep('followed')] })
  const into = { key: 'in', type: 'enroll', automation_id: follows }
  const { contact } = await enrolled(await enabled({ steps: [into] }))
  await tick(1)
  const { id: owner_id } = await emailing.workspace.member()
  await emailing.agent.patch(`/contacts/${contact}`, { owner_id })
  await tick()
  expect((await get(`/automations/${follows}/enrollments`))['data']).toMatchObject([
    { contact_id: contact, status: 'exited', reason: 'owner_changed', started_at: null },
  ])
})
