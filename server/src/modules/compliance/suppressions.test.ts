import { expect, test } from 'vitest'
import type { Ctx } from '#kernel/context.ts'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { tablesWith } from '#test/support/whereabouts.ts'
import { findSuppressions } from './find-suppressions.ts'
import { liftSuppression } from './lift-suppression.ts'
import { suppress } from './suppress.ts'
import { type SuppressionRow, listSuppressions } from './suppression-queries.ts'
import { type Subject, type SuppressionDraft, subjectOf } from './suppression.ts'

const phone = subjectOf('phone', '+13125550186')
const email = subjectOf('email', 'ada@reyes.example')

const optOut = (subject: Subject, more: Partial<SuppressionDraft> = {}): SuppressionDraft => ({
  subject,
  kind: 'opted_out',
  source: 'operator',
  ...more,
})

const heldAgainst = async (ctx: Ctx, subject: Subject) =>
  (await findSuppressions(ctx, [subject])).get(subject.value) ?? []

const kindsOf = (rows: readonly SuppressionRow[]) => rows.map(({ kind }) => kind)

const whole = { before: null, limit: 1000 }

const journal = (url: string, workspaceId: string) =>
  asOwner<{ name: string; data: Record<string, unknown> }>(
    url,
    "select name, data from events where workspace_id = $1 and name like 'recipient.%' order by id",
    [workspaceId],
  )

test.each([
  ['phone', 'STOP', 'phone: is not a phone number'],
  ['phone', '', 'phone: is not a phone number'],
  ['phone', 'ada@reyes.example', 'phone: is not a phone number'],
  ['email', '+13125550186', 'email: is not an email address'],
  ['email', 'ada@reyes', 'email: is not an email address'],
  ['contact', 'Ada', 'contact: is not the id of a contact'],
] as const)('the %s %j is rejected', (type, text, message) => {
  expect(() => subjectOf(type, text)).toThrow(expect.objectContaining({ status: 400, message }))
})

test.for([
  ['hard_bounce', 'phone', undefined, 'kind: can only be about an email address'],
  ['hard_bounce', 'contact', undefined, 'kind: can only be about an email address'],
  ['reassigned_number', 'email', undefined, 'kind: can only be about a phone number'],
  ['reassigned_number', 'contact', undefined, 'kind: can only be about a phone number'],
  ['complaint', 'phone', undefined, 'kind: can only be about an email address or a contact'],
  ['internal_dnc', 'email', undefined, 'kind: can only be about a phone number or a contact'],
  ['litigator', 'email', undefined, 'kind: can only be about a phone number or a contact'],
  ['opted_out', 'phone', ['email'], 'channels: do not reach a phone number: email'],
  ['opted_out', 'email', ['email', 'sms'], 'channels: do not reach an email address: sms'],
  ['opted_out', 'phone', [], 'channels: must name at least one'],
  ['litigator', 'phone', ['sms'], 'channels: are allowed only for an opt-out'],
] as const)(
  '%s of a %s with the channels %j is rejected, and nothing is kept',
  async ([kind, type, channels, message]) => {
    await using app = await testApp()
    const { ctx, credential } = await app.workspace()
    const contact = subjectOf('contact', (await (await credential()).post('/contacts')).body['id'])
    const draft = { subject: { phone, email, contact }[type], kind, channels, source: 'operator' } as const
    await expect(suppress(ctx, [optOut(phone), draft])).rejects.toThrow(
      expect.objectContaining({ status: 400, message }),
    )
    expect(await listSuppressions(ctx.db, {}, whole)).toEqual([])
  },
)

test.each([
  ['internal_dnc', ['sms', 'voice_auto', 'whatsapp']],
  ['litigator', ['sms', 'voice_auto', 'whatsapp']],
  ['complaint', ['email']],
  ['manual', ['email', 'sms', 'voice_auto', 'whatsapp']],
  ['opted_out', ['email', 'sms', 'voice_auto', 'whatsapp']],
] as const)('%s of a contact blocks the channels %j', async (kind, channels) => {
  await using app = await testApp()
  const { ctx, credential } = await app.workspace()
  const { id } = (await (await credential()).post('/contacts')).body
  const subject = subjectOf('contact', id)
  expect(await suppress(ctx, [{ subject, kind, source: 'operator' }])).toMatchObject([{ channels }])
})

test('a contact must belong to the workspace and not be erased', async () => {
  await using app = await testApp()
  const [mine, foreign] = [await app.workspace(), await app.workspace()]
  const agent = await mine.credential()
  const { id } = (await agent.post('/contacts')).body
  const contact = optOut(subjectOf('contact', id))
  await expect(suppress(foreign.ctx, [contact])).rejects.toThrow(
    'contact_id does not exist in this workspace.',
  )
  await agent.delete(`/contacts/${id}`)
  await expect(suppress(mine.ctx, [contact])).rejects.toThrow(
    expect.objectContaining({ code: 'contact_erased' }),
  )
})

test('sixteen concurrent requests leave one row, with all their channels, under one key', async () => {
  await using app = await testApp()
  for (let round = 0; round < 5; round++) {
    const { ctx, id } = await app.workspace()
    const channels = [['sms'], ['whatsapp'], ['voice_auto'], ['sms', 'whatsapp']] as const
    const changed = await Promise.all(
      Array.from({ length: 16 }, (_, i) => suppress(ctx, [optOut(phone, { channels: channels[i % 4] })])),
    )
    const [row, ...others] = await listSuppressions(ctx.db, {}, whole)
    expect(others).toEqual([])
    expect(row?.channels).toEqual(['sms', 'voice_auto', 'whatsapp'])
    expect(await heldAgainst(ctx, phone)).toEqual([row])
    // Only changes are published.
    const events = await journal(app.databaseUrl, id)
    expect(events).toHaveLength(changed.filter((rows) => rows.length > 0).length)
    expect(events.at(-1)?.data['channels']).toEqual(row?.channels)
  }
})

