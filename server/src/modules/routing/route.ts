import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { newId } from '#kernel/ids.ts'
import { decideRoute, winnerOf } from './decide/decide-route.ts'
import type { Decision } from './decide/decision.ts'
import { poolOf } from './decide/eligibility.ts'
import { type DecisionRow, insertDecision } from './decision-queries.ts'
import { listPool, loadAgents } from './load-agents.ts'
import { compiledRulesOf } from './load-rules.ts'
import { countLeads, saveCursor } from './queries.ts'
import { lockRouting } from './rule-set-queries.ts'
import type { Facts } from './rules/facts.ts'

/** A decision, and the version of the rules that made it. */
export interface Routed {
  decision: Decision
  rulesVersion: number
}

/** Where routing resumes after an unclaimed offer: at this step of this rule. */
export interface Resumed {
  rulesVersion: number
  ruleId: string
  step: number
}

/**
 * Decides who gets a lead. Takes the routing lock, which serializes the decisions of a workspace: the state that this one reads does
 * not change until the transaction ends. Writes nothing.
 */
export async function decide(tx: Tx, facts: Facts, resumed?: Resumed): Promise<Routed> {
  const version = await lockRouting(tx)
  return decideBy(tx, facts, tx.clock.now(), { rulesVersion: version, ...resumed })
}

/** Like `decide`, without the lock and at a given time. */
async function decideBy(
  db: Db,
  facts: Facts,
  at: Date,
  { rulesVersion, ruleId, step = 0 }: { rulesVersion: number } & Partial<Resumed>,
): Promise<Routed> {
  const rules = await compiledRulesOf(db, rulesVersion)
  const { set } = rules
  const resumed = [...set.rules, set.default].find(({ id }) => id === ruleId)
  const rule = resumed ?? winnerOf(rules, facts, at)
  const state = await loadAgents(db, rule, facts, at)
  const decision = decideRoute({ facts, rules, ...state, at, rule, step })
  return { decision, rulesVersion }
}

/** Whether a member is currently in the pool of the rule that made a decision. */
export async function isInPool(
  db: Db,
  { rules_version, rule_id }: DecisionRow,
  memberId: string,
): Promise<boolean> {
  const { set } = await compiledRulesOf(db, rules_version)
  const rule = [...set.rules, set.default].find(({ id }) => id === rule_id)
  if (rule === undefined) return false
  const agents = await listPool(db, rule)
  return poolOf(rule, agents).some(({ id }) => id === memberId)
}

/** The lead that a decision is about. */
export interface DecidedLead {
  id: string
  assigneeId: string | null
  by: Actor
}

/** Stores a decision: its record, the state of the rotation, and the assignee's number of open leads. */
export function recordDecision(
  tx: Tx,
  lead: DecidedLead,
  { decision, rulesVersion }: Routed,
  facts: Facts,
): DecisionRow {
  const at = tx.clock.now()
  const { matched_rule: rule, cursor } = decision
  const advanced = !isDeepStrictEqual(cursor.before, cursor.after)
  if (advanced) saveCursor(tx, rule.id, cursor.after, at)
  return record(tx, lead, {
    outcome: decision.outcome,
    rules_version: rulesVersion,
    rule_id: rule.id,
    rule_name: rule.name,
    rule_version: rule.version,
    method: decision.method,
    assignee_id: decision.assignee_id,
    offered_to: decision.offered_to,
    until: decision.until === null ? null : new Date(decision.until).toISOString(),
    step: decision.step,
    candidates: decision.candidates,
    cursor: { before: cursor.before, advanced },
    fallback_used: decision.fallback_used,
    reason: decision.reason,
    facts,
  })
}

/** Stores the decision of a person who assigned or claimed the lead. */
export async function recordChoice(
  tx: Tx,
  lead: DecidedLead,
  { method, memberId, reason }: { method: 'manual' | 'claim'; memberId: string; reason: string },
): Promise<DecisionRow> {
  const version = await lockRouting(tx)
  return record(tx, lead, {
    outcome: 'assigned',
    rules_version: version,
    rule_id: null,
    rule_name: null,
    rule_version: null,
    method,
    assignee_id: memberId,
    offered_to: [],
    until: null,
    step: 0,
    candidates: [],
    cursor: null,
    fallback_used: [],
    reason,
    facts: null,
  })
}

type Verdict = Omit<DecisionRow, 'id' | 'lead_id' | 'previous_assignee_id' | 'actor' | 'created_at'>

function record(tx: Tx, { id, assigneeId, by }: DecidedLead, verdict: Verdict): DecisionRow {
  const at = tx.clock.now()
  const row: DecisionRow = {
    ...verdict,
    id: newId(at),
    lead_id: id,
    previous_assignee_id: assigneeId,
    actor: by,
    created_at: at.toISOString(),
  }
  insertDecision(tx, row)
  if (row.assignee_id !== null) countLeads(tx, row.assignee_id, { change: 1, assignedAt: at })
  return row
}

/** Counts one open lead less for the member, after a lead was closed or reassigned. */
export const releaseLead = (tx: Tx, memberId: string): void =>
  countLeads(tx, memberId, { change: -1, assignedAt: null })

/** Counts one open lead more for the member, after a closed lead was reopened. */
export const reopenLead = (tx: Tx, memberId: string): void =>
  countLeads(tx, memberId, { change: 1, assignedAt: null })
