import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { equals, filters } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import type { Rule } from './rules/rule.ts'

const VersionRow = Type.Object({ version: Type.Integer() })

/** The version of the current rules; 0 if none were ever set. */
export const findRulesVersion = async (db: Db): Promise<number> => {
  const { version } = await db.one(VersionRow)`
    select coalesce(max(version), 0) as version from routing_rule_sets where workspace_id = ${db.workspaceId}`
  return version
}

/**
 * Serializes the routing decisions of a workspace until the transaction ends, so that it reads everything that earlier decisions
 * wrote. Returns the version of the current rules.
 */
export function lockRouting(tx: WorkspaceTx): Promise<number> {
  lock(tx, 'routing')
  return findRulesVersion(tx)
}

const RuleSetHead = Type.Object({
  id: Type.String(),
  version: Type.Integer(),
  actor: Type.Unsafe<Actor>({}),
  created_at: Type.String(),
})

const RuleSetRow = Type.Object({
  ...RuleSetHead.properties,
  timezone: Type.String(),
  rules: Type.Unsafe<Rule[]>({}),
  default_rule: Type.Unsafe<Rule>({}),
})
export type RuleSetRow = Static<typeof RuleSetRow>

const columns = sql`id, version, actor, created_at, timezone, rules, default_rule`

export const findRuleSet = (db: Db, version: number) =>
  db.maybeOne(RuleSetRow)`
    select ${columns} from routing_rule_sets where workspace_id = ${db.workspaceId} and version = ${version}`

export const findRuleSetById = (db: Db, id: string) =>
  db.maybeOne(RuleSetRow)`
    select ${columns} from routing_rule_sets where workspace_id = ${db.workspaceId} and id = ${id}`

/** Decisions name the version of their rules, so clients can filter by it. */
export const ruleSetFilters = filters({
  version: equals(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
})

/** Lists versions, without their rules. */
export const listRuleSets = (db: Db, query: Static<typeof ruleSetFilters.query>, page: Page) =>
  db.many(RuleSetHead)`
    select id, version, actor, created_at from routing_rule_sets
    where workspace_id = ${db.workspaceId}${ruleSetFilters.where(query)} ${page.keyset()}`

export const insertRuleSet = (tx: WorkspaceTx, row: RuleSetRow): void =>
  tx.write`
    insert into routing_rule_sets (workspace_id, ${columns})
    values (${tx.workspaceId}, ${row.id}, ${row.version}, ${JSON.stringify(row.actor)}, ${row.created_at},
      ${row.timezone}, ${JSON.stringify(row.rules)}, ${JSON.stringify(row.default_rule)})`
