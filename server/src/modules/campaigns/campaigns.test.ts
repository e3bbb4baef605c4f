import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import {
  act,
  app,
  create,
  draft,
  getCampaign,
  leads,
  messagesOf,
  openCampaigns,
  pass,
  rejected,
  sendAll,
  started,
  summarize,
  texting,
} from '#test/scenes/campaigns.ts'
import { runDue } from '#test/scenes/engine.ts'

const morning = '2026-03-02T16:00:00.000Z'

openCampaigns()

test('a campaign sends to each contact of the audience once, at its pace, and completes', async () => {
  const people = await leads(4)
  const id = await started({ throttle_per_hour: 4 })
  app.clock.advance(1)
  await texting.lead('+13125559999')
  await runDue(app)
  await sendAll()
  expect(await getCampaign(id)).toMatchObject({
    status: 'running',
    stats: { recipients: 4, waiting: 3, sent: 1 },
  })
  expect(await pass(50)).toEqual(['16:15', '16:30', '16:45'])
  expect(await getCampaign(id)).toMatchObject({
    status: 'completed',
    started_at: morning,
    ended_at: expect.any(String),
    stats: { recipients: 4, waiting: 0, queued: 0, sent: 4, blocked: {}, left_out: {} },
  })
  const sent = await messagesOf(id)
  expect(sent.map(({ to }) => to)).toEqual(people.map(({ phone }) => phone))
  expect(sent[0]).toMatchObject({ source: 'campaign', body: 'Hi there, the open house is on Saturday.' })
  expect(await texting.events('campaign.status_changed')).toMatchObject([
    { from: 'draft', to: 'running' },
    { from: 'running', to: 'completed' },
  ])
})

test('a summary counts eligible, deferred, and blocked recipients, and a shared number once', async () => {
  const [ada, eda, , ivy] = await leads(5)
  await texting.agent.post('/contacts', { source: 'Website', phone: ada?.phone })
  await texting.agent.post('/contacts', { source: 'Website' })
  await texting.text(orNotFound(eda).phone, 'STOP')
  // It is 6 am in Hawaii.
  await texting.agent.patch(`/contacts/${orNotFound(ivy).id}`, { timezone: 'Pacific/Honolulu' })
  const id = await create()
  expect(await summarize(id)).toEqual({
    status: 'completed',
    at: morning,
    scanned: 7,
    recipients: 5,
    eligible: 3,
    deferred: 1,
    blocked: { opted_out: 1 },
    left_out: { shared_recipient: 1, phone_missing: 1 },
  })
})

test('starting requires a summary of the same text and audience, at most an hour old', async () => {
  await leads(1)
  const id = await create()
  expect(await rejected(act(id, 'start'))).toEqual([409, 'summary_needed'])
  await summarize(id)
  await texting.agent.patch(`/campaigns/${id}`, { template: { body: 'Another text.' } })
  expect(await rejected(act(id, 'start'))).toEqual([409, 'summary_needed'])
  await summarize(id)
  await texting.agent.patch(`/campaigns/${id}`, { audience: { all: [] } })
  expect(await rejected(act(id, 'start'))).toEqual([409, 'summary_needed'])
  await summarize(id)
  await texting.agent.patch(`/campaigns/${id}`, { name: 'Renamed', throttle_per_hour: 60 })
  app.clock.advance(60 * 60_000 + 1)
  expect(await rejected(act(id, 'start'))).toEqual([409, 'summary_needed'])
  await summarize(id)
  expect((await act(id, 'start')).body).toMatchObject({ status: 'running', name: 'Renamed' })
})

test('concurrent requests start a campaign once', async () => {
  await leads(2)
  const id = await create()
  await summarize(id)
  const both = await Promise.all([rejected(act(id, 'start')), rejected(act(id, 'start'))])
  expect(both.toSorted()).toEqual([
    [200, undefined],
    [409, 'campaign_status'],
  ])
  await runDue(app)
  expect(await pass(40)).toHaveLength(2)
  expect(await messagesOf(id)).toHaveLength(2)
})

test('returns 409 for an action that the status does not allow', async () => {
  await leads(1)
  const id = await create()
  for (const verb of ['pause', 'resume'])
    expect(await rejected(act(id, verb))).toEqual([409, 'campaign_status'])
  await summarize(id)
  expect(await rejected(act(id, 'schedule', {}))).toEqual([409, 'schedule_past'])
  await act(id, 'start')
  for (const verb of ['resume', 'start', 'schedule', 'summary'])
    expect(await rejected(act(id, verb, verb === 'schedule' ? {} : undefined))).toEqual([
      409,
      'campaign_status',
    ])
  expect(await rejected(texting.agent.patch(`/campaigns/${id}`, { template: { body: 'No.' } }))).toEqual([
    409,
    'campaign_status',
  ])
  await act(id, 'cancel')
  for (const verb of ['pause', 'resume', 'cancel', 'start'])
    expect(await rejected(act(id, verb))).toEqual([409, 'campaign_status'])
})

test('a campaign with an empty audience cannot be started', async () => {
  const id = await create()
  expect(await summarize(id)).toMatchObject({ recipients: 0 })
  expect(await rejected(act(id, 'start'))).toEqual([409, 'campaign_empty'])
})

