import { type Static, Type } from 'typebox'
import { sql } from '#kernel/db/sql.ts'
import type { Db } from '#kernel/db/tenant.ts'
import { DecisionRow } from './decision-queries.ts'

const CountRow = Type.Object({ count: Type.Integer() })

/** How many decisions there are since then. */
export const countDecisionsAfter = async (db: Db, since: Date): Promise<number> => {
  const { count } = await db.one(
    CountRow,
    sql`
    select count(*)::integer as count from routing_decisions
    where workspace_id = ${db.workspaceId} and created_at > ${since}`,
  )
  return count
}

const { lead_id, outcome, assignee_id, rule_id, rule_name } = DecisionRow.properties

const LeadFateRow = Type.Object({
  lead_id,
  first_id: Type.String(),
  outcome: Type.Union([outcome, Type.Null()]),
  assignee_id,
  rule_id,
  rule_name,
  decided_at: Type.Union([Type.String(), Type.Null()]),
})
export type LeadFateRow = Static<typeof LeadFateRow>

/** Of each lead its first decision, and what the first one said that did not only let it wait; nulls where none did. */
export const listLeadFates = (db: Db, leadIds: readonly string[]) =>
  db.many(
    LeadFateRow,
    sql`
    select first.lead_id, first.first_id, fate.outcome, fate.assignee_id, fate.rule_id, fate.rule_name,
      fate.created_at as decided_at
    from (
      select lead_id, min(id) as first_id from routing_decisions
      where workspace_id = ${db.workspaceId} and lead_id = any (${leadIds}::text[])
      group by lead_id
    ) first left join lateral (
      select outcome, assignee_id, rule_id, rule_name, created_at from routing_decisions d
      where d.workspace_id = ${db.workspaceId} and d.lead_id = first.lead_id and outcome not in ('held', 'unassigned')
      order by d.id limit 1
    ) fate on true`,
  )
