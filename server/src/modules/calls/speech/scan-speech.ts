import { type ContentFinding, scanContent } from '../../compliance/public.ts'
import type { CallFinding, TranscriptTurn } from '../call.ts'

const mostFindings = 50

/** What the AI said in a call that it must not say. No scan comes before: it says it live. */
export const findInTranscript = (transcript: readonly TranscriptTurn[]): CallFinding[] =>
  transcript
    .flatMap(({ speaker, text }, turn) =>
      speaker === 'ai' ? scanContent(text).map(placed('transcript', turn)) : [],
    )
    .slice(0, mostFindings)

/** What a summary says that an AI must not say. */
export const findInSummary = (summary: string): CallFinding[] =>
  scanContent(summary).map(placed('summary', null))

/** The same of what was found out about the person, by name. */
export const findInExtracted = (extracted: Readonly<Record<string, unknown>>): CallFinding[] =>
  Object.values(extracted)
    .flatMap((value) => (typeof value === 'string' ? scanContent(value).map(placed('extracted', null)) : []))
    .slice(0, mostFindings)

const placed =
  (field: CallFinding['field'], turn: number | null) =>
  ({ code, category, text, start, end }: ContentFinding): CallFinding => ({
    code,
    category,
    field,
    turn,
    text,
    start,
    end,
  })
