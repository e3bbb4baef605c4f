import { expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { tablesWith } from '#test/support/whereabouts.ts'
import {
  type OptOutChannel,
  type SuppressionKind,
  liftSuppression,
  subjectOf,
  suppress,
  suppressionKinds,
} from '../compliance/public.ts'
import { setRules } from '../routing/public.ts'

const number = '+13125550186'
const address = 'ada@reyes.example'
const consent = { captured_at: '2026-03-02T14:59:00Z', source_url: 'https://www.example.com' }
const draft = { phone: number, email: address, source: 'Website', consent }

const phone = subjectOf('phone', number)

const optOut = ({ ctx }: TestWorkspace, subject = phone, channels?: readonly OptOutChannel[]) =>
  suppress(ctx, [{ subject, kind: 'opted_out', channels, source: 'operator' }])

const allows = (blockers: readonly string[]) => ({
  ai_outbound_allowed: blockers.length === 0,
  ai_outbound_blockers: blockers,
})

/** The blockers that each kind causes, by type of subject; undefined if the subject cannot have the kind. */
const blockersBy: Record<SuppressionKind, Record<'phone' | 'email' | 'contact', string[] | undefined>> = {
  opted_out: { phone: ['opted_out'], email: [], contact: ['opted_out'] },
  internal_dnc: { phone: ['suppressed'], email: undefined, contact: ['suppressed'] },
  litigator: { phone: ['suppressed'], email: undefined, contact: ['suppressed'] },
  reassigned_number: { phone: ['suppressed'], email: undefined, contact: undefined },
  hard_bounce: { phone: undefined, email: [], contact: undefined },
  complaint: { phone: undefined, email: [], contact: [] },
  manual: { phone: ['suppressed'], email: [], contact: ['suppressed'] },
}

test.each(suppressionKinds)(
  '%s blocks the AI for the types of subjects that it should, never for an email address',
  async (kind) => {
    await using app = await testApp()
    for (const type of ['phone', 'email', 'contact'] as const) {
      const blockers = blockersBy[kind][type]
      const workspace = await app.workspace()
      const agent = await workspace.credential()
      const { id, contact_id } = (await agent.post('/leads', draft)).body
      const other = (
        await agent.post('/leads', { ...draft, phone: '+13125550143', email: 'b@reyes.example' })
      ).body
      const subject = subjectOf(type, { phone: number, email: address, contact: contact_id }[type])
      const adding = suppress(workspace.ctx, [{ subject, kind, source: 'operator' }])
      if (blockers === undefined) await expect(adding).rejects.toThrow(/^kind: can only be about/)
      else await adding
      expect((await agent.get(`/leads/${id}`)).body, type).toMatchObject(allows(blockers ?? []))
      expect((await agent.get(`/leads/${other.id}`)).body, type).toMatchObject(allows([]))
    }
  },
)

test.for([
  ['phone', ['sms'], ['opted_out']],
  ['phone', ['whatsapp'], ['opted_out']],
  ['phone', ['voice_auto'], ['opted_out']],
  ['email', ['email'], []],
  ['contact', ['email'], []],
  ['contact', ['email', 'sms'], ['opted_out']],
] as const)('an opt-out of a %s from %j causes the blockers %j', async ([type, channels, blockers]) => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { id, contact_id } = (await agent.post('/leads', draft)).body
  const text = { phone: number, email: address, contact: contact_id }[type]
  await optOut(workspace, subjectOf(type, text), channels)
  expect((await agent.get(`/leads/${id}`)).body).toMatchObject(allows(blockers))
})

test('every response with a lead has its blockers, and an idempotent retry repeats the first response', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const member = await workspace.member()
  await optOut(workspace)
  await suppress(workspace.ctx, [{ subject: phone, kind: 'litigator', source: 'operator' }])
  const blocked = allows(['opted_out', 'suppressed'])

  const create = (key?: string) =>
    agent.post('/leads', draft, key === undefined ? {} : { 'idempotency-key': key })
  const { id } = (await create()).body
  expect((await create()).body).toMatchObject(blocked)
  expect((await create('key')).body).toMatchObject(blocked)
  for (const { body } of [
    await agent.get(`/leads/${id}`),
    await agent.patch(`/leads/${id}`, { status: 'contacted' }),
    await agent.get(`/leads/${id}?fields=ai_outbound_allowed,ai_outbound_blockers`),
  ]) {
    expect(body).toMatchObject(blocked)
  }
  expect((await agent.get('/leads')).body.data).toMatchObject([blocked, blocked, blocked])
  const pond = { name: 'Pond', method: 'pond', pool: { members: [member.id] } }
  await setRules(workspace.ctx, { rules: [], default: pond })
  const offered = (await agent.post('/leads', { ...draft, phone: '(312) 555-0186' })).body
  expect(offered).toMatchObject({ waits_for: 'pond', ...blocked })
  const claimed = await agent.post(
    `/leads/${offered.id}/claim`,
    { member_id: member.id },
    { 'idempotency-key': 'c' },
  )
  expect(claimed.body).toMatchObject({ status: 'claimed', ...blocked })
  const revoked = await agent.delete(`/leads/${id}/consent`)
  expect(revoked.body).toMatchObject(allows(['consent_revoked', 'opted_out', 'suppressed']))

  await liftSuppression(workspace.ctx, { subject: phone, kind: 'opted_out', source: 'operator' })
  await liftSuppression(workspace.ctx, { subject: phone, kind: 'litigator', source: 'operator' })
  // The consent was revoked on another lead of the same person.
  expect((await agent.get(`/leads/${offered.id}`)).body).toMatchObject(allows(['consent_revoked']))
  expect((await create('key')).body).toMatchObject(blocked)
})

