import type { Allowed, Blocked } from '../compliance/public.ts'
import type { Compliance } from './message.ts'

/** The verdict as a message stores it. */
export function complianceOf(verdict: Allowed<unknown> | Blocked, at: Date): Compliance {
  const { evidence } = verdict
  return {
    decision: verdict.allowed ? 'allowed' : 'blocked',
    reason: verdict.allowed ? null : verdict.reason,
    reasons: verdict.allowed ? [] : [...verdict.reasons],
    retry_at: verdict.allowed || verdict.retryAt === null ? null : new Date(verdict.retryAt).toISOString(),
    effective_purpose: evidence.effectivePurpose,
    rule_set: evidence.ruleSet,
    judged_at: at.toISOString(),
    zones: evidence.zones.map(({ zone, localTime }) => ({ zone, local_time: localTime })),
  }
}
