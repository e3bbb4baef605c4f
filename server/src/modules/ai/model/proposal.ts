import { type Static, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { storable } from '../../messages/public.ts'
import type { ModelForm } from './ask-model.ts'
import { withoutMarks } from './marks.ts'
import { issueOfText } from './reply-rules.ts'

/** The handoff reasons that a model may give. */
const askedReasons = ['asked', 'unsure', 'angry', 'legal', 'lending', 'other'] as const

const word = (maxLength: number) => Type.Union([Type.String({ maxLength }), Type.Null()])

/** What a model may propose. A handoff is a separate action, because a handoff buried in prose gets lost. */
export const Proposal = Type.Object(
  {
    action: Type.Enum(['reply', 'handoff', 'none']),
    text: Type.String({ maxLength: 1000 }),
    handoff_reason: Type.Union([Type.Enum(askedReasons), Type.Null()]),
    disposition: Type.Union([
      Type.Enum([
        'interested',
        'appointment_requested',
        'callback_requested',
        'nurture',
        'not_interested',
        'other',
      ]),
      Type.Null(),
    ]),
    extracted: Type.Object(
      { timeframe: word(200), area: word(200), budget: word(200) },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
export type Proposal = Static<typeof Proposal>

const validator = Compile(Proposal)

/** What to ask a model for when it writes to a contact. */
export const replyForm: ModelForm<Proposal> = {
  schema: Proposal,
  maxTokens: 700,
  read(value) {
    const issue = issueOf(validator, value)
    if (issue !== undefined) return { issue }
    const { text, extracted, ...rest } = value as Proposal
    const { timeframe, area, budget } = extracted
    const proposal = {
      ...rest,
      text: withoutMarks(storable(text)),
      extracted: { timeframe: known(timeframe), area: known(area), budget: known(budget) },
    }
    const fault = proposal.action === 'reply' ? issueOfText(proposal.text) : undefined
    return fault === undefined ? { proposal } : { issue: fault }
  },
}

const known = (said: string | null): string | null => (said === null ? null : storable(said).trim() || null)

/** The first schema error of a value, or undefined if it is valid. */
export function issueOf(schema: Pick<Validator, 'Check' | 'Errors'>, value: unknown): string | undefined {
  if (schema.Check(value)) return undefined
  const [first] = schema.Errors(value)
  return `${first?.instancePath || 'It'} ${first?.message ?? 'does not fit the schema'}.`
}
