import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { type Texting, startTexting } from '#test/support/texting.ts'
import { tablesWith } from '#test/support/whereabouts.ts'
import { allScopes, createApiKey } from '../../access/public.ts'
import { liftSuppression } from '../lift-suppression.ts'
import { suppress, suppressIn } from '../suppress.ts'
import { subjectOf } from '../suppression.ts'
import { chainEntries, chainLedgers } from './chain-entries.ts'
import { verifyLedger } from './verify-ledger.ts'

const person = '+13125550177'
const phone = subjectOf('phone', person)

let app: TestApp
let texting: Texting

beforeAll(async () => {
  const databaseUrl = await freshDatabase('ledger')
  app = await testApp({
    databaseUrl,
    now: '2026-03-02T18:00:00.000Z',
    publicUrl: 'https://gable.example.com',
  })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  texting = await startTexting(app)
})

const entries = () =>
  asOwner<Record<string, unknown>>(
    app.databaseUrl,
    'select * from ledger_entries where workspace_id = $1 order by id',
    [texting.workspace.id],
  )

/** Runs an action and summarizes the ledger entries that it wrote. */
async function written(act: () => Promise<unknown>): Promise<unknown[]> {
  const before = (await entries()).length
  app.clock.advance(1000)
  await act()
  return (await entries())
    .slice(before)
    .map(({ kind, subject_type, reason, source }) => [kind, subject_type, reason, source])
}

test('every consent, revocation, suppression, and lift adds an entry; a no-op adds none', async () => {
  const { workspace, agent } = texting
  const { ctx } = workspace
  let contact = ''
  let lead = ''
  const texted = (body: string) => () => texting.text(person, body)
  const source = 'operator'
  expect(await written(async () => (contact = await texting.lead(person)))).toEqual([
    ['consent_captured', 'phone', null, 'lead'],
  ])
  expect(await written(() => agent.post('/leads', { phone: person, source: 'Website' }))).toEqual([])
  lead = (await agent.get(`/leads?contact_id=${contact}`)).body['data'].at(-1).id
  expect(await written(texted('STOP'))).toEqual([['opted_out', 'phone', 'opted_out', 'inbound']])
  expect(await written(texted('STOP'))).toEqual([])
  expect(
    await written(async () => {
      for (const { attemptId } of await texting.begin()) await texting.taken(attemptId)
    }),
  ).toEqual([['opt_out_confirmed', 'phone', null, 'system']])
  expect(await written(texted('START'))).toEqual([['opt_out_lifted', 'phone', 'opted_out', 'inbound']])
  expect((await written(texted('do not contact me'))).toSorted()).toEqual([
    ['opted_out', 'phone', 'opted_out', 'inbound'],
    ['suppressed', 'phone', 'internal_dnc', 'inbound'],
  ])
  expect(await written(texted('wrong number'))).toEqual([
    ['suppressed', 'phone', 'reassigned_number', 'inbound'],
  ])
  expect(await written(() => agent.delete(`/leads/${lead}/consent`))).toEqual(
    expect.arrayContaining([
      ['consent_revoked', 'phone', 'consent_revoked', 'revocation'],
      ['consent_revoked', 'contact', 'consent_revoked', 'revocation'],
    ]),
  )
  expect(await written(() => agent.post('/suppressions', { contact_id: contact, kind: 'manual' }))).toEqual([
    ['suppressed', 'contact', 'manual', 'api'],
  ])
  expect(await written(() => suppress(ctx, [{ subject: phone, kind: 'litigator', source }]))).toEqual([
    ['suppressed', 'phone', 'litigator', 'operator'],
  ])
  expect(await written(() => suppress(ctx, [{ subject: phone, kind: 'litigator', source }]))).toEqual([])
  expect(await written(() => liftSuppression(ctx, { subject: phone, kind: 'litigator', source }))).toEqual([
    ['suppression_lifted', 'phone', 'litigator', 'operator'],
  ])
  expect(await written(() => agent.patch(`/contacts/${contact}`, { phone: '+13125550143' }))).toContainEqual([
    'suppressed',
    'phone',
    'manual',
    'former',
  ])
  expect(await written(() => agent.delete(`/contacts/${contact}`))).toContainEqual([
    'suppressed',
    'phone',
    'manual',
    'erasure',
  ])
  expect(await chainEntries(ctx)).toBe((await entries()).length)
  expect(await verifyLedger(ctx)).toMatchObject({
    entries: (await entries()).length,
    waiting: 0,
    broken: null,
  })
})

test('an entry names the contact and the actor, but holds no number, email, or IP address', async () => {
  const { workspace, agent } = texting
  const { body } = await agent.post('/leads', {
    phone: person,
    email: 'sam@reyes.example',
    source: 'Website',
    consent: { captured_at: '2026-01-02T15:00:00Z', ip: '203.0.113.7', form_snapshot: { phone: person } },
  })
  await agent.post('/suppressions', { phone: person, kind: 'litigator' })
  const [captured, suppressed] = await entries()
  const hash = expect.stringMatching(/^[\w-]{43}$/)
  expect(captured).toMatchObject({
    contact_id: body['contact_id'],
    record_id: body['id'],
    subject: hash,
    artifact_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    actor: { type: 'api_key', id: agent.keyId },
  })
  expect(suppressed).toMatchObject({ contact_id: body['contact_id'], subject: captured?.['subject'] })
  await chainEntries(workspace.ctx)
  const before = await entries()
  await agent.delete(`/contacts/${body['contact_id']}`)
  await chainEntries(workspace.ctx)
  expect((await entries()).slice(0, before.length)).toEqual(before)
  expect((await verifyLedger(workspace.ctx)).broken).toBeNull()
  const found = await tablesWith(app.databaseUrl, ['3125550177', '203.0.113.7', 'sam@reyes'])
  expect(found.filter((table) => table.includes('ledger'))).toEqual([])
})

