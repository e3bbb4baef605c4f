import { Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import type { DecisionRow } from './decision-queries.ts'
import { exclusions } from './decision.ts'
import { explainDecision } from './explain-decision.ts'
import type { Preview } from './preview-route.ts'

const Considered = Type.Object({
  rule_id: Type.String(),
  name: Type.String(),
  matched: Type.Boolean(),
  failing_conditions: Type.Array(
    Type.Object({
      field: Type.String({
        description: 'What was asked about; `enabled` and `schedule` are of the rule itself.',
      }),
      operator: Type.String(),
      expected: Type.Unknown(),
      actual: Type.Unknown({ description: 'Null where the lead says nothing.' }),
      negated: Type.Optional(Type.Literal(true, { description: 'It held, where none should.' })),
    }),
  ),
})

const Candidate = Type.Object({
  member_id: Type.String(),
  eligible: Type.Boolean(),
  excluded_reasons: Type.Array(Type.String({ enum: exclusions })),
  weight: Type.Integer(),
  position: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Whose turn it is, from 1 on, among those eligible.',
  }),
})

const outcome = Type.Enum(['assigned', 'offered', 'pond', 'held', 'unassigned'], {
  description:
    '`offered` for a time and `pond` without end are for whoever claims first; `held` waits for the hours of the rule.',
})

const verdict = {
  matched_rule: Type.Union(
    [Type.Object({ id: Type.String(), name: Type.String(), version: Type.Integer() }), Type.Null()],
    { description: 'Null where a person decided.' },
  ),
  outcome,
  method: nullable(Type.String({ description: 'How it came about; null when nothing worked.' })),
  assignee_id: nullable(Type.String()),
  offered_to: Type.Array(Type.String()),
  until: nullable(Timestamp),
  considered: Type.Array(Considered, {
    description: 'Every rule in the order of trying. Empty where a person decided, and after an erasure.',
  }),
  candidates: Type.Array(Candidate),
  cursor: Type.Union(
    [
      Type.Object({
        before: Type.Unknown({ description: 'Where the rotation stood.' }),
        advanced: Type.Boolean(),
      }),
      Type.Null(),
    ],
    { description: 'Of the rule’s rotation.' },
  ),
  fallback_used: Type.Array(Type.String(), { description: 'What had to be passed by.' }),
  reason: Type.String(),
  rules_version: Type.Integer({ description: 'Of all rules together.' }),
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
          '“North Shore” matched, and it is the turn of member cmi8h2k5p0000y7w2d5g8j1m4. The rotation is not moved by a preview, so the live pick may differ.',
      },
    ],
  },
)

/** A decision as it was made, with what follows from it. */
export async function presentDecision(ctx: Pick<Ctx, 'db'>, row: DecisionRow) {
  return {
    id: row.id,
    decision_id: row.id,
    dry_run: false,
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

/** What would have been decided; the rotation stays where it is. */
export const presentPreview = ({ decision, considered, rulesVersion }: Preview) => ({
  decision_id: null,
  dry_run: true,
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
