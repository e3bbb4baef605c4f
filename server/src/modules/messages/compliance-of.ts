import { type Allowed, type Blocked, zonesOf } from '../compliance/public.ts'
import type { Compliance } from './message.ts'

/**
 * The verdict as a message shows it. If no contact is known, it includes only time zones that follow from the number.
 * Other zones would reveal where a person lives, even if the caller may not see that person.
 */
export function complianceOf(
  verdict: Allowed<unknown> | Blocked,
  at: Date,
  { contactId, to }: { contactId: string | null; to: string },
): Compliance {
  const { evidence } = verdict
  const ofNumber = contactId === null ? new Set(zonesOf({ phone: to })) : undefined
  return {
    decision: verdict.allowed ? 'allowed' : 'blocked',
    reason: verdict.allowed ? null : verdict.reason,
    reasons: verdict.allowed ? [] : [...verdict.reasons],
    retry_at: verdict.allowed || verdict.retryAt === null ? null : new Date(verdict.retryAt).toISOString(),
    effective_purpose: evidence.effectivePurpose,
    rule_set: evidence.ruleSet,
    judged_at: at.toISOString(),
    zones: evidence.zones
      .filter(({ zone }) => ofNumber?.has(zone) !== false)
      .map(({ zone, localTime }) => ({ zone, local_time: localTime })),
  }
}
