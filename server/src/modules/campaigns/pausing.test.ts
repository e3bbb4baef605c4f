import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import {
  act,
  app,
  create,
  enrollmentOf,
  entered,
  getCampaign,
  leads,
  messagesOf,
  openCampaigns,
  pass,
  sendAll,
  started,
  statusesOf,
  summarize,
  texting,
} from '#test/scenes/campaigns.ts'
import { runDue } from '#test/scenes/engine.ts'
import { asOwner } from '#test/support/database.ts'
import { pauseAfterCall } from '../enrollments/public.ts'
import { lockEnrollment } from '../enrollments/queries.ts'

openCampaigns()

test('rescheduling a start to an earlier time takes effect and publishes an update', async () => {
  await leads(1)
  const id = await create()
  await summarize(id)
  await act(id, 'schedule', { starts_at: '2026-03-02T18:00:00.000Z' })
  await pass(1)
  await act(id, 'schedule', { starts_at: '2026-03-02T16:30:00.000Z' })
  expect(await pass(32)).toEqual(['16:30'])
  const updates = await texting.events('campaign.updated')
  expect(updates).toHaveLength(1)
})

test('a pause racing with the engine succeeds, and no message is sent', async () => {
  await leads(40)
  const id = await started({ throttle_per_hour: 10_000 })
  await entered(id, 40)
  // The contacts who are due first have no number, so they get no message.
  await asOwner(
    app.databaseUrl,
    `update contacts set phone = null where id in (
       select contact_id from enrollments where automation_id = $1 order by due_at limit 30)`,
    [id],
  )
  const free = 'select id from enrollments where automation_id = $1 for update skip locked'
  const pausing = async () => {
    // Wait until the engine is in the middle of its batch. It works in order of due time, which is not ID order.
    while ((await asOwner(app.databaseUrl, free, [id])).length === 40);
    return act(id, 'pause')
  }
  const [{ status }] = await Promise.all([pausing(), runDue(app, 3)])
  expect(status).toBe(200)
  await runDue(app)
  expect(await pass(10)).toEqual([])
  expect(await getCampaign(id)).toMatchObject({ status: 'paused', stats: { sent: 0 } })
  await act(id, 'resume')
  await pass(3)
  expect(await getCampaign(id)).toMatchObject({
    status: 'completed',
    stats: { sent: 10, blocked: { phone_missing: 30 } },
  })
})

test('pausing and cancelling do not wait for an enrollment that the engine has locked', async () => {
  const [ada] = await leads(2)
  const id = await started({ throttle_per_hour: 10_000 })
  await entered(id, 2)
  const enrollment = await enrollmentOf(orNotFound(ada).id)
  const { ctx } = texting.workspace
  const statuses = await ctx.transaction(async (tx) => {
    await lockEnrollment(tx, enrollment)
    return [await act(id, 'pause'), await act(id, 'resume'), await act(id, 'cancel')].map(
      ({ status }) => status,
    )
  })
  expect(statuses).toEqual([200, 200, 200])
  await pass(2)
  expect(await getCampaign(id)).toMatchObject({ status: 'cancelled', stats: { cancelled: 2, queued: 0 } })
})

test('a cancellation racing with the engine leaves no recipient queued', async () => {
  await leads(40)
  const id = await started({ throttle_per_hour: 10_000 })
  await entered(id, 40)
  const [{ status }] = await Promise.all([act(id, 'cancel'), runDue(app, 3)])
  expect(status).toBe(200)
  await runDue(app)
  expect(await pass(5)).toEqual([])
  expect(await getCampaign(id)).toMatchObject({ status: 'cancelled', stats: { cancelled: 40, queued: 0 } })
})

test('a recipient paused before their message was created gets it in turn, as do the others', async () => {
  await leads(4)
  const id = await started({ throttle_per_hour: 60 })
  await runDue(app)
  await entered(id, 1)
  await act(id, 'pause')
  await pass(30)
  await act(id, 'resume')
  const from = app.clock.now().getTime()
  const first = (await sendAll()).length
  const times = await pass(6)
  const minutes = times.map((time) => (Date.parse(`2026-03-02T${time}:00.000Z`) - from) / 60_000)
  expect([first, ...minutes.map(Math.round)]).toEqual([1, 1, 2, 3])
  expect((await getCampaign(id)).status).toBe('completed')
})

test('after many recipients have resumed in turn, the contacts who have not entered follow at the same pace', async () => {
  await leads(55)
  const id = await started({ throttle_per_hour: 3600 })
  await entered(id, 52)
  await act(id, 'pause')
  await runDue(app)
  expect(new Set(await statusesOf(id))).toEqual(new Set(['paused campaign_paused']))
  const [change] = await asOwner<{ id: string }>(
    app.databaseUrl,
    'select id from automation_changes where automation_id = $1',
    [id],
  )
  expect((await texting.agent.get(`/automation-changes/${change?.id}`)).status).toBe(404)
  await act(id, 'resume')
  const from = app.clock.now().getTime()
  for (let n = 0; n < 60; n++) {
    await runDue(app)
    app.clock.advance(1000)
  }
  const rows = await asOwner<{ started_at: Date; created_at: Date }>(
    app.databaseUrl,
    'select started_at, created_at from enrollments where automation_id = $1 order by started_at',
    [id],
  )
  const seconds = (at: Date) => Math.round((at.getTime() - from) / 1000)
  expect(rows.map(({ started_at }) => seconds(started_at))).toEqual(Array.from({ length: 55 }, (_, n) => n))
  expect(rows.slice(-3).map(({ created_at }) => seconds(created_at))).toEqual([52, 53, 54])
})

test('a recipient paused individually can resume, and then the campaign completes', async () => {
  const [ada] = await leads(2)
  const id = await started({ throttle_per_hour: 60 })
  await runDue(app)
  const enrollment = await enrollmentOf(orNotFound(ada).id)
  const change = (status: string) => texting.agent.patch(`/enrollments/${enrollment}`, { status })
  expect((await change('paused')).body).toMatchObject({ status: 'paused', reason: null })
  await pass(5)
  expect(await getCampaign(id)).toMatchObject({ status: 'running', stats: { queued: 1, sent: 1 } })
  await act(id, 'pause')
  const early = await change('running')
  expect([early.status, early.body['error']?.code]).toEqual([409, 'campaign_paused'])
  await act(id, 'resume')
  await pass(2)
  expect((await texting.agent.get(`/enrollments/${enrollment}`)).body).toMatchObject({ status: 'paused' })
  expect((await change('running')).status).toBe(200)
  await pass(2)
  expect(await getCampaign(id)).toMatchObject({ status: 'completed', stats: { queued: 0, sent: 2 } })
  expect((await messagesOf(id)).map(({ status }) => status).toSorted()).toEqual(['cancelled', 'sent', 'sent'])
})

test('a contact marked as not interested after a call is left out, and the campaign completes', async () => {
  const [ada] = await leads(1)
  const id = await started()
  await entered(id, 1)
  await texting.workspace.ctx.transaction((tx) => pauseAfterCall(tx, orNotFound(ada).id, 'not_interested'))
  expect(await statusesOf(id)).toEqual(['exited not_interested'])
  await pass(2)
  expect(await getCampaign(id)).toMatchObject({ status: 'completed', stats: { sent: 0 } })
  expect(await messagesOf(id)).toEqual([])
})
