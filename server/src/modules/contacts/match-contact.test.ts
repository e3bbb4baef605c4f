import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { type Sql, sql } from '#kernel/db/sql.ts'
import { newId } from '#kernel/ids.ts'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { blankContact } from './contact.ts'
import { findOrInsertContact } from './queries.ts'

const PlanRow = Type.Object({ 'QUERY PLAN': Type.String() })

test('a contact is looked for by index, as the role that row-level security binds', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('leads_plan') })
  const { ctx } = await app.workspace()
  await asOwner(
    app.databaseUrl,
    `insert into contacts (workspace_id, id, stage, tags, ai_auto_response, search_names, search_details, phone, phone_key,
       created_at, updated_at)
     select 'w' || n % 3, 'c' || lpad(n::text, 24, '0'), 'LEAD', '{}', 'active', '', '', n::text, '+1' || n, now(), now()
     from generate_series(1, 3000) n`,
  )
  await asOwner(app.databaseUrl, 'analyze contacts')
  const person = {
    phone: '+13125550123',
    email: 'a@b.example',
    first_name: null,
    last_name: null,
    source: null,
  }
  const at = ctx.clock.now().toISOString()
  const contact = {
    ...blankContact,
    ...person,
    id: newId(ctx.clock.now()),
    created_at: at,
    updated_at: at,
    erased_at: null,
  }
  const plan: string[] = []
  await ctx.transaction(async (tx) => {
    const one = async (_: unknown, statement: Sql) => {
      const rows = await tx.many(PlanRow, sql`explain (costs off) ${statement}`)
      plan.push(...rows.map((row) => row['QUERY PLAN']))
      return contact
    }
    await findOrInsertContact({ ...tx, one: one as typeof tx.one }, contact)
  })
  expect(plan.filter((line) => /Scan.* on contacts/.test(line))).toHaveLength(3)
  expect(plan.filter((line) => line.includes('Seq Scan on contacts'))).toEqual([])
})
