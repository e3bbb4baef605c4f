import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { findUnknownIds } from '../workspaces/public.ts'
import { RoutingRulesChanged } from './events.ts'
import { currentRules, ruleSetOf } from './load-rules.ts'
import { insertRuleSet, lockRouting } from './rule-set-queries.ts'
import { parseRules } from './rules/parse-rules.ts'
import { readRules } from './rules/read-rules.ts'
import { type RuleChanges, changesBetween } from './rules/rule-changes.ts'
import { referencesOf } from './rules/rule-references.ts'
import type { RulesDocument } from './rules/rule-schema.ts'
import type { RuleSet } from './rules/rule.ts'

/** Like `replaceRules`, for an unchecked document. Also throws `ValidationFailed` with the path of each issue. */
export const setRules = (ctx: Ctx, input: unknown): Promise<RuleSet> => replaceRules(ctx, readRules(input))

/**
 * Replaces all rules, starting with the next decision, and publishes `routing_rules.changed`. A document that changes nothing creates
 * no version. Throws `ValidationFailed` with the path of each id that does not exist in the workspace, and 409 `conflict` if the
 * document names a version other than the current one.
 */
export async function replaceRules(ctx: Ctx, document: RulesDocument): Promise<RuleSet> {
  await requireKnown(ctx.db, document)
  return ctx.transaction(async (tx) => {
    const before = await ruleSetOf(tx, await lockRouting(tx))
    const at = tx.clock.now()
    const rules = parseRules(document, before, at)
    if (isDeepStrictEqual({ ...rules, version: before.version }, before)) return before
    const row = { id: newId(at), version: rules.version, actor: tx.actor, created_at: at.toISOString() }
    insertRuleSet(tx, { ...row, timezone: rules.timezone, rules: rules.rules, default_rule: rules.default })
    await tx.emit(RoutingRulesChanged, { id: row.id, version: row.version })
    return rules
  })
}

/** Returns the rules that `setRules` would store. Throws the same errors; changes nothing. */
export async function draftRules({ db, clock }: Ctx, input: unknown): Promise<RuleSet> {
  const document = readRules(input)
  await requireKnown(db, document)
  return parseRules(document, await currentRules(db), clock.now())
}

/** Returns what `replaceRules` would change in the current version. Throws the same errors; changes nothing. */
export async function planRules(
  { db, clock }: Ctx,
  document: RulesDocument,
): Promise<RuleChanges & { version: number }> {
  await requireKnown(db, document)
  const before = await currentRules(db)
  const { added, ...changes } = changesBetween(before, parseRules(document, before, clock.now()))
  return { version: before.version, added: added.map(({ name }) => ({ id: null, name })), ...changes }
}

async function requireKnown(db: Db, document: RulesDocument): Promise<void> {
  const references = referencesOf(document)
  const idsOf = (kind: string) => references.filter((one) => one.kind === kind).map(({ id }) => id)
  const isUnknown = await findUnknownIds(db, {
    member: idsOf('member'),
    team: idsOf('team'),
    office: idsOf('office'),
  })
  const issues = references
    .filter(({ kind, id }) => isUnknown(kind, id))
    .map(({ path, kind }) => ({ path, message: `names no ${kind} of this workspace` }))
  if (issues.length > 0) throw ValidationFailed(issues)
}
