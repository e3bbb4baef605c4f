import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import {
  act,
  app,
  create,
  getCampaign,
  leads,
  messagesOf,
  openCampaigns,
  pass,
  sendAll,
  started,
  summarize,
  texting,
} from '#test/scenes/campaigns.ts'
import { runDue } from '#test/scenes/engine.ts'
import { asOwner } from '#test/support/database.ts'
import { settleSends } from '../messages/outbox/settle-sends.ts'
import { listSenders, updateSender } from '../senders/public.ts'

openCampaigns()

test("a pause holds queued messages, which are sent at the campaign's pace after resuming", async () => {
  await leads(4)
  const id = await started({ throttle_per_hour: 60 })
  await runDue(app)
  await pass(2, false)
  expect((await act(id, 'pause')).body).toMatchObject({ status: 'paused', stats: { queued: 3, waiting: 1 } })
  expect(await pass(180)).toEqual([])
  await act(id, 'resume')
  const now = app.clock.now().toISOString().slice(11, 16)
  expect(await sendAll()).toHaveLength(1)
  const times = await pass(10)
  const minutesAfter = times.map((time) => Number(time.slice(3)) - Number(now.slice(3)))
  expect(minutesAfter).toEqual([1, 2, 3])
  expect(await getCampaign(id)).toMatchObject({ status: 'completed', stats: { sent: 4 } })
})

test('a message in flight when its campaign is paused is not sent again during the pause', async () => {
  await leads(1)
  const id = await started()
  await runDue(app)
  const [{ attemptId, messageId } = { attemptId: '', messageId: '' }] = await texting.begin()
  await act(id, 'pause')
  const outcome = {
    kind: 'later' as const,
    failure: { code: 'provider_unavailable' as const, carrierCode: null, message: 'No.' },
    retryAfterMs: null,
  }
  await settleSends(app.runtime, texting.workspace.id, [{ messageId, attemptId, outcome }])
  expect(await pass(60)).toEqual([])
  await act(id, 'resume')
  expect(await pass(2)).toHaveLength(1)
  expect(await messagesOf(id)).toMatchObject([{ status: 'sent' }])
})

test('a cancellation stops messages that have not begun sending, including queued ones', async () => {
  await leads(4)
  const id = await started({ throttle_per_hour: 60 })
  await runDue(app)
  await pass(1, false)
  const begun = await texting.begin()
  await pass(1, false)
  expect((await act(id, 'cancel')).body).toMatchObject({ status: 'cancelled' })
  for (const { attemptId } of begun) await texting.taken(attemptId)
  expect(await pass(120)).toEqual([])
  const { stats } = await getCampaign(id)
  expect(stats.sent + stats.cancelled).toBe(4)
  expect(stats).toMatchObject({ waiting: 0, queued: 0 })
  const { body } = await texting.agent.get(`/campaigns/${id}/recipients?status=cancelled`)
  expect(body['data']).toHaveLength(stats.cancelled)
})

test('a cancellation racing with the engine and the sender leaves every message sent or cancelled', async () => {
  await leads(12)
  const id = await started({ throttle_per_hour: 10_000 })
  await runDue(app)
  const advance = async () => {
    for (let n = 0; n < 8; n++) {
      app.clock.advance(400)
      await runDue(app)
      await sendAll()
    }
  }
  await Promise.all([advance(), advance(), (async () => act(id, 'cancel'))()])
  await pass(5)
  const statuses = new Set((await messagesOf(id)).map(({ status }) => status))
  expect([...statuses].filter((status) => !['sent', 'cancelled'].includes(status))).toEqual([])
  const { status, stats } = await getCampaign(id)
  expect([status, stats.sent + stats.cancelled]).toEqual(['cancelled', 12])
})

test('opt-outs and erasures after the start apply when each message is sent', async () => {
  const [ada, eda, ivy] = await leads(3)
  const id = await started({ throttle_per_hour: 60 })
  await runDue(app)
  await sendAll()
  await texting.text(orNotFound(eda).phone, 'STOP')
  await texting.agent.delete(`/contacts/${orNotFound(ivy).id}`)
  await pass(5)
  expect(await getCampaign(id)).toMatchObject({
    status: 'completed',
    stats: { sent: 1, blocked: { opted_out: 1 }, left_out: { erased: 1 } },
  })
  expect((await messagesOf(id)).map(({ to, status }) => [to, status])).toEqual([
    [ada?.phone, 'sent'],
    [eda?.phone, 'blocked'],
  ])
  const points = await asOwner(
    app.databaseUrl,
    'select point from backfill_contacts where backfill_id = $1 and contact_id = $2',
    [id, ivy?.id],
  )
  expect(points).toEqual([{ point: null }])
})

