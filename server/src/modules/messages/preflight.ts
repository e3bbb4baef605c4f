import { type Static, Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { nullable } from '#kernel/schemas.ts'
import { type Allowed, type Blocked, gateNames, reasonText } from '../compliance/public.ts'
import type { SenderRow } from '../senders/public.ts'
import { complianceOf } from './compliance-of.ts'
import { ContentFindings } from './content-of.ts'
import type { PreflightDraft } from './draft.ts'
import { zonesOfNumber } from './message.ts'
import { type Addressee, hasText, planMessage } from './plan-message.ts'

const time = Type.String({ format: 'date-time' })

/** The members that a preflight of a message or a call returns. */
export const verdictMembers = {
  allowed: Type.Boolean(),
  reason: nullable(Type.String({ description: 'The first of the reasons. Codes are stable.' })),
  reasons: Type.Array(Type.String()),
  message: Type.String({ description: 'The reason in plain words.' }),
  retry_at: nullable(time),
  effective_purpose: Type.Enum(['outbound', 'reply'], {
    description: 'A reply is judged as outbound if the person has not written within 24 hours.',
  }),
  rule_set: Type.String({ description: 'The version of the rules.' }),
  zones: Type.Array(
    Type.Object({
      zone: Type.String({ description: 'A time zone in which the recipient may be.' }),
      local_time: Type.String(),
    }),
  ),
  gates: Type.Array(
    Type.Object({
      gate: Type.Enum(gateNames, { title: 'ComplianceGate' }),
      passed: Type.Boolean(),
      skipped: Type.Boolean({
        description: 'Whether there was nothing to judge: a message without a text has no content.',
      }),
      codes: Type.Array(Type.String()),
      rules: Type.Array(Type.Object({ id: Type.String(), citation: Type.String() })),
    }),
    { description: 'Every gate, in order.' },
  ),
  warnings: Type.Array(Type.String(), {
    description: 'Warnings: what the gates allow but you should know, including what an AI could not say.',
  }),
  sender: Type.Union([
    Type.Object({
      id: Type.String(),
      address: Type.String({ description: 'The number or address of the workspace.' }),
    }),
    Type.Null(),
  ]),
}

export const exampleVerdict = {
  allowed: false,
  reason: 'quiet_hours',
  reasons: ['quiet_hours'],
  message: 'It is outside the hours in which the recipient may be contacted.',
  retry_at: '2026-11-21T14:00:00.000Z',
  effective_purpose: 'outbound',
  rule_set: '2026-11-01',
  zones: [{ zone: 'America/Chicago', local_time: '2026-11-20 22:11' }],
  gates: [
    {
      gate: 'quiet_hours',
      passed: false,
      skipped: false,
      codes: ['quiet_hours'],
      rules: [{ id: 'federal', citation: '47 CFR 64.1200(c)(1)' }],
    },
  ],
  warnings: [],
  sender: { id: 'cmi8h4z9x0000a1s5d8f2g6h3', address: '+13125550188' },
}

export const Preflight = Type.Object(
  {
    ...verdictMembers,
    content: ContentFindings,
    segments: nullable(Type.Integer({ description: 'For a text: the number of segments.' })),
  },
  { title: 'MessagePreflight', examples: [{ ...exampleVerdict, content: [], segments: 1 }] },
)

/** A plan whose verdict a preflight returns. */
interface Planned extends Addressee {
  verdict: Allowed<unknown> | Blocked
  sender: SenderRow | undefined
}

/**
 * A verdict as a preflight returns it. `allowed`: its `message` if nothing forbids the send. The time zones are those
 * of an unknown number unless the caller may know whose it is. `isWithText`: whether there is content to judge.
 */
export function shownVerdict(plan: Planned, at: Date, allowed: string, isWithText = false) {
  const { verdict, sender } = plan
  const { decision: _, judged_at: __, ...compliance } = complianceOf(verdict, at)
  if (plan.hidden) compliance.zones = zonesOfNumber(plan.to.value, at)
  return {
    allowed: verdict.allowed,
    message: verdict.allowed ? allowed : reasonText(verdict.reason),
    ...compliance,
    gates: verdict.evidence.gates.map(({ gate, codes, rules }) => ({
      gate,
      passed: codes.length === 0,
      skipped: gate === 'content' && !isWithText,
      codes: [...codes],
      rules: [...rules],
    })),
    warnings: [...verdict.evidence.warnings],
    sender: sender === undefined ? null : { id: sender.id, address: sender.address },
  }
}

/**
 * Returns what would happen to a message now, gate by gate, perhaps before it has a text. Writes nothing and counts nothing.
 * Throws 400 and 404 as `planMessage` does.
 */
export async function preflight(ctx: Ctx, draft: PreflightDraft): Promise<Static<typeof Preflight>> {
  const plan = await planMessage(ctx, draft, { isFromCaller: true, mayLackText: true })
  const shown = shownVerdict(plan, ctx.clock.now(), 'The message may be sent.', hasText(draft))
  return { ...shown, content: [...plan.verdict.evidence.content], segments: plan.segments }
}
