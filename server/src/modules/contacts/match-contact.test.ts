import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { sqlTag } from '#kernel/db/rows.ts'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { pointsOf } from './contact-points.ts'
import { lockHolder } from './queries.ts'

const PlanRow = Type.Object({ 'QUERY PLAN': Type.String() })

test('matching a contact uses an index under row-level security', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('leads_plan') })
  const { ctx } = await app.workspace()
  await asOwner(
    app.databaseUrl,
    `with contacts as (
       insert into contacts (workspace_id, id, stage, tags, ai_auto_response, search_names, search_details, phone, created_at,
         updated_at)
       select 'w' || n % 3, 'c' || lpad(n::text, 24, '0'), 'LEAD', '{}', 'active', '', '', n::text, now(), now()
       from generate_series(1, 3000) n returning *
     )
     insert into contact_points (workspace_id, contact_id, kind, value, source, since)
     select workspace_id, id, 'phone', '+1' || phone, 'contact', now() from contacts`,
  )
  await asOwner(app.databaseUrl, 'analyze contacts, contact_points')
  const plan: string[] = []
  await ctx.transaction(async (tx) => {
    const maybeOne = () =>
      sqlTag(async ({ text, values }) => {
        const rows = await tx.many(PlanRow)({ text: `explain (costs off) ${text}`, values })
        plan.push(...rows.map((row) => row['QUERY PLAN']))
        return undefined
      })
    const points = pointsOf({ phone: '+13125550123', email: 'a@b.example' })
    await lockHolder({ ...tx, maybeOne: maybeOne as unknown as typeof tx.maybeOne }, points)
  })
  expect(plan.filter((line) => /Scan.* on contact/.test(line))).toHaveLength(2)
  expect(plan.filter((line) => line.includes('Seq Scan on contact'))).toEqual([])
})
