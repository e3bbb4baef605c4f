import type { Ctx } from '#kernel/context.ts'
import { findDecision, findRulesVersion } from '../routing/public.ts'
import { lockLeadAndContact } from './lock.ts'
import { isAnyWaiting, listWaiting } from './queries.ts'
import { putOff, routeLead } from './route-lead.ts'

/** Leads per query. */
const lookSize = 500

/**
 * Routes all waiting leads that are due, oldest first, each in its own transaction. A lead that fails is left for the next
 * run. Returns whether any lead still waits.
 */
export async function routeWaiting(ctx: Ctx): Promise<boolean> {
  const now = ctx.clock.now()
  for (let after = ''; ;) {
    const waiting = await listWaiting(ctx.db, now, after, lookSize)
    for (const { id } of waiting) {
      try {
        await routeOne(ctx, id)
      } catch (error) {
        ctx.log.error({ err: error, leadId: id }, 'a waiting lead could not be routed')
      }
      after = id
    }
    if (waiting.length < lookSize) return isAnyWaiting(ctx.db)
  }
}

const routeOne = (ctx: Ctx, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { lead, contact } = await lockLeadAndContact(tx, id)
    if (lead.waits_for !== 'agent' && lead.waits_for !== 'hours') return
    // If the rules have changed since, routing starts over.
    const resumes = lead.routing?.resumes
    const stands = resumes !== undefined && resumes.rulesVersion === (await findRulesVersion(tx))
    const routed = await routeLead(ctx, tx, lead, contact, stands ? resumes : undefined)
    if (routed.record === undefined) putOff(tx, lead, routed.decision.until)
  })

/** Ends an expired offer that is still open, and lets the rule's fallbacks decide. */
export const endOffer = (ctx: Ctx, leadId: string, decisionId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { lead, contact } = await lockLeadAndContact(tx, leadId)
    if (lead.waits_for !== 'claim' || lead.routing?.decision_id !== decisionId) return
    const offer = await findDecision(tx, leadId, decisionId)
    if (offer === undefined || offer.rule_id === null) throw new Error('The offer has no decision.')
    const { rules_version, rule_id, step } = offer
    await routeLead(ctx, tx, lead, contact, { rulesVersion: rules_version, ruleId: rule_id, step: step + 1 })
  })
