import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { raw } from '#kernel/db/sql.ts'
import { testApp } from '#test/support/app.ts'
import { workerDatabase } from '#test/support/database.ts'
import { maxPrepared } from './pipeline-batch.ts'

const Count = Type.Object({ count: Type.Integer() })
const Value = Type.Object({ value: Type.Integer() })

test('a connection keeps a bounded number of prepared statements, and every statement still runs', async () => {
  // With connections of its own: those that tests share may have failed statements prepared, which do not count.
  await using app = await testApp({ databaseUrl: await workerDatabase() })
  const { ctx } = await app.workspace()
  await ctx.transaction(async (tx) => {
    const ask = async (i: number) =>
      (await tx.one(Value)`select ${raw(String(i))} + ${1}::integer as value`).value
    for (let i = 0; i < maxPrepared + 200; i++) expect(await ask(i)).toBe(i + 1)
    expect(await ask(0)).toBe(1)
    const { count } = await tx.one(Count)`select count(*)::integer as count from pg_prepared_statements`
    expect(count).toBeLessThanOrEqual(maxPrepared)
  })
})
