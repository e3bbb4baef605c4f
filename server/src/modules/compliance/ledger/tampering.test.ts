import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { gableWith } from '#test/support/gable.ts'
import { suppress } from '../suppress.ts'
import { subjectOf } from '../suppression.ts'
import { chainEntries } from './chain-entries.ts'
import { type KnownHead, verifyLedger } from './verify-ledger.ts'

let app: TestApp
let workspace: TestWorkspace
let ids: string[]

const gable = gableWith(() => ({ DATABASE_URL: app.databaseUrl }))
const owner = (text: string, ...values: unknown[]) =>
  asOwner(app.databaseUrl, text, [workspace.id, ...values])

async function verify(...more: string[]) {
  const { code, out } = await gable(['consent', 'verify', '--workspace', workspace.id, '--json', ...more])
  return { code, ...(JSON.parse(out) as { broken: { sequence: number; entry_id: string; problem: string } }) }
}
const head = async () => (await gable(['consent', 'head', '--workspace', workspace.id])).out.trim()

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await app.workspace()
  const { ctx } = workspace
  const agent = await workspace.credential()
  await agent.post('/leads', { phone: '+13125550177', source: 'Website', consent: {}, skip_routing: true })
  for (let i = 0; i < 4; i++) {
    const subject = subjectOf('phone', `+1312555010${i}`)
    await suppress(ctx, [{ subject, kind: 'litigator', source: 'operator' }])
  }
  await chainEntries(ctx)
  const rows = await asOwner<{ entry_id: string }>(
    app.databaseUrl,
    'select entry_id from ledger_links where workspace_id = $1 order by sequence',
    [workspace.id],
  )
  ids = rows.map(({ entry_id }) => entry_id)
})

const of = (column: string) =>
  ({
    workspace_id: "'another'",
    id: "'another'",
    entry_id: "'another'",
    at: "at + interval '1 millisecond'",
    since: "since + interval '1 millisecond'",
    kind: "'opted_out'",
    subject_type: "'email'",
    channels: "channels || '{sms}'",
    actor: `actor || '{"more": "x"}'`,
    sequence: 'sequence + 100',
    hash: "translate(hash, '0123456789', '1234567890')",
    previous: "translate(previous, '0123456789', '1234567890')",
  })[column] ?? `coalesce(${column}, '') || 'x'`

const columns = {
  ledger_entries: [
    'workspace_id id at kind subject_type subject contact_id record_id reason channels since artifact_sha256 source actor',
    'id',
  ],
  ledger_links: ['workspace_id sequence entry_id previous hash', 'entry_id'],
} as const

