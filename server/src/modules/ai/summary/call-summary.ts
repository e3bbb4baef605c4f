import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { dispositions, sentiments } from '../../calls/public.ts'
import { storable } from '../../messages/public.ts'
import type { ModelForm } from '../model/ask-model.ts'
import { issueOf } from '../model/proposal.ts'

const maxLength = 600

const word = Type.Union([Type.String({ maxLength: 200 }), Type.Null()])

const CallSummaryProposal = Type.Object(
  {
    summary: Type.String({ maxLength }),
    disposition: Type.Enum(dispositions),
    sentiment: Type.Enum(sentiments),
    extracted: Type.Object(
      { timeframe: word, area: word, budget: word, financing: word, appointment: word },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

/** Accepts an unknown disposition, which counts as `other`. */
const validator = Compile(
  Type.Object(
    { ...CallSummaryProposal.properties, disposition: Type.String() },
    { additionalProperties: false },
  ),
)

/** A summary made from a transcript. */
export type ReadSummary = Omit<Static<typeof CallSummaryProposal>, 'extracted'> & {
  extracted: Record<string, string> | null
}

/** What to ask a model for when it summarizes a call. */
export const summaryForm: ModelForm<ReadSummary> = {
  schema: CallSummaryProposal,
  maxTokens: 500,
  read(value) {
    const issue = issueOf(validator, value)
    if (issue !== undefined) return { issue }
    const { summary, disposition, sentiment, extracted } = value as Static<typeof CallSummaryProposal>
    if (summary.trim() === '') return { issue: 'A summary needs a text.' }
    const known = Object.entries(extracted).flatMap(([name, text]) =>
      text === null || text.trim() === '' ? [] : [[name, storable(text)] as const],
    )
    return {
      proposal: {
        summary: storable(summary),
        sentiment,
        disposition: dispositions.includes(disposition) ? disposition : 'other',
        extracted: known.length === 0 ? null : Object.fromEntries(known),
      },
    }
  },
}
