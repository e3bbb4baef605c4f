import { Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { masked } from '#kernel/masking/masked.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { exclusions } from './decide/decision.ts'
import type { DecisionRow } from './decision-queries.ts'
import { explainDecision, type Preview } from './preview-route.ts'

const Considered = Type.Object({
  rule_id: Type.String(),
  name: Type.String(),
  matched: Type.Boolean(),
  failing_conditions: Type.Array(
    Type.Object({
      field: Type.String({
        description:
          'The field that the condition tests. `enabled` and `schedule` belong to the rule itself.',
      }),
      operator: Type.String(),
      expected: Type.Unknown(),
      actual: masked('text', Type.Unknown({ description: 'Null if the lead has no value.' })),
      negated: Type.Optional(
        Type.Literal(true, {
          description: 'The condition holds, but the rule requires that it does not hold.',
        }),
      ),
    }),
  ),
})

const Candidate = Type.Object({
  member_id: Type.String(),
  eligible: Type.Boolean(),
  excluded_reasons: Type.Array(Type.String({ title: 'RoutingExclusion', enum: exclusions })),
  weight: Type.Integer(),
  position: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The position in the rotation among the eligible members, counted from 1.',
  }),
})

const outcome = Type.Enum(['assigned', 'offered', 'pond', 'held', 'unassigned'], {
  title: 'RoutingOutcome',
  description:
    '`offered`: members can claim the lead for a limited time; `pond`: members can claim it at any time; `held`: it waits for the hours of the rule.',
})

const verdict = {
  matched_rule: Type.Union(
    [Type.Object({ id: Type.String(), name: Type.String(), version: Type.Integer() }), Type.Null()],
    { description: 'Null if a person decided.' },
  ),
  outcome,
  method: nullable(
    Type.String({ description: 'How the decision was made. Null if no method found a member.' }),
  ),
  assignee_id: nullable(Type.String()),
  offered_to: Type.Array(Type.String()),
  until: nullable(Timestamp),
  considered: Type.Array(Considered, {
    description:
      'Every rule, in the order in which the rules are tried. Empty if a person decided, and after an erasure.',
  }),
  candidates: Type.Array(Candidate),
  cursor: Type.Union(
    [
      Type.Object({
        before: Type.Unknown({ description: 'The position of the rotation before the decision.' }),
        advanced: Type.Boolean(),
      }),
      Type.Null(),
    ],
    { description: "The rule's rotation." },
  ),
  fallback_used: Type.Array(Type.String(), { description: 'What failed before the fallback was used.' }),
  reason: Type.String(),
  rules_version: Type.Integer({ description: 'The version of the whole set of rules.' }),
}

const candidate = {
  member_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
  eligible: true,
  excluded_reasons: [],
  weight: 1,
  position: 1,
}
const exampleVerdict = {
  matched_rule: { id: 'cmi8h0x2d0001r3t7y5h8b6n2', name: 'North Shore', version: 3 },
  outcome: 'assigned',
  method: 'round_robin',
  assignee_id: candidate.member_id,
  offered_to: [],
  until: null,
  considered: [
    {
      rule_id: 'cmi8h0x2d0000q1w4e7r9t2y5',
      name: 'Luxury',
      matched: false,
      failing_conditions: [{ field: 'price', operator: 'gte', expected: 1_500_000, actual: 450_000 }],
    },
    { rule_id: 'cmi8h0x2d0001r3t7y5h8b6n2', name: 'North Shore', matched: true, failing_conditions: [] },
  ],
  candidates: [candidate],
  fallback_used: [],
  reason: '“North Shore” matched, and it is the turn of member cmi8h2k5p0000y7w2d5g8j1m4.',
  rules_version: 12,
}

export const RoutingDecision = Type.Object(
  {
    id: Type.String(),
    decision_id: Type.String({ description: 'The same.' }),
    dry_run: Type.Literal(false),
    lead_id: Type.String(),
    previous_assignee_id: nullable(Type.String()),
    ...verdict,
    actor: Type.Object({ type: Type.String(), id: nullable(Type.String()), name: Type.String() }),
    created_at: Timestamp,
  },
  {
    title: 'RoutingDecision',
    examples: [
      {
        id: 'cmi8h3b8a0003u6c2m9p4v7e1',
        decision_id: 'cmi8h3b8a0003u6c2m9p4v7e1',
        dry_run: false,
        lead_id: 'cmi8h3b7q0002x5n9d1f6k8s4',
        previous_assignee_id: null,
        ...exampleVerdict,
        cursor: { before: {}, advanced: true },
        actor: { type: 'api_key', id: 'cmi8h1a0b0002q4e7r9t3y5u8', name: 'crm-sync' },
        created_at: '2026-11-20T20:11:04.817Z',
      },
    ],
  },
)

export const RoutingPreview = Type.Object(
  { decision_id: Type.Null(), dry_run: Type.Literal(true), ...verdict },
  {
    title: 'RoutingPreview',
    examples: [
      {
        decision_id: null,
        dry_run: true,
        ...exampleVerdict,
        cursor: { before: {}, advanced: false },
        reason:
          '“North Shore” matched, and it is the turn of member cmi8h2k5p0000y7w2d5g8j1m4. The live pick may differ, as a preview does not hold its place in the rotation.',
      },
    ],
  },
)

/** The response for a stored decision. */
export async function presentDecision(ctx: Pick<Ctx, 'db'>, row: DecisionRow) {
  return {
    id: row.id,
    decision_id: row.id,
    dry_run: false as const,
    lead_id: row.lead_id,
    previous_assignee_id: row.previous_assignee_id,
    matched_rule:
      row.rule_id === null
        ? null
        : { id: row.rule_id, name: row.rule_name ?? '', version: row.rule_version ?? 0 },
    outcome: row.outcome,
    method: row.method,
    assignee_id: row.assignee_id,
    offered_to: row.offered_to,
    until: row.until,
    considered: await explainDecision(ctx.db, row),
    candidates: row.candidates,
    cursor: row.cursor,
    fallback_used: row.fallback_used,
    reason: row.reason,
    rules_version: row.rules_version,
    actor: row.actor,
    created_at: row.created_at,
  }
}

/** The response for a preview. The rotation does not advance. */
export const presentPreview = ({ decision, considered, rulesVersion }: Preview) => ({
  decision_id: null,
  dry_run: true as const,
  matched_rule: decision.matched_rule,
  outcome: decision.outcome,
  method: decision.method,
  assignee_id: decision.assignee_id,
  offered_to: decision.offered_to,
  until: decision.until === null ? null : new Date(decision.until).toISOString(),
  considered,
  candidates: decision.candidates,
  cursor: { before: decision.cursor.before, advanced: false },
  fallback_used: decision.fallback_used,
  reason: decision.reason,
  rules_version: rulesVersion,
})