test('the tampering tests cover every column of the ledger', async () => {
  for (const [table, [names]] of Object.entries(columns)) {
    const rows = await asOwner<{ name: string }>(
      app.databaseUrl,
      'select column_name as name from information_schema.columns where table_name = $1',
      [table],
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual(names.split(' ').toSorted())
  }
})

const changes = Object.entries(columns).flatMap(([table, [names, key]]) =>
  names.split(' ').map((column) => [table, column, key] as const),
)
test.each(changes)('verification finds a change to %s.%s of the third entry', async (table, column, key) => {
  expect(await verify()).toMatchObject({ code: 0, entries: 5, waiting: 0, broken: null })
  await owner(`update ${table} set ${column} = ${of(column)} where workspace_id = $1 and ${key} = $2`, ids[2])
  const { code, broken } = await verify()
  expect([code, broken.sequence]).toEqual([1, 3])
  expect(broken.problem).toMatch(/^(?:changed|missing|reordered)$/)
})

test('verification finds swapped entries and a link to an unknown entry', async () => {
  await owner(
    "update ledger_links set entry_id = case entry_id when $2 then $3 || '-' else entry_id end where workspace_id = $1",
    ids[1],
    ids[3],
  )
  expect((await verify()).broken).toMatchObject({ sequence: 2, problem: 'missing' })
  await owner('update ledger_links set entry_id = $2 where workspace_id = $1 and sequence = 2', ids[1])
  await owner(
    'update ledger_links set sequence = sequence + 10 where workspace_id = $1 and sequence in (3, 4)',
  )
  await owner(
    'update ledger_links set sequence = 17 - sequence where workspace_id = $1 and sequence in (13, 14)',
  )
  expect((await verify()).broken).toMatchObject({ sequence: 3, problem: 'reordered' })
})

test('verification finds a deleted entry, with or without its link', async () => {
  await owner('delete from ledger_entries where workspace_id = $1 and id = $2', ids[1])
  expect((await verify()).broken).toMatchObject({ sequence: 2, entry_id: ids[1], problem: 'missing' })
  await owner('delete from ledger_links where workspace_id = $1 and entry_id = $2', ids[1])
  expect((await verify()).broken).toMatchObject({ sequence: 2, problem: 'missing' })
})

test('an entry whose link was cut off is found', async () => {
  await owner('delete from ledger_links where workspace_id = $1 and sequence = 5')
  expect((await verify()).broken).toMatchObject({ entry_id: ids[4], problem: 'unchained' })
})

const deeds = fc.array(
  fc.oneof(
    fc.record({
      what: fc.constantFrom('add', 'chain', 'keep' as const),
      count: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ what: fc.constant('cut' as const), count: fc.integer({ min: 1, max: 9 }) }),
  ),
  { minLength: 4, maxLength: 12 },
)

test('a head kept elsewhere finds whatever was cut off since, down to nothing, and whatever then took its place', async () => {
  let numbers = 0
  await fc.assert(
    fc.asyncProperty(deeds, async (history) => {
      workspace = await app.workspace()
      const { ctx } = workspace
      let [chained, waiting] = [0, 0]
      const kept: { head: KnownHead; isCut: boolean }[] = []
      for (const { what, count } of history) {
        if (what === 'add')
          for (let n = 0; n < count; n++, waiting++) {
            const subject = subjectOf('phone', `+1312555${String(2000 + numbers++)}`)
            await suppress(ctx, [{ subject, kind: 'litigator', source: 'operator' }])
          }
        if (what === 'chain') {
          await chainEntries(ctx)
          ;[chained, waiting] = [chained + waiting, 0]
        }
        if (what === 'keep') {
          const { head: known } = await verifyLedger(ctx)
          if (known !== null) kept.push({ head: known, isCut: false })
        }
        if (what === 'cut') {
          chained = Math.max(0, chained - count)
          const cut = 'select entry_id from ledger_links where workspace_id = $1 and sequence > $2'
          await owner(`delete from ledger_entries where workspace_id = $1 and id in (${cut})`, chained)
          await owner('delete from ledger_links where workspace_id = $1 and sequence > $2', chained)
          for (const one of kept) if (one.head.sequence > chained) one.isCut = true
        }
        const report = await verifyLedger(ctx)
        expect(report).toMatchObject({ entries: chained, waiting, broken: null })
        expect(report.head?.sequence ?? 0).toBe(chained)
        for (const { head: known, isCut } of kept) {
          const { broken } = await verifyLedger(ctx, { known })
          const isShort = known.sequence > chained
          const found = isShort
            ? { problem: 'truncated', sequence: chained + 1 }
            : { problem: 'replaced', sequence: known.sequence }
          if (isCut) expect(broken).toMatchObject(found)
          else expect(broken).toBeNull()
        }
      }
    }),
    { numRuns: 30 },
  )
})

test('a recomputed chain is found by a head kept elsewhere', async () => {
  const kept = await head()
  await owner('update ledger_entries set reason = $2 where workspace_id = $1 and id = $3', 'manual', ids[0])
  await owner('delete from ledger_links where workspace_id = $1')
  await owner(
    'insert into ledger_unchained select workspace_id, id from ledger_entries where workspace_id = $1',
  )
  await chainEntries(workspace.ctx)
  expect(await verify()).toMatchObject({ code: 0, broken: null })
  expect((await verify('--head', kept)).broken).toMatchObject({ sequence: 5, problem: 'replaced' })
})

test('an entry deleted before it is chained is reported, even after the next chaining', async () => {
  await suppress(workspace.ctx, [
    { subject: subjectOf('phone', '+13125550199'), kind: 'manual', source: 'operator' },
  ])
  const [row] = await asOwner<{ id: string }>(
    app.databaseUrl,
    'select max(id) as id from ledger_entries where workspace_id = $1',
    [workspace.id],
  )
  await owner('delete from ledger_entries where workspace_id = $1 and id = $2', row?.id)
  for (let i = 0; i < 2; i++) {
    expect((await verify()).broken).toMatchObject({ entry_id: row?.id, problem: 'missing' })
    await chainEntries(workspace.ctx)
  }
})

test('the command prints the result and rejects an invalid --head', async () => {
  const args = ['consent', 'verify', '--workspace', workspace.id]
  const { code, out } = await gable(args)
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^ledger +intact\nentries +5\nwaiting +0\nhead +5:[0-9a-f]{64}\n$/),
  ])
  await owner('delete from ledger_links where workspace_id = $1 and sequence = 1')
  expect(await gable(args)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^ledger +broken: number 1 /),
  })
  expect(await gable.error(...args, '--head', '5')).toMatchObject({ code: 2, error: { code: 'usage' } })
})
