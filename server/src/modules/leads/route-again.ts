import type { Ctx } from '#kernel/context.ts'
import { findDecision } from '../routing/public.ts'
import { lockLeadAndContact } from './lock.ts'
import { listWaiting } from './queries.ts'
import { routeLead } from './route-lead.ts'

/** Leads of one look. */
const lookSize = 500

/**
 * Tries the oldest leads after `after` that nobody could be given, each on its own. Answers where to go on, `''` after
 * the last; undefined when none waits any more.
 */
export async function routeWaiting(ctx: Ctx, after: string): Promise<string | undefined> {
  const waiting = await listWaiting(ctx.db, after, lookSize)
  let left = after === '' ? 0 : 1
  for (const { id } of waiting) {
    await ctx.transaction(async (tx) => {
      const { lead, contact } = await lockLeadAndContact(tx, id)
      if (lead.waits_for !== 'agent' && lead.waits_for !== 'hours') return
      const routed = await routeLead(ctx, tx, lead, contact)
      if (routed.lead.waits_for !== null) left++
    })
  }
  if (waiting.length === lookSize) return waiting.at(-1)?.id
  return left === 0 ? undefined : ''
}

/** Takes back an offer whose time is over, if it still stands, and lets the rule's fallbacks decide. */
export const endOffer = (ctx: Ctx, leadId: string, decisionId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { lead, contact } = await lockLeadAndContact(tx, leadId)
    if (lead.waits_for !== 'claim' || lead.routing?.decision_id !== decisionId) return
    const offer = await findDecision(tx, leadId, decisionId)
    if (offer === undefined || offer.rule_id === null) throw new Error('The offer has no decision.')
    const { rules_version, rule_id, step } = offer
    await routeLead(ctx, tx, lead, contact, { rulesVersion: rules_version, ruleId: rule_id, step: step + 1 })
  })
