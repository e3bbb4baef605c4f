import { expect, test } from 'vitest'
import {
  emailing,
  enabled,
  enrolled,
  get,
  openAutomations,
  post,
  send,
  tagStep,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'
import { idOf } from '#test/support/fixtures.ts'

openAutomations()

const patch = (id: string, body: object) => emailing.agent.patch(`/automations/${id}`, body)
const codeOf = async (response: Promise<{ status: number; body: Record<string, unknown> }>) => {
  const { status, body } = await response
  return [status, (body['error'] as { code: string } | undefined)?.code]
}

test('a disabled automation can be archived: it is unlisted, cannot start, and can be restored', async () => {
  const trigger = { event: 'contact.tag_added' }
  const id = await enabled({ triggers: [trigger], steps: [tagStep('in')] })
  expect(await codeOf(patch(id, { archived: true }))).toEqual([409, 'automation_enabled'])
  await post(`/automations/${id}/disable`)
  const { body } = await patch(id, { archived: true })
  expect(body).toMatchObject({ archived_at: expect.any(String), enabled: false })
  const listed = async (query = '') =>
    (await get(`/automations?limit=100${query}`)).data.map((one: { id: string }) => one.id)
  expect(await listed()).not.toContain(id)
  expect(await listed('&archived=false')).not.toContain(id)
  expect(await listed('&archived=true')).toEqual([id])
  expect((await get(`/automations/${id}`)).archived_at).toEqual(body['archived_at'])
  expect(await codeOf(post(`/automations/${id}/enable`))).toEqual([409, 'automation_archived'])
  const contact = idOf(await post('/contacts', { first_name: 'Ada' }))
  await emailing.agent.patch(`/contacts/${contact}`, { tags: ['vip'] })
  await tick()
  expect((await get(`/automations/${id}/entries`)).data).toEqual([])
  expect((await patch(id, { archived: false, name: 'Back' })).body).toMatchObject({
    archived_at: null,
    name: 'Back',
  })
  expect(await codeOf(post(`/automations/${id}/enable`))).toEqual([200, undefined])
})

test('draft_version is the version that publishing would make, and null when there is nothing to publish', async () => {
  const definition = { steps: [tagStep('one')] }
  const other = { steps: [tagStep('two')] }
  const created = (await post('/automations', { name: 'New', definition })).body
  expect(created).toMatchObject({ version: null, draft_version: 1 })
  const id = String(created['id'])
  expect((await post(`/automations/${id}/publish`)).body).toMatchObject({ version: 1, draft_version: null })
  expect((await patch(id, { name: 'Renamed' })).body).toMatchObject({ draft_version: null })
  expect((await patch(id, { definition: other })).body).toMatchObject({ version: 1, draft_version: 2 })
  expect((await patch(id, { definition })).body).toMatchObject({ version: 1, draft_version: null })
  expect((await patch(id, { definition: other })).body).toMatchObject({ draft_version: 2 })
  expect((await post(`/automations/${id}/publish`)).body).toMatchObject({ version: 2, draft_version: null })
})

test('an automation counts its enrollments by status and version, within the reach of the caller', async () => {
  const id = await enabled({ steps: [waitStep('w', 60), tagStep('late')] })
  const [first, second] = [await enrolled(id), await enrolled(id)]
  await tick()
  await emailing.agent.patch(`/enrollments/${second.enrollment}`, { status: 'paused' })
  await patch(id, { definition: { steps: [waitStep('w', 90), tagStep('late')] } })
  await post(`/automations/${id}/publish`)
  const third = await enrolled(id)
  expect((await get(`/automations/${id}`)).stats).toEqual({
    queued: 1,
    running: 1,
    paused: 1,
    versions: [
      { version: 1, active: 2 },
      { version: 2, active: 1 },
    ],
  })
  await emailing.agent.patch(`/enrollments/${third.enrollment}`, { status: 'cancelled' })
  const member = await emailing.workspace.member()
  await emailing.agent.patch(`/contacts/${first.contact}`, { owner_id: member.id })
  const own = await emailing.workspace.keyFor(member.id)
  expect((await own.get(`/automations/${id}`)).body['stats']).toEqual({
    queued: 0,
    running: 1,
    paused: 0,
    versions: [{ version: 1, active: 1 }],
  })
})

test('enrollments can be filtered by contact, and list the events they wait for', async () => {
  const events = [{ event: 'message.received' }, { event: 'call.completed' }]
  const id = await enabled({
    steps: [{ key: 'r', type: 'wait_for', events, timeout: { days: 1 } }, send('a')],
  })
  const [one] = [await enrolled(id), await enrolled(id)]
  await tick()
  const { data } = await get(`/automations/${id}/enrollments?contact_id=${one.contact}`)
  expect(data).toMatchObject([
    {
      id: one.enrollment,
      waiting_for: { kind: 'event', events: ['message.received', 'call.completed'] },
    },
  ])
})