test('overlapping batches do not deadlock', async () => {
  await using app = await testApp()
  const { ctx } = await app.workspace()
  const drafts = Array.from({ length: 200 }, (_, i) => optOut(subjectOf('phone', `+1312555${1000 + i}`)))
  const batches = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? drafts : drafts.toReversed()))
  const changed = await Promise.all(batches.map((batch) => suppress(ctx, [...batch, ...batch.slice(0, 50)])))
  expect(changed.flat()).toHaveLength(200)
  expect(await listSuppressions(ctx.db, { lifted: false }, whole)).toHaveLength(200)
})

test('adding an active suppression again changes and publishes nothing; only channels are added', async () => {
  await using app = await testApp()
  const { ctx, id } = await app.workspace()
  const first = await suppress(ctx, [optOut(phone, { channels: ['sms'] })])
  app.clock.advance(60_000)
  expect(await suppress(ctx, [optOut(phone, { channels: ['sms'] })])).toEqual([])
  expect(await heldAgainst(ctx, phone)).toEqual(first)
  const [wider] = await suppress(ctx, [optOut(phone)])
  expect(wider).toEqual({ ...first[0], channels: ['sms', 'voice_auto', 'whatsapp'] })
  expect(await suppress(ctx, [optOut(phone, { channels: ['whatsapp'] })])).toEqual([])
  expect((await journal(app.databaseUrl, id)).map(({ name }) => name)).toEqual([
    'recipient.suppressed',
    'recipient.suppressed',
  ])
})

test('a lifted suppression no longer applies, is kept, and can be added again', async () => {
  await using app = await testApp()
  const { ctx, id } = await app.workspace()
  const lift = () => liftSuppression(ctx, { subject: phone, kind: 'opted_out', source: 'operator' })
  await expect(lift()).rejects.toThrow('No opted_out holds against this phone.')
  await suppress(ctx, [optOut(phone), { ...optOut(phone), kind: 'litigator' }])
  app.clock.advance(60_000)
  expect(await lift()).toMatchObject({
    lifted_at: app.clock.now().toISOString(),
    lifted_by: { type: 'system', name: 'test' },
  })
  expect(kindsOf(await heldAgainst(ctx, phone))).toEqual(['litigator'])
  await expect(lift()).rejects.toThrow('No opted_out holds against this phone.')
  app.clock.advance(60_000)
  await suppress(ctx, [optOut(phone)])
  expect(kindsOf(await heldAgainst(ctx, phone))).toEqual(['litigator', 'opted_out'])
  expect(await listSuppressions(ctx.db, {}, whole)).toHaveLength(3)
  expect(kindsOf(await listSuppressions(ctx.db, { lifted: false }, whole))).toEqual([
    'opted_out',
    'litigator',
  ])
  expect((await journal(app.databaseUrl, id)).map(({ name }) => name)).toEqual([
    'recipient.suppressed',
    'recipient.suppressed',
    'recipient.unsuppressed',
    'recipient.suppressed',
  ])
})

test('one of sixteen concurrent requests to lift succeeds', async () => {
  await using app = await testApp()
  const { ctx } = await app.workspace()
  await suppress(ctx, [optOut(phone)])
  const lifts = Array.from({ length: 16 }, () =>
    liftSuppression(ctx, { subject: phone, kind: 'opted_out', source: 'operator' }),
  )
  const outcomes = await Promise.allSettled(lifts)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('no table stores a number or an address, masked or not', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('suppressions_dump') })
  const { ctx } = await app.workspace()
  await suppress(ctx, [optOut(phone), optOut(email)])
  await liftSuppression(ctx, { subject: phone, kind: 'opted_out', source: 'operator' })
  const inHex = (text: string) => Buffer.from(text).toString('hex')
  const needles = ['5550186', '******', 'reyes', inHex('5550186'), inHex('reyes')]
  expect(await tablesWith(app.databaseUrl, needles)).toEqual([])
})

test('a contact’s suppressions are on its timeline and are never sent to webhooks', async () => {
  await using app = await testApp()
  const { ctx, credential } = await app.workspace()
  const agent = await credential()
  await agent.post('/webhooks', { url: 'https://hooks.example.com' })
  const { id } = (await agent.post('/contacts')).body
  const subject = subjectOf('contact', id)
  await suppress(ctx, [
    optOut(subject, { channels: ['sms', 'email'] }),
    { ...optOut(subject), kind: 'internal_dnc' },
  ])
  await liftSuppression(ctx, { subject, kind: 'internal_dnc', source: 'operator' })
  const { data } = (await agent.get(`/contacts/${id}/events`)).body
  expect(data.map(({ type, title }: Record<string, string>) => [type, title]).slice(0, 3)).toEqual(
    expect.arrayContaining([
      ['consent', 'No longer suppressed: do not contact'],
      ['consent', 'Suppressed: do not contact'],
      ['consent', 'Opted out of email, sms'],
    ]),
  )
  const recipientEvents = "select from webhook_deliveries where workspace_id = $1 and event like 'recipient%'"
  expect(await asOwner(app.databaseUrl, recipientEvents, [ctx.workspaceId])).toEqual([])
})
