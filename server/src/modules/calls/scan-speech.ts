import { type ContentFinding, scanContent } from '../content/public.ts'
import type { CallFinding, TranscriptTurn } from './call.ts'

const mostFindings = 50

/** Finds what the AI said in a call but must not say. The AI speaks live, so nothing scans its words beforehand. */
export const findInTranscript = (transcript: readonly TranscriptTurn[]): CallFinding[] =>
  transcript
    .flatMap(({ speaker, text }, turn) =>
      speaker === 'ai' ? scanContent(text).map(placed('transcript', turn)) : [],
    )
    .slice(0, mostFindings)

/** Finds what an AI must not say in a summary. */
export const findInSummary = (summary: string): CallFinding[] =>
  scanContent(summary).map(placed('summary', null))

/** Finds what an AI must not say in the extracted facts. */
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
