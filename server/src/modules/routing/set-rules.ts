import type { Ctx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/tenant.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { findStrangers } from '../workspaces/public.ts'
import { parseRules } from './parse-rules.ts'
import { findRulesVersion, insertRuleSet, takeTurn } from './queries.ts'
import { referencesOf } from './rule-references.ts'
import type { RulesDocument } from './rule-schema.ts'
import type { RuleSet } from './rule.ts'
import { ruleSetOf } from './rules-of.ts'

/**
 * Puts other rules in force, all at once, from the next decision on. `document` is what `parseRules` describes; a fault
 * anywhere in it is a ValidationFailed with its path, and nothing changes. A document that carries the version of rules
 * which have been replaced meanwhile is 409 `conflict`.
 */
export const setRules = (ctx: Ctx, document: unknown): Promise<RuleSet> =>
  ctx.transaction(async (tx) => {
    const version = await takeTurn(tx)
    const rules = await parseKnown(tx, document, await ruleSetOf(tx, version), ctx.clock.now())
    insertRuleSet(tx, {
      version: rules.version,
      timezone: rules.timezone,
      rules: rules.rules,
      default_rule: rules.default,
      actor: ctx.actor,
      created_at: ctx.clock.now().toISOString(),
    })
    return rules
  })

/** The rules that a document would put in force. Throws what `setRules` does, and changes nothing. */
export const draftRules = async ({ db, clock }: Ctx, document: unknown): Promise<RuleSet> =>
  parseKnown(db, document, await ruleSetOf(db, await findRulesVersion(db)), clock.now())

async function parseKnown(db: Db, document: unknown, previous: RuleSet, at: Date): Promise<RuleSet> {
  const rules = parseRules(document, previous, at)
  // It has just been found to be one; of the document, not of the rules in their order, for the paths.
  const references = referencesOf(document as RulesDocument)
  const idsOf = (kind: string) => references.filter((one) => one.kind === kind).map(({ id }) => id)
  const strangers = await findStrangers(db, {
    members: idsOf('member'),
    teams: idsOf('team'),
    offices: idsOf('office'),
  })
  const faults = references
    .filter(({ id }) => strangers.has(id))
    .map(({ path, kind }) => ({ path, message: `names no ${kind} of this workspace` }))
  if (faults.length > 0) throw ValidationFailed(faults)
  return rules
}
