import { Type } from 'typebox'
import { expect, test } from 'vitest'
import type { Ctx } from '#kernel/context.ts'
import type { Statement } from '#kernel/db/pipeline-batch.ts'
import { sqlTag } from '#kernel/db/rows.ts'
import { newId } from '#kernel/ids.ts'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { findSuppressions } from './find-suppressions.ts'
import { suppress } from './suppress.ts'
import { type SuppressionRow, listHeld, listSuppressions } from './suppression-queries.ts'
import { type Subject, type SuppressionDraft, subjectOf } from './suppression.ts'

const phone = subjectOf('phone', '+13125550186')
const email = subjectOf('email', 'ada@reyes.example')

const optOut = (subject: Subject): SuppressionDraft => ({ subject, kind: 'opted_out', source: 'operator' })

const heldAgainst = async (ctx: Ctx, subject: Subject) =>
  (await findSuppressions(ctx, [subject])).get(subject.value) ?? []

const kindsOf = (rows: readonly SuppressionRow[]) => rows.map(({ kind }) => kind)

const whole = { before: null, limit: 1000 }

test('numbers and addresses match however they are written', async () => {
  await using app = await testApp()
  const { ctx } = await app.workspace()
  await suppress(ctx, [
    optOut(subjectOf('phone', '(312) 555-0186')),
    optOut(subjectOf('email', ' Ada@Reyes.example')),
  ])
  for (const text of [
    '+13125550186',
    '312.555.0186',
    '1 312 555 0186',
    ' +1 (312) 555-0186 ext. 7',
    '3125550186',
  ])
    expect(kindsOf(await heldAgainst(ctx, subjectOf('phone', text))), text).toEqual(['opted_out'])
  for (const text of ['ada@reyes.example', 'ADA@REYES.EXAMPLE '])
    expect(kindsOf(await heldAgainst(ctx, subjectOf('email', text))), text).toEqual(['opted_out'])
  for (const text of ['+13125550143', '+442079460958'])
    expect(await heldAgainst(ctx, subjectOf('phone', text)), text).toEqual([])
})

test('a suppression applies only to its own workspace, and each workspace hashes differently', async () => {
  await using app = await testApp()
  const [mine, foreign] = [await app.workspace(), await app.workspace()]
  await suppress(mine.ctx, [optOut(phone)])
  expect(await heldAgainst(foreign.ctx, phone)).toEqual([])
  await suppress(foreign.ctx, [optOut(email)])
  expect(await heldAgainst(foreign.ctx, phone)).toEqual([])
  await suppress(foreign.ctx, [optOut(phone)])
  const names = [mine, foreign].map(async ({ ctx }) => (await heldAgainst(ctx, phone))[0]?.subject)
  const [one, other] = await Promise.all(names)
  expect([one, other]).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.stringMatching(/^[\w-]{43}$/)])
  expect(one).not.toBe(other)
})

test('the list is paginated, newest first, and can be filtered by kind', async () => {
  await using app = await testApp()
  const { ctx } = await app.workspace()
  for (let i = 0; i < 6; i++) {
    app.clock.advance(1000)
    const subject = subjectOf('phone', `+1312555012${i}`)
    await suppress(ctx, [{ subject, kind: i % 2 === 0 ? 'manual' : 'litigator', source: 'operator' }])
  }
  const all = await listSuppressions(ctx.db, { lifted: false }, whole)
  expect(all.map(({ created_at }) => created_at)).toEqual(
    all
      .map(({ created_at }) => created_at)
      .toSorted()
      .toReversed(),
  )
  const page = (before: string | null) => listSuppressions(ctx.db, { lifted: false }, { before, limit: 4 })
  const first = await page(null)
  expect([...first, ...(await page(first.at(-1)?.id ?? ''))]).toEqual(all)
  expect(kindsOf(await listSuppressions(ctx.db, { lifted: false, kind: ['manual'] }, whole))).toEqual(
    Array(3).fill('manual'),
  )
})

/** Wraps a database handle to record the statements that it sends. */
function counted(db: Ctx['db']) {
  const asked: string[] = []
  const noted = (statement: Statement) => {
    asked.push(statement.text)
    return statement
  }
  const many: typeof db.many = (row) => sqlTag((statement) => db.many(row)(noted(statement)))
  const maybeOne: typeof db.maybeOne = (row) => sqlTag((statement) => db.maybeOne(row)(noted(statement)))
  return { asked, db: { ...db, many, maybeOne } }
}

test('many subjects are looked up in one statement, even in a workspace without suppressions', async () => {
  await using app = await testApp()
  const [busy, idle] = [await app.workspace(), await app.workspace()]
  const subjects = Array.from({ length: 200 }, (_, i) => subjectOf('phone', `+1312555${1000 + i}`))
  await suppress(
    busy.ctx,
    subjects.slice(0, 20).map((subject) => optOut(subject)),
  )
  async function statementsOf({ db: reads, keys }: Ctx, found: number): Promise<number> {
    const { asked, db } = counted(reads)
    expect((await findSuppressions({ db, keys }, subjects)).size).toBe(found)
    return asked.length
  }
  // The first call also reads the key.
  expect([await statementsOf(busy.ctx, 20), await statementsOf(busy.ctx, 20)]).toEqual([2, 1])
  expect(await statementsOf(idle.ctx, 0)).toBe(1)
})

const PlanRow = Type.Object({ 'QUERY PLAN': Type.String() })

test('a lookup uses an index under row-level security', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('suppressions_plan') })
  const { ctx, id } = await app.workspace()
  await suppress(ctx, [optOut(phone)])
  await asOwner(
    app.databaseUrl,
    `insert into suppressions (workspace_id, id, subject_type, subject, kind, channels, source, actor, created_at)
     select $1, 'c' || lpad(n::text, 24, '0'), 'phone', md5(n::text), 'manual', '{sms}', 'import', '{}', now()
     from generate_series(1, 5000) n`,
    [id],
  )
  await asOwner(app.databaseUrl, 'analyze suppressions')
  const plan: string[] = []
  const many = () =>
    sqlTag(async ({ text, values }) => {
      const explained = { text: `explain (costs off) ${text}`, values }
      plan.push(...(await ctx.db.many(PlanRow)(explained)).map((row) => row['QUERY PLAN']))
      return []
    })
  await listHeld({ ...ctx.db, many: many as unknown as typeof ctx.db.many }, [
    'a',
    'b',
    newId(ctx.clock.now()),
  ])
  expect(plan.join('\n')).toMatch(/Scan (using|on) suppressions_(live|by_subject)/)
  expect(plan.filter((line) => line.includes('Seq Scan'))).toEqual([])
})