test('a lead is still captured if the key cannot be opened, and its entry has no subject', async () => {
  const { workspace } = texting
  await suppress(workspace.ctx, [{ subject: phone, kind: 'manual', source: 'operator' }])
  const lose = "update suppression_keys set sealed = '\\x01' || sealed where workspace_id = $1"
  await asOwner(app.databaseUrl, lose, [workspace.id])
  await using other = await testApp({ now: app.clock.now(), databaseUrl: app.databaseUrl })
  const { key } = await createApiKey(workspace.ctx, { name: 'K', expires_in_days: 90, scopes: allScopes })
  const response = await fetch(`${other.base}/leads`, {
    method: 'POST',
    headers: { authorization: `token ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone: person, source: 'Website', consent: {} }),
  })
  expect(response.status).toBe(201)
  expect((await entries()).find(({ kind }) => kind === 'consent_captured')).toMatchObject({
    record_id: ((await response.json()) as { id: string }).id,
    subject: null,
    subject_type: null,
  })
})

test('concurrent writers and chainers put every entry in one chain once', async () => {
  const { workspace, agent } = texting
  const { ctx } = workspace
  const numbers = Array.from({ length: 60 }, (_, i) => subjectOf('phone', `+1312555${2000 + i}`))
  const source = 'operator'
  await Promise.all([
    ...numbers.map((subject) => suppress(ctx, [{ subject, kind: 'manual', source }])),
    // The first of these create the workspace's key.
    ...numbers.slice(0, 20).map(async ({ value }) => {
      const lead = { phone: value, source: 'Website', consent: {} }
      expect((await agent.post('/leads', lead)).status).toBe(201)
    }),
    ...Array.from({ length: 12 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 5))
      await chainEntries(ctx)
    }),
  ])
  await chainEntries(ctx)
  expect(await verifyLedger(ctx)).toMatchObject({ entries: 80, waiting: 0, broken: null })
})

test('a chain of many pages is built and verified', async () => {
  const { ctx } = texting.workspace
  const drafts = Array.from({ length: 2500 }, (_, i) => ({
    subject: subjectOf('phone', `+1312${3_000_000 + i}`),
    kind: 'manual' as const,
    source: 'import' as const,
  }))
  await suppress(ctx, drafts)
  expect(await verifyLedger(ctx)).toMatchObject({ entries: 0, waiting: 2500, head: null, broken: null })
  expect(await chainEntries(ctx)).toBe(2500)
  expect(await verifyLedger(ctx)).toMatchObject({ entries: 2500, head: { sequence: 2500 }, broken: null })
})

test('application roles can insert ledger entries at most, and never update or delete them', async () => {
  await texting.lead(person)
  await chainEntries(texting.workspace.ctx)
  for (const role of ['gable_app', 'gable_member', 'gable_sender', 'gable_search'])
    for (const table of ['ledger_entries', 'ledger_links'])
      for (const [privilege, may] of [
        ['update', false],
        ['delete', false],
        ['truncate', false],
        ['insert', role === 'gable_app' || role === 'gable_member'],
      ] as const) {
        const text = `select has_table_privilege($1, $2, $3) or has_any_column_privilege($1, $2, case when $3 in ('delete', 'truncate') then 'insert' else $3 end) and $3 = 'update' as may`
        const [row] = await asOwner<{ may: boolean }>(app.databaseUrl, text, [role, table, privilege])
        expect([role, table, privilege, row?.may]).toEqual([role, table, privilege, may])
      }
})

test('a worker chains waiting entries in every workspace', async () => {
  const other = await startTexting(app)
  const chained = async () => {
    for (const { workspace } of [texting, other]) {
      const { entries: count, waiting } = await verifyLedger(workspace.ctx)
      if (count !== 1 || waiting !== 0) return false
    }
    return true
  }
  await using _ = await chainLedgers(app.runtime)
  for (const { lead } of [texting, other]) await lead(person)
  await expect.poll(chained, { timeout: 60_000 }).toBe(true)
})

test('a workspace whose ledger cannot be chained does not block the others', async () => {
  const others = [await startTexting(app), await startTexting(app)]
  for (const { lead } of [texting, ...others]) await lead(person)
  const { id, ctx } = texting.workspace
  await chainEntries(ctx)
  // Simulates a manual change: queues an entry that is already chained.
  await asOwner(
    app.databaseUrl,
    'insert into ledger_unchained select workspace_id, entry_id from ledger_links where workspace_id = $1',
    [id],
  )
  await expect(chainEntries(ctx)).rejects.toThrow('ledger_links_entry')
  await using _ = await chainLedgers(app.runtime)
  const chained = async () =>
    (await Promise.all(others.map(({ workspace }) => verifyLedger(workspace.ctx)))).every(
      ({ entries: count }) => count === 1,
    )
  await expect.poll(chained, { timeout: 60_000 }).toBe(true)
  await asOwner(app.databaseUrl, 'delete from ledger_unchained where workspace_id = $1', [id])
})

test('a failed transaction leaves no entry', async () => {
  const { workspace } = texting
  const failing = workspace.ctx.transaction(async (tx) => {
    await suppressIn(tx, [{ subject: phone, kind: 'manual', source: 'operator' }])
    throw new Error('Nothing of it.')
  })
  await expect(failing).rejects.toThrow('Nothing of it.')
  expect(await entries()).toEqual([])
  expect(idOf(await texting.agent.post('/suppressions', { phone: person, kind: 'manual' }))).toBeTruthy()
  expect(await entries()).toHaveLength(1)
})
