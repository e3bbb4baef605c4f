import { type Static, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { storable } from '../../messages/public.ts'
import type { ModelForm } from './ask-model.ts'
import { withoutMarks } from './marks.ts'
import { issueOfText } from './reply-rules.ts'

/** Why a person should take over, as a model says it. */
const askedReasons = ['asked', 'unsure', 'angry', 'legal', 'lending', 'other'] as const

const word = (maxLength: number) => Type.Union([Type.String({ maxLength }), Type.Null()])

/** What a model may propose. A handoff is an action of its own: one that hides in prose gets lost. */
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

/** What a model is asked for as a response to a message. */
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

/** The first thing that is wrong with a value; undefined if nothing is. */
export function issueOf(schema: Pick<Validator, 'Check' | 'Errors'>, value: unknown): string | undefined {
  if (schema.Check(value)) return undefined
  const [first] = schema.Errors(value)
  return `${first?.instancePath || 'It'} ${first?.message ?? 'does not fit the schema'}.`
}
