import type { CallReport, TranscriptTurn } from '../../modules/calls/ports.ts'
import { objectOf, objectsIn } from '../replies.ts'
import { type CallState, endOf } from './call-ends.ts'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const timeOf = (ms: unknown): Date | undefined => (typeof ms === 'number' ? new Date(ms) : undefined)

const msOf = (seconds: unknown): number | null =>
  typeof seconds === 'number' && seconds >= 0 ? Math.round(seconds * 1000) : null

/** The report in the body of a webhook. */
export function reportIn(body: Uint8Array): CallReport | undefined {
  const { event, call } = objectOf({ body })
  return isObject(call) && String(event).startsWith('call_')
    ? callReportOf(call, event === 'call_analyzed')
    : undefined
}

/** Reads a Retell call. Returns undefined if it has no ID. `isAnalyzed` is whether the analysis is available. */
export function callReportOf(call: Json, isAnalyzed: boolean): CallReport | undefined {
  const id = textOf(call['call_id'])
  if (id === null) return undefined
  const metadata = isObject(call['metadata']) ? call['metadata'] : {}
  const started = timeOf(call['start_timestamp'])
  const ended = timeOf(call['end_timestamp'])
  const duration = call['duration_ms']
  const recordingUrl = textOf(call['recording_url'])
  const transcript = turnsOf(call['transcript_object'])
  const keys = keysIn(call['transcript_with_tool_calls'])
  const wasHeard = transcript.length > 0 || keys.length > 0
  const state = stateOf(call, wasHeard)
  const talked = wasHeard || state.status === 'completed' || state.status === 'in_progress'
  return {
    callId: textOf(metadata[ourId]),
    providerCallId: id,
    direction: call['direction'] === 'inbound' ? 'INBOUND' : 'OUTBOUND',
    handledBy: 'ai',
    from: textOf(call['from_number']),
    to: textOf(call['to_number']),
    ...state,
    ...(started && { startedAt: started }),
    ...(started && talked && { answeredAt: started }),
    ...(ended && { endedAt: ended }),
    ...(typeof duration === 'number' && talked && { durationSeconds: Math.round(duration / 1000) }),
    ...(recordingUrl !== null && { recordingUrl }),
    ...(transcript.length > 0 && { transcript }),
    ...(keys.length > 0 && { keys }),
    ...(isAnalyzed && { analysis: analysisOf(call['call_analysis']) }),
  }
}

/** The metadata key for Gable's call ID. */
export const ourId = 'gable_call_id'

function stateOf({ call_status, disconnection_reason }: Json, wasHeard: boolean): CallState {
  if (call_status === 'registered') return { status: 'ringing' }
  if (call_status === 'ongoing') return { status: 'in_progress' }
  return endOf(textOf(disconnection_reason), {
    isTaken: call_status === 'ended' || (call_status === 'error' && wasHeard),
    isFault: call_status === 'error',
  })
}

const speakers: Readonly<Record<string, TranscriptTurn['speaker']>> = { agent: 'ai', user: 'contact' }

function turnsOf(list: unknown): TranscriptTurn[] {
  return objectsIn(list).flatMap(({ role, content, words }) => {
    const text = textOf(content)
    if (text === null) return []
    const spoken = objectsIn(words)
    return {
      speaker: speakers[String(role)] ?? 'member',
      start_ms: msOf(spoken[0]?.['start']),
      end_ms: msOf(spoken.at(-1)?.['end']),
      text,
    }
  })
}

/** The keys that the person pressed. Consecutive keys are joined. */
const keysIn = (list: unknown): string[] =>
  objectsIn(list)
    .map(({ role, digit }) => (role === 'dtmf' && typeof digit === 'string' ? digit : ' '))
    .join('')
    .split(' ')
    .filter((keys) => keys !== '')

const sentiments = { Positive: 'positive', Neutral: 'neutral', Negative: 'negative' } as const

const mostExtracted = 50

/**
 * Reads the analysis. From the agent's custom analysis, only strings, numbers, and booleans count; its `disposition` is
 * the call's result.
 */
function analysisOf(found: unknown): NonNullable<CallReport['analysis']> {
  const analysis = isObject(found) ? found : {}
  const custom = isObject(analysis['custom_analysis_data']) ? analysis['custom_analysis_data'] : {}
  const said = textOf(custom['disposition'])
  const voicemail = analysis['in_voicemail'] === true ? 'left_voicemail' : null
  const extracted = Object.entries(custom)
    .filter(
      ([name, value]) => name !== 'disposition' && ['string', 'number', 'boolean'].includes(typeof value),
    )
    .slice(0, mostExtracted)
    .map(([name, value]) => [cleaned(name), typeof value === 'string' ? cleaned(value) : value])
  return {
    summary: textOf(analysis['call_summary']),
    disposition: said ?? voicemail,
    sentiment: sentiments[String(analysis['user_sentiment']) as keyof typeof sentiments] ?? null,
    extracted: extracted.length === 0 ? null : Object.fromEntries(extracted),
  }
}

const cleaned = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[\0-\x1f\x7f]/g, ' ')
    .slice(0, 500)
