import { expect, test } from 'vitest'
import {
  act,
  app,
  create,
  getCampaign,
  leads,
  messagesOf,
  openCampaigns,
  pass,
  rejected,
  summarize,
  texting,
} from '#test/scenes/campaigns.ts'
import { runDue } from '#test/scenes/engine.ts'

openCampaigns()

const at = '2026-03-02T17:00:00.000Z'

async function scheduled(): Promise<string> {
  const id = await create()
  await summarize(id)
  await act(id, 'schedule', { starts_at: at })
  return id
}

const edit = (id: string, changes: object) => texting.agent.patch(`/campaigns/${id}`, changes)

test('an unscheduled campaign is a draft that can be edited, and starts with what it has become', async () => {
  await leads(1)
  const id = await scheduled()
  const template = { body: 'The open house is on Sunday.' }
  expect(await rejected(edit(id, { template }))).toEqual([409, 'campaign_status'])
  expect((await act(id, 'unschedule')).body).toMatchObject({ status: 'draft', schedule: { starts_at: at } })
  expect(await texting.events('campaign.status_changed')).toMatchObject([
    { from: 'draft', to: 'scheduled' },
    { from: 'scheduled', to: 'draft' },
  ])
  expect(await pass(90)).toEqual([])
  const audience = { field: 'contact.source', operator: 'eq', value: 'Expo' }
  await edit(id, { template, audience, throttle_per_hour: 2 })
  for (const phone of ['+13125558881', '+13125558882'])
    await texting.agent.patch(`/contacts/${await texting.lead(phone)}`, { source: 'Expo' })
  await summarize(id)
  await act(id, 'schedule', { starts_at: '2026-03-02T18:00:00.000Z' })
  expect(await pass(90)).toEqual(['18:00', '18:30'])
  expect(await messagesOf(id)).toMatchObject([{ body: template.body }, { body: template.body }])
  expect(await getCampaign(id)).toMatchObject({ status: 'completed', stats: { sent: 2 } })
})

test('an unscheduled campaign can be started or cancelled; one that has started cannot be unscheduled', async () => {
  await leads(1)
  const [one, other] = [await scheduled(), await scheduled()]
  await act(one, 'unschedule')
  expect(await rejected(act(one, 'unschedule'))).toEqual([409, 'campaign_status'])
  expect((await act(one, 'cancel')).body).toMatchObject({ status: 'cancelled' })
  await act(other, 'unschedule')
  expect((await act(other, 'start')).body).toMatchObject({ status: 'running' })
  expect(await rejected(act(other, 'unschedule'))).toEqual([409, 'campaign_status'])
  expect(await pass(5)).toHaveLength(1)
})

test('if a campaign is unscheduled as it starts, either it starts or it is a draft', async () => {
  await leads(1)
  const id = await scheduled()
  app.clock.set(at)
  const [{ status }] = await Promise.all([act(id, 'unschedule'), runDue(app)])
  await pass(5)
  const isDraft = status === 200
  expect(status).toBe(isDraft ? 200 : 409)
  expect((await getCampaign(id)).status === 'draft').toBe(isDraft)
  expect(await messagesOf(id)).toHaveLength(isDraft ? 0 : 1)
})
