import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Condition, type Test, holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { conditionFields } from '../automations/definition/condition-fields.ts'
import { listContactsById, stages } from '../contacts/public.ts'
import { scanContacts } from './scan-contacts.ts'

let app: TestApp
let workspace: TestWorkspace
let owners: string[]

const now = new Date('2026-03-02T16:00:00.000Z')
const sources = ['Zillow', ' zillow', 'ZILLOW', 'Café', 'cafe', 'Zi\tllow', '450000', 'Ｚillow', null]
const tags = ['VIP', 'vip ', 'Ünique', 'unique', 'buyer', '7']

beforeAll(async () => {
  app = await testApp({ role: 'api', now })
  workspace = await app.workspace()
  const [ada, eda] = [await workspace.member('Ada'), await workspace.member('Eda')]
  owners = [ada.id, eda.id]
  let n = 0
  for (const source of sources)
    for (const stage of stages)
      await asOwner(
        app.databaseUrl,
        `insert into contacts (workspace_id, id, stage, source, tags, owner_id, ai_auto_response, search_names, search_details, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, 'active', '', '', $7, $7)`,
        [
          workspace.id,
          `cmm${String(n++).padStart(22, '0')}`,
          stage,
          source,
          tags.filter((_, i) => (n * 7) % (i + 2) === 0),
          [...owners, null][n % 3],
          now,
        ],
      )
})
afterAll(() => app[Symbol.asyncDispose]())

const list = (values: readonly unknown[]) => fc.subarray([...values], { minLength: 1 })
const texts = (field: string, values: readonly unknown[]) =>
  fc.oneof(
    fc.record({
      field: fc.constant(field),
      operator: fc.constantFrom('eq', 'neq', 'contains', 'starts_with'),
      value: fc.constantFrom(...values),
    }),
    fc.record({ field: fc.constant(field), operator: fc.constantFrom('in', 'not_in'), value: list(values) }),
    fc.record({ field: fc.constant(field), operator: fc.constantFrom('exists', 'not_exists') }),
  )

const conditionsOf = (members: readonly string[]) =>
  fc.letrec<{ condition: Condition }>((tie) => {
    const parts = fc.array(tie('condition'), { minLength: 1, maxLength: 3 })
    const tests = fc.oneof(
      texts('contact.stage', ['LEAD', 'lead ', 'TRASH', 'NURTURE']),
      texts('contact.source', ['zillow', 'ZILLOW ', 'cafe', 'Café', '450000', 450_000]),
      texts('contact.owner_id', [...members, members[0]?.toUpperCase()]),
      fc.record({
        field: fc.constant('contact.tags'),
        operator: fc.constantFrom('has_any', 'has_all', 'has_none'),
        value: list([...tags, 7]),
      }),
    ) as fc.Arbitrary<Test>
    return {
      condition: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        { weight: 3, arbitrary: tests },
        { weight: 3, arbitrary: fc.record({ all: parts }) },
        { weight: 1, arbitrary: fc.record({ any: parts }) },
        { weight: 1, arbitrary: fc.record({ none: parts }) },
      ),
    }
  }).condition

test('the SQL prefilter drops no contact that matches the conditions', { timeout: 60_000 }, async () => {
  const { db } = workspace.ctx
  const ids = (
    await asOwner<{ id: string }>(app.databaseUrl, 'select id from contacts where workspace_id = $1', [
      workspace.id,
    ])
  ).map(({ id }) => id)
  const all = (await listContactsById(db, ids)).filter(({ stage }) => stage !== 'TRASH')
  let held = 0
  await fc.assert(
    fc.asyncProperty(conditionsOf(owners), async (conditions) => {
      const prepared = prepareFor(conditionFields, conditions)
      const moment = momentAt(now, 'UTC')
      const wanted = all.filter((contact) =>
        holds(prepared, { contact, trigger: {}, subject: null, context: {} }, moment),
      )
      held += wanted.length > 0 && wanted.length < all.length ? 1 : 0
      const found: string[] = []
      for (let after: string | undefined = ''; after !== undefined;) {
        const sought = { conditions, reach: 'all' as const, at: new Date('2059-01-01'), timezone: 'UTC' }
        const from: string = after
        const scanned = await workspace.ctx.transaction((tx) => scanContacts(tx, sought, from, 20))
        found.push(...scanned.contacts.map(({ id }) => id))
        after = scanned.last
      }
      expect(found).toEqual(wanted.map(({ id }) => id).toSorted())
    }),
    { numRuns: 300 },
  )
  expect(held, 'conditions that hold for some').toBeGreaterThan(100)
})