test('contacts who share a number get one message, even if they share it only after the start', async () => {
  const [ada, eda] = await leads(2)
  await texting.agent.post('/contacts', { source: 'Website', phone: ada?.phone })
  const id = await started({ throttle_per_hour: 60 })
  await runDue(app)
  await sendAll()
  await texting.agent.patch(`/contacts/${orNotFound(eda).id}`, { phone: ada?.phone })
  await pass(3)
  expect(await messagesOf(id)).toHaveLength(1)
  expect((await getCampaign(id)).stats).toMatchObject({ sent: 1, left_out: { shared_recipient: 2 } })
})

test('two campaigns may write to the same number', async () => {
  await leads(1)
  const [one, two] = [await started(), await started({ name: 'Another' })]
  await runDue(app)
  await sendAll()
  await pass(2)
  expect([(await getCampaign(one)).stats.sent, (await getCampaign(two)).stats.sent]).toEqual([1, 1])
})

test('recipients in quiet hours get the message in the morning, at the pace of the campaign', async () => {
  await leads(3)
  app.clock.set('2026-03-03T03:30:00.000Z')
  const id = await create({ throttle_per_hour: 12 })
  expect(await summarize(id)).toMatchObject({ recipients: 3, eligible: 0, deferred: 3 })
  await act(id, 'start')
  await runDue(app)
  app.clock.set('2026-03-03T13:59:00.000Z')
  await runDue(app)
  expect(await messagesOf(id)).toEqual([])
  expect(await pass(15)).toEqual(['14:00', '14:05', '14:10'])
})

test('a throttle of one an hour sends one message each hour', async () => {
  await leads(3)
  const id = await started({ throttle_per_hour: 1 })
  await runDue(app)
  await sendAll()
  expect(await pass(125)).toEqual(['17:00', '18:00'])
  expect((await getCampaign(id)).status).toBe('completed')
})

test('a campaign started before its send window counts deferred recipients and sends to all within the window', async () => {
  await leads(2)
  const window = { from: '11:00', to: '12:00', zone: 'workspace' }
  await texting.agent.patch('/workspace', { timezone: 'America/Chicago' })
  const id = await create({ schedule: { send_window: window }, throttle_per_hour: 2 })
  const { deferred } = await summarize(id)
  expect(deferred).toBeGreaterThan(0)
  await act(id, 'start')
  await runDue(app)
  const sent = await pass(119)
  expect(sent).toHaveLength(2)
  // From 11 to 12 in Chicago.
  expect(sent.filter((time) => time < '17:00' || time >= '18:00')).toEqual([])
})

test('an unapproved sender pauses the campaign with the reason and blocks no recipient', async () => {
  await leads(3)
  const id = await started({ throttle_per_hour: 60 })
  await runDue(app)
  await sendAll()
  const [sender] = await listSenders(texting.workspace.ctx.db)
  const registration = (campaign: string) => ({ brand: 'APPROVED', campaign, number: 'REGISTERED' })
  await updateSender(texting.workspace.ctx, orNotFound(sender).id, { registration: registration('FAILED') })
  await pass(3)
  expect(await getCampaign(id)).toMatchObject({
    status: 'paused',
    reason: 'a2p_campaign_not_approved',
    stats: { sent: 1, waiting: 2, blocked: {} },
  })
  await updateSender(texting.workspace.ctx, orNotFound(sender).id, { registration: registration('VERIFIED') })
  await act(id, 'resume')
  await runDue(app)
  await pass(4)
  expect(await getCampaign(id)).toMatchObject({ status: 'completed', stats: { sent: 3 } })
})

test('replies and opt-outs after a campaign are counted', async () => {
  const [ada, eda] = await leads(2)
  const id = await started({ throttle_per_hour: 60 })
  await runDue(app)
  await sendAll()
  await pass(2)
  await texting.text(orNotFound(ada).phone, 'When is it?')
  await texting.text(orNotFound(eda).phone, 'STOP')
  expect((await getCampaign(id)).stats).toMatchObject({ sent: 2, replied: 2, opted_out: 1 })
})
