import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

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

/** The proposal in what a model said, or what is wrong with it, for the model. Servers do not enforce schemas. */
export function readProposal(said: string): { proposal: Proposal } | { issue: string } {
  let value: unknown
  try {
    value = JSON.parse(said)
  } catch {
    return { issue: 'It is not JSON.' }
  }
  if (!validator.Check(value)) {
    const [first] = validator.Errors(value)
    return { issue: `${first?.instancePath || 'It'} ${first?.message ?? 'does not fit the schema'}.` }
  }
  const proposal = value as Proposal
  if (proposal.action === 'reply' && proposal.text.trim() === '') return { issue: 'A reply needs a text.' }
  return { proposal }
}
