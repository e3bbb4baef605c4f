import { type Static, Type } from 'typebox'
import { empty, sql } from '#kernel/db/sql.ts'
import type { Db } from '#kernel/db/tenant.ts'
import type { Writer } from '#kernel/db/transaction.ts'
import type { Actor } from '#kernel/events/journal.ts'
import type { Candidate, Cursor, Facts } from './decision.ts'

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
/** A decision as it is kept. */
export type DecisionRow = Static<typeof DecisionRow>

const columns = sql`id, lead_id, outcome, rules_version, rule_id, rule_name, rule_version, method, assignee_id,
  previous_assignee_id, offered_to, until, step, candidates, cursor, fallback_used, reason, facts, actor, created_at`

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

export const insertDecision = (tx: Writer, row: DecisionRow): void =>
  tx.write(sql`
    insert into routing_decisions (workspace_id, ${columns})
    values (${tx.workspaceId}, ${row.id}, ${row.lead_id}, ${row.outcome}, ${row.rules_version}, ${row.rule_id},
      ${row.rule_name}, ${row.rule_version}, ${row.method}, ${row.assignee_id}, ${row.previous_assignee_id},
      ${row.offered_to}, ${row.until}, ${row.step}, ${json(row.candidates)}, ${json(row.cursor)}, ${row.fallback_used},
      ${row.reason}, ${json(row.facts)}, ${json(row.actor)}, ${row.created_at})`)

export const findDecision = (db: Db, leadId: string, id: string) =>
  db.maybeOne(
    DecisionRow,
    sql`
    select ${columns} from routing_decisions
    where workspace_id = ${db.workspaceId} and lead_id = ${leadId} and id = ${id}`,
  )

/** Those of a lead, newest first. */
export const listDecisions = (db: Db, leadId: string, page: { before: string | null; limit: number }) =>
  db.many(
    DecisionRow,
    sql`
    select ${columns} from routing_decisions
    where workspace_id = ${db.workspaceId} and lead_id = ${leadId}
      ${page.before === null ? empty : sql`and id < ${page.before}`}
    order by id desc limit ${page.limit}`,
  )

/** Those after a moment, or after another one, oldest first. */
export const listDecisionsAfter = (db: Db, after: { created_at: string; id: string }, limit: number) =>
  db.many(
    DecisionRow,
    sql`
    select ${columns} from routing_decisions
    where workspace_id = ${db.workspaceId} and (created_at, id) > (${after.created_at}, ${after.id})
    order by created_at, id limit ${limit}`,
  )

/** Takes out of the decisions on these leads what was known of them. */
export const forgetFacts = (tx: Writer, leadIds: readonly string[]): void =>
  tx.write(sql`
    update routing_decisions set facts = null
    where workspace_id = ${tx.workspaceId} and lead_id = any (${leadIds}::text[])`)
