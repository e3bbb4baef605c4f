import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import {
  app,
  ctx,
  deliver,
  emailing,
  homesIn,
  list,
  messagesTo,
  morning,
  nextMorning,
  openDigests,
  patch,
  post,
  run,
  save,
  searchOf,
  sentEvents,
} from '#test/scenes/digests.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { unsubscribeToken } from '../messages/email/tokens.ts'

openDigests()

test('a blocked digest pauses the search with the reason, and resuming sends what was missed', async () => {
  const saved = await save()
  await list()
  const { id: suppression } = (await post('/suppressions', { kind: 'manual', email: saved.email })).body
  await morning(saved)
  expect(await messagesTo(saved)).toMatchObject([{ status: 'blocked' }])
  const paused = { active: false, paused_reason: 'suppressed_manual', next_at: null, last_sent_at: null }
  expect(await searchOf(saved)).toMatchObject(paused)
  const changes = (await emailing.events('saved_search.updated')).filter((data) => data['id'] === saved.id)
  expect(changes).toMatchObject([
    {
      changes: [
        { field: 'active', to: false },
        { field: 'paused_reason', to: 'suppressed_manual' },
      ],
    },
  ])
  await list()
  await morning(saved)
  expect(await messagesTo(saved)).toHaveLength(1)
  await post(`/suppressions/${suppression}/lift`, { reason: 'They asked for it.' })
  expect(await patch(`/saved-searches/${saved.id}`, { active: true })).toMatchObject({ paused_reason: null })
  await morning(saved)
  const [, sent] = await messagesTo(saved)
  expect(homesIn(orNotFound(sent))).toBe(2)
  expect(await sentEvents(saved)).toHaveLength(1)
})

test('a suppression added after a digest is queued also pauses the search', async () => {
  const saved = await save()
  await list()
  nextMorning()
  await run(saved)
  expect(await messagesTo(saved)).toMatchObject([{ status: 'queued' }])
  await post('/suppressions', { kind: 'manual', email: saved.email })
  await deliver()
  expect(await searchOf(saved)).toMatchObject({ active: false, paused_reason: 'suppressed_manual' })
  expect(await sentEvents(saved)).toEqual([])
})

test('a contact who unsubscribes by the link gets no further digests', async () => {
  const saved = await save()
  await list()
  await morning(saved)
  const [message] = await messagesTo(saved)
  const wish = { workspaceId: ctx.workspaceId, messageId: orNotFound(message).id, address: saved.email }
  const { status } = await fetch(`${app.url}/unsubscribe/${unsubscribeToken(ctx.keys, wish)}`, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(status).toBe(200)
  await list()
  await morning(saved)
  expect(await searchOf(saved)).toMatchObject({ active: false, paused_reason: 'opted_out' })
  expect((await messagesTo(saved)).map((one) => one.status)).toEqual(['sent', 'blocked'])
})

test('an undelivered digest is repeated in the next one, and a digest in transit delays the next', async () => {
  const saved = await save()
  await list()
  nextMorning()
  await run(saved)
  await deliver({ kind: 'rejected', failure: { code: 'rejected', carrierCode: null, message: 'No.' } })
  expect(await messagesTo(saved)).toMatchObject([{ status: 'failed' }])
  expect(await searchOf(saved)).toMatchObject({ active: true, last_sent_at: null })
  nextMorning()
  await run(saved)
  await list()
  nextMorning()
  await run(saved)
  expect((await messagesTo(saved)).map(homesIn)).toEqual([1, 1])
  await deliver()
  await morning(saved)
  expect((await messagesTo(saved)).map(homesIn)).toEqual([1, 1, 1])
  expect(await sentEvents(saved)).toHaveLength(2)
})

test.for([
  ['pausing', (id: string) => patch(`/saved-searches/${id}`, { active: false })],
  ['deleting', (id: string) => emailing.agent.delete(`/saved-searches/${id}`)],
] as const)('%s a search cancels its waiting digest', async ([, act]) => {
  const saved = await save()
  await list()
  nextMorning()
  await run(saved)
  await act(saved.id)
  await deliver()
  expect(await messagesTo(saved)).toMatchObject([{ status: 'cancelled' }])
  expect(await sentEvents(saved)).toEqual([])
})

test('a paused search and a search for a contact without an email address send nothing', async () => {
  const saved = await save({ active: false })
  const mute = await save()
  await list()
  await patch(`/contacts/${mute.contactId}`, { email: null, phone: '+13125550142' })
  await morning(saved)
  await run(mute)
  expect([await messagesTo(saved), await messagesTo(mute)]).toEqual([[], []])
  expect(await searchOf(saved)).toMatchObject({ active: false, paused_reason: null })
  expect(await searchOf(mute)).toMatchObject({ active: false, paused_reason: 'email_missing' })
})

test('a resent digest counts as sent', async () => {
  const saved = await save()
  await list()
  nextMorning()
  await run(saved)
  await deliver({ kind: 'rejected', failure: { code: 'rejected', carrierCode: null, message: 'No.' } })
  const [failed] = await messagesTo(saved)
  const again = idOf(await post(`/messages/${failed?.id}/resend`, {}))
  await deliver()
  expect(await sentEvents(saved)).toMatchObject([{ message_id: again }])
})

test('an erasure removes the searches of the contact and cancels waiting digests', async () => {
  const saved = await save({ name: 'Ada and Bo' })
  await list()
  await morning(saved)
  await list()
  nextMorning()
  await run(saved)
  await emailing.agent.delete(`/contacts/${saved.contactId}`)
  await deliver()
  const left = await asOwner(
    app.databaseUrl,
    `select id from saved_searches where contact_id = $1
     union all select search_id from saved_search_digests where search_id = $2`,
    [saved.contactId, saved.id],
  )
  expect(left).toEqual([])
  const messages = await asOwner(
    app.databaseUrl,
    'select status, subject, body from messages where contact_id = $1 order by id',
    [saved.contactId],
  )
  expect(messages).toEqual(['sent', 'cancelled'].map((status) => ({ status, subject: null, body: null })))
  expect(await sentEvents(saved)).toEqual([expect.not.objectContaining({ name: expect.anything() })])
  const journal = await asOwner(app.databaseUrl, 'select data::text from events where subject_id = $1', [
    saved.id,
  ])
  expect(JSON.stringify(journal)).not.toContain('Ada and Bo')
  await run(saved)
})
