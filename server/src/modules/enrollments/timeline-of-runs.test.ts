import { expect, test } from 'vitest'
import {
  emailing,
  enabled,
  enrolled,
  get,
  openAutomations,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'

openAutomations()

const titles = async (contact: string) =>
  (await get(`/contacts/${contact}/events`)).data
    .flatMap(({ type, title }: Record<string, string>) => (type === 'automation' ? [title] : []))
    .toReversed()

test('the timeline shows the start, each pause and resumption, and the end, with the name', async () => {
  const id = await enabled({ steps: [waitStep('wait', 5)] })
  const { contact, enrollment } = await enrolled(id)
  await tick()
  for (const status of ['paused', 'running', 'cancelled'])
    await emailing.agent.patch(`/enrollments/${enrollment}`, { status })
  expect(await titles(contact)).toEqual([
    'Automation started: No reply',
    'Automation paused: No reply',
    'Automation resumed: No reply',
    'Automation cancelled: No reply',
  ])
})

test('an enrollment that ends before its first step has one entry; the audit log shows who requested it', async () => {
  const { contact, enrollment } = await enrolled(await enabled({ steps: [waitStep('wait', 5)] }))
  await emailing.agent.patch(`/enrollments/${enrollment}`, { status: 'cancelled' })
  expect(await titles(contact)).toEqual(['Automation cancelled: No reply'])
  const admin = await emailing.workspace.credential('settings:manage')
  const { data } = (await admin.get('/audit-log?type=enrollment.created')).body
  expect(data[0]).toMatchObject({ subject: { id: enrollment }, actor: { type: 'api_key' } })
})
