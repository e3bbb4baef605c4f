import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Slice, newestOfSlice } from '#kernel/db/slice.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Actor } from '#kernel/events/journal.ts'
import type { Candidate, Cursor } from './decide/decision.ts'
import type { Facts } from './rules/facts.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

export const DecisionRow = Type.Object({
  id: Type.String(),
  lead_id: Type.String(),
  outcome: Type.Enum(['assigned', 'offered', 'pond', 'held', 'unassigned']),
  rules_version: Type.Integer(),
  rule_id: nullable,
  rule_name: nullable,
  rule_version: Type.Union([Type.Integer(), Type.Null()]),
  method: nullable,
  assignee_id: nullable,
  previous_assignee_id: nullable,
  offered_to: Type.Array(Type.String()),
  until: nullable,
  step: Type.Integer(),
  candidates: Type.Unsafe<Candidate[]>({}),
  cursor: Type.Unsafe<{ before: Cursor; advanced: boolean } | null>({}),
  fallback_used: Type.Array(Type.String()),
  reason: Type.String(),
  facts: Type.Unsafe<Facts | null>({}),
  actor: Type.Unsafe<Actor>({}),
  created_at: Type.String(),
})
/** A stored decision. */
export type DecisionRow = Static<typeof DecisionRow>

const columns = sql`id, lead_id, outcome, rules_version, rule_id, rule_name, rule_version, method, assignee_id,
  previous_assignee_id, offered_to, until, step, candidates, cursor, fallback_used, reason, facts, actor, created_at`

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

export const insertDecision = (tx: WorkspaceTx, row: DecisionRow): void =>
  tx.write`
    insert into routing_decisions (workspace_id, ${columns})
    values (${tx.workspaceId}, ${row.id}, ${row.lead_id}, ${row.outcome}, ${row.rules_version}, ${row.rule_id},
      ${row.rule_name}, ${row.rule_version}, ${row.method}, ${row.assignee_id}, ${row.previous_assignee_id},
      ${row.offered_to}, ${row.until}, ${row.step}, ${json(row.candidates)}, ${json(row.cursor)}, ${row.fallback_used},
      ${row.reason}, ${json(row.facts)}, ${json(row.actor)}, ${row.created_at})`

export const findDecision = (db: Db, leadId: string, id: string) =>
  db.maybeOne(DecisionRow)`
    select ${columns} from routing_decisions
    where workspace_id = ${db.workspaceId} and lead_id = ${leadId} and id = ${id}`

/** Decisions on a lead, newest first. */
export const listDecisions = (db: Db, leadId: string, page: Slice) =>
  db.many(DecisionRow)`
    select ${columns} from routing_decisions
    where workspace_id = ${db.workspaceId} and lead_id = ${leadId} ${newestOfSlice(page)}`

/** Decisions after a time and id, oldest first. */
export const listDecisionsAfter = (db: Db, after: { created_at: string; id: string }, limit: number) =>
  db.many(DecisionRow)`
    select ${columns} from routing_decisions
    where workspace_id = ${db.workspaceId} and (created_at, id) > (${after.created_at}, ${after.id})
    order by created_at, id limit ${limit}`

/** Deletes the facts from the decisions on these leads. */
export const forgetFacts = (tx: WorkspaceTx, leadIds: readonly string[]): void =>
  tx.write`
    update routing_decisions set facts = null
    where workspace_id = ${tx.workspaceId} and lead_id = any (${leadIds}::text[])`

const CountRow = Type.Object({ count: Type.Integer() })

/** Counts the decisions after this time. */
export const countDecisionsAfter = async (db: Db, since: Date): Promise<number> => {
  const { count } = await db.one(CountRow)`
    select count(*)::integer as count from routing_decisions
    where workspace_id = ${db.workspaceId} and created_at > ${since}`
  return count
}

const { lead_id, outcome, assignee_id, rule_id, rule_name } = DecisionRow.properties

const LeadResultRow = Type.Object({
  lead_id,
  first_id: Type.String(),
  outcome: Type.Union([outcome, Type.Null()]),
  assignee_id,
  rule_id,
  rule_name,
  decided_at: Type.Union([Type.String(), Type.Null()]),
})
export type LeadResultRow = Static<typeof LeadResultRow>

/** The first decision on each lead, and the first that did more than let the lead wait; its columns are null if there is none. */
export const listLeadResults = (db: Db, leadIds: readonly string[]) =>
  db.many(LeadResultRow)`
    select first.lead_id, first.first_id, result.outcome, result.assignee_id, result.rule_id, result.rule_name,
      result.created_at as decided_at
    from (
      select lead_id, min(id) as first_id from routing_decisions
      where workspace_id = ${db.workspaceId} and lead_id = any (${leadIds}::text[])
      group by lead_id
    ) first left join lateral (
      select outcome, assignee_id, rule_id, rule_name, created_at from routing_decisions d
      where d.workspace_id = ${db.workspaceId} and d.lead_id = first.lead_id and outcome not in ('held', 'unassigned')
      order by d.id limit 1
    ) result on true`