test('a campaign whose audience is empty at its start completes without a message', async () => {
  const [ada] = await leads(1)
  const id = await create()
  await summarize(id)
  await act(id, 'schedule', { starts_at: '2026-03-02T17:00:00.000Z' })
  await texting.agent.patch(`/contacts/${orNotFound(ada).id}`, { source: 'Expo' })
  await pass(62)
  expect(await getCampaign(id)).toMatchObject({ status: 'completed', stats: { recipients: 0, sent: 0 } })
})

test('a scheduled campaign starts on time, with the audience at that time', async () => {
  await leads(1)
  const id = await create()
  await summarize(id)
  const { body } = await act(id, 'schedule', { starts_at: '2026-03-02T17:00:00.000Z' })
  expect(body).toMatchObject({ status: 'scheduled', schedule: { starts_at: '2026-03-02T17:00:00.000Z' } })
  await texting.lead('+13125559999')
  expect(await pass(59)).toEqual([])
  expect((await getCampaign(id)).status).toBe('scheduled')
  expect(await pass(30)).toEqual(['17:00', '17:01'])
  expect((await getCampaign(id)).started_at).toBe('2026-03-02T17:00:00.000Z')
})

test('starting requires messages:send, and an invalid draft is rejected', async () => {
  await leads(1)
  const id = await create()
  await summarize(id)
  const writer = await texting.workspace.credential('automations:write')
  expect(await rejected(writer.post(`/campaigns/${id}/start`))).toEqual([403, 'insufficient_scope'])
  const wrong = [
    { channel: 'EMAIL', template: { body: 'Without a subject.' } },
    { template: { subject: 'No', body: 'A text has no subject.' } },
    { template: { body: 'Hi {{contact.phone}}' } },
    { audience: { field: 'contact.nothing', operator: 'exists' } },
    { throttle_per_hour: 0 },
  ]
  for (const more of wrong)
    expect(
      await rejected(texting.agent.post('/campaigns', { ...draft, ...more })),
      JSON.stringify(more),
    ).toEqual([400, 'validation_failed'])
})

test('a member sees only recipients who are their own contacts', async () => {
  const [ada] = await leads(2)
  const member = await texting.workspace.member()
  await texting.agent.patch(`/contacts/${orNotFound(ada).id}`, { owner_id: member.id })
  const own = await texting.workspace.keyFor(member.id)
  const id = await started()
  await runDue(app)
  await pass(2)
  const contactsOf = async (client: typeof own) =>
    (await client.get(`/campaigns/${id}/recipients`)).body['data'].map(
      (row: { contact_id: string }) => row.contact_id,
    )
  expect(await contactsOf(texting.agent)).toHaveLength(2)
  expect(await contactsOf(own)).toEqual([ada?.id])
  expect((await own.get(`/campaigns/${id}`)).body['stats']).toMatchObject({ recipients: 1, sent: 1 })
  // The summary counts everyone in the workspace.
  expect((await texting.agent.get(`/campaigns/${id}`)).body['compliance_summary']).not.toBeNull()
  expect((await own.get(`/campaigns/${id}`)).body['compliance_summary']).toBeNull()
  expect(await rejected(own.post(`/campaigns/${id}/pause`))).toEqual([403, 'insufficient_scope'])
})

test('the automation and the backfill of a campaign are hidden from their own endpoints', async () => {
  const [ada] = await leads(1)
  const id = await started()
  const lists = ['backfills', 'entries', 'changes', 'enrollments', 'versions']
  for (const path of [
    `/automations/${id}`,
    `/backfills/${id}`,
    ...lists.map((one) => `/automations/${id}/${one}`),
  ])
    expect((await texting.agent.get(path)).status, path).toBe(404)
  for (const verb of ['enroll', 'explain', 'dry-run'])
    expect(
      (await texting.agent.post(`/automations/${id}/${verb}`, { contact_id: orNotFound(ada).id })).status,
      verb,
    ).toBe(404)
  const steps = [{ key: 'in', type: 'enroll', automation_id: id }]
  const named = await texting.agent.post('/automations', { name: 'Into it', definition: { steps } })
  expect(named.status, 'as a step').toBe(404)
  const { body } = await texting.agent.get('/automations')
  expect(body['data'].map(({ id: one }: { id: string }) => one)).not.toContain(id)
  const enrollments = await texting.agent.get(`/contacts/${orNotFound(ada).id}/enrollments`)
  await runDue(app)
  expect(enrollments.status).toBe(200)
})

test('campaigns can be filtered by channel and status', async () => {
  const id = await create()
  const email = await create({ channel: 'EMAIL', template: { subject: 'News', body: 'Hello.' } })
  const listed = async (query: string) =>
    (await texting.agent.get(`/campaigns?${query}`)).body['data'].map((row: { id: string }) => row.id)
  expect(await listed('channel=SMS')).toEqual([id])
  expect(await listed('channel=EMAIL')).toEqual([email])
  await act(id, 'cancel')
  expect(await listed('status=cancelled')).toEqual([id])
})