test('an opt-out in one workspace does not block the number in another', async () => {
  await using app = await testApp()
  const [mine, foreign] = [await app.workspace(), await app.workspace()]
  await optOut(mine)
  const lead = async ({ credential }: TestWorkspace) =>
    (await (await credential()).post('/leads', draft)).body
  expect(await lead(mine)).toMatchObject(allows(['opted_out']))
  expect(await lead(foreign)).toMatchObject(allows([]))
})

test('an opt-out is shown even to credentials that cannot see whether the number is known', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const few = await workspace.credential('leads:write')
  await optOut(workspace)
  expect((await few.post('/leads', draft)).body).toMatchObject({ contact_id: null, ...allows(['opted_out']) })
})

/** Adds a lead, erases its contact, and returns the next lead of the same person. */
async function afterErasure(
  app: TestApp,
  workspace: TestWorkspace,
  block: (contactId: string) => Promise<unknown>,
) {
  const agent = await workspace.credential()
  const { id, contact_id } = (await agent.post('/leads', draft)).body
  await block(contact_id)
  app.clock.advance(60_000)
  expect((await agent.delete(`/contacts/${contact_id}`)).status).toBe(200)
  expect((await agent.get(`/leads/${id}`)).body.ai_outbound_blockers).toContain('contact_erased')
  expect(await tablesWith(app.databaseUrl, ['5550186', '******', 'reyes'])).toEqual([])
  const again = (await agent.post('/leads', draft)).body
  expect(again.contact_id).not.toBe(contact_id)
  return again
}

test('a number stays opted out after its contact is erased', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('suppressed_erased') })
  const workspace = await app.workspace()
  expect(await afterErasure(app, workspace, () => optOut(workspace))).toMatchObject(allows(['opted_out']))
})

test('erasing a contact transfers its suppressions to its phone number and email address', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('suppressed_erased_contact') })
  const workspace = await app.workspace()
  const again = await afterErasure(app, workspace, async (contactId) => {
    const subject = subjectOf('contact', contactId)
    await optOut(workspace, subject, ['sms', 'email'])
    await suppress(workspace.ctx, [{ subject, kind: 'internal_dnc', source: 'operator' }])
  })
  expect(again).toMatchObject(allows(['opted_out', 'suppressed']))
  const rows = await asOwner(
    app.databaseUrl,
    "select subject_type, kind, channels from suppressions where source = 'erasure' order by 1, 2",
  )
  expect(rows).toEqual([
    { subject_type: 'email', kind: 'internal_dnc', channels: ['sms', 'voice_auto', 'whatsapp'] },
    { subject_type: 'email', kind: 'opted_out', channels: ['email', 'sms'] },
    { subject_type: 'phone', kind: 'internal_dnc', channels: ['sms', 'voice_auto', 'whatsapp'] },
    { subject_type: 'phone', kind: 'opted_out', channels: ['email', 'sms'] },
  ])
})

test('lifted suppressions are not transferred, and a contact without a number or address leaves none', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  for (const person of [{ phone: number }, { phone: 'call the office' }, {}]) {
    const { id } = (await agent.post('/contacts', person)).body
    const subject = subjectOf('contact', id)
    await optOut(workspace, subject)
    if ('phone' in person && person.phone === number)
      await liftSuppression(workspace.ctx, { subject, kind: 'opted_out', source: 'operator' })
    expect((await agent.delete(`/contacts/${id}`)).status).toBe(200)
  }
  const { data } = (await agent.post('/leads', draft).then(() => agent.get('/leads'))).body
  expect(data[0]).toMatchObject(allows([]))
})

test('an opt-out during an erasure applies to the number or is rejected', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  for (let round = 0; round < 10; round++) {
    const person = { ...draft, phone: `+1312555013${round}`, email: `ada${round}@reyes.example` }
    const { contact_id } = (await agent.post('/leads', person)).body
    const [opted] = await Promise.allSettled([
      optOut(workspace, subjectOf('contact', contact_id)),
      agent.delete(`/contacts/${contact_id}`),
    ])
    const blocked = opted.status === 'fulfilled' ? ['opted_out'] : []
    expect((await agent.post('/leads', person)).body).toMatchObject(allows(blocked))
  }
})

test('unreadable suppressions block every lead, and leads can still be captured and read', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  await optOut(workspace, subjectOf('phone', '+13125550199'))
  await asOwner(
    app.databaseUrl,
    "update suppression_keys set sealed = '\\x01' || sealed where workspace_id = $1",
    [workspace.id],
  )
  const blocked = allows(['suppressions_unreadable'])
  const { status, body } = await agent.post('/leads', draft)
  expect([status, body]).toEqual([201, expect.objectContaining(blocked)])
  expect((await agent.get('/leads')).body.data).toEqual([expect.objectContaining(blocked)])
})
