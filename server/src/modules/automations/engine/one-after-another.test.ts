import { expect, test } from 'vitest'
import {
  app,
  emailing,
  enabled,
  enrolled,
  get,
  openAutomations,
  post,
  tag,
  tick,
} from '#test/scenes/automations.ts'
import { idOf } from '#test/support/fixtures.ts'

openAutomations()

const alsoIn = async (automation: string, contact_id: string) =>
  idOf(await post(`/automations/${automation}/enroll`, { contact_id }))

test('of two automations that move a contact at once, the later one sees what the earlier one has done', async () => {
  const first = await enabled({ steps: [{ key: 'a', type: 'stage', stage: 'SPHERE' }] })
  const conditions = { field: 'contact.stage', operator: 'eq', value: 'SPHERE' }
  const second = await enabled({ exits: [{ when: 'conditions', conditions }], steps: [tag] })
  const { contact } = await enrolled(first)
  const other = await alsoIn(second, contact)
  await tick()
  expect(await get(`/enrollments/${other}`)).toMatchObject({ status: 'exited', steps: [] })
})

test('an enrollment that another one has just stopped takes no step', async () => {
  const second = await enabled({ steps: [tag] })
  const first = await enabled({ steps: [{ key: 'a', type: 'stop', automation_id: second }] })
  const { contact } = await enrolled(first)
  const other = await alsoIn(second, contact)
  await tick()
  expect(await get(`/enrollments/${other}`)).toMatchObject({ status: 'exited', reason: 'stopped', steps: [] })
})

test('an exit holds even where the clock of its server is behind that of the one that enrolled the contact', async () => {
  const id = await enabled({ exits: [{ when: 'owner_changed' }], steps: [tag] })
  const { contact, enrollment } = await enrolled(id)
  app.clock.advance(-2000)
  const { id: owner_id } = await emailing.workspace.member()
  await emailing.agent.patch(`/contacts/${contact}`, { owner_id })
  app.clock.advance(2000)
  await tick()
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'exited', steps: [] })
})
