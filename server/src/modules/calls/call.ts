import { type Static, Type } from 'typebox'
import type { Actor } from '#kernel/events/journal.ts'
import { masked } from '#kernel/masking/masked.ts'
import { type RowOf, internal, patchOnly, readOnly, reference } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { Compliance, type Failure, directions } from '../messages/public.ts'

export const handlers = ['ai', 'human'] as const

/** Call statuses: the usual progression first, then the final ones. */
export const callStatuses = [
  'queued',
  'ringing',
  'in_progress',
  'completed',
  'no_answer',
  'busy',
  'failed',
  'cancelled',
  'blocked',
  'unknown',
] as const
export type CallStatus = (typeof callStatuses)[number]

export const dispositions = [
  'appointment_set',
  'transferred',
  'callback_requested',
  'qualified',
  'interested',
  'nurture',
  'left_voicemail',
  'no_answer',
  'busy',
  'hung_up',
  'bad_number',
  'wrong_number',
  'not_interested',
  'has_agent',
  'do_not_call',
  'language_barrier',
  'other',
] as const
export type Disposition = (typeof dispositions)[number]

export const sentiments = ['positive', 'neutral', 'negative'] as const
const recordingErrors = ['not_of_provider', 'not_a_recording', 'too_large', 'unavailable'] as const
const summarySources = ['provider', 'model', 'person'] as const

const text = nullable(Type.String())
const time = (description: string) => readOnly(nullable({ ...Timestamp, description }), null)
const number = (description: string) =>
  readOnly(masked('phone', nullable(Type.String({ description }))), null)
const enumOrNull = <const T extends readonly string[]>(title: string, values: T, description: string) =>
  readOnly(Type.Union([Type.Enum(values, { title }), Type.Null()], { description }), null)

const CallError = Type.Object({
  code: Type.String(),
  carrier_code: text,
  message: masked('text', Type.String()),
})

export const TranscriptTurn = Type.Object({
  speaker: Type.Enum(['ai', 'member', 'contact'], { description: 'More values may be added.' }),
  start_ms: nullable(Type.Integer({ minimum: 0, description: 'From the start of the conversation.' })),
  end_ms: nullable(Type.Integer({ minimum: 0 })),
  text: masked('text', Type.String()),
})
export type TranscriptTurn = Static<typeof TranscriptTurn>

const CallFinding = Type.Object({
  code: Type.String({ description: '`content_fair_housing` or `content_prohibited`.' }),
  category: Type.String({
    description: 'The protected characteristic, or the topic that an AI leaves to people.',
  }),
  field: Type.Enum(['transcript', 'summary', 'extracted'], {
    description: 'Where the words appear. More values may be added.',
  }),
  turn: nullable(Type.Integer({ minimum: 0, description: 'The turn of the transcript, counted from 0.' })),
  text: masked('text', Type.String({ description: 'The words in question.' })),
  start: Type.Integer({ description: 'The position in that text at which the words begin.' }),
  end: Type.Integer(),
})
export type CallFinding = Static<typeof CallFinding>

export const callFields = {
  contact_id: readOnly(
    nullable(
      reference(
        'contact',
        'The contact that the call belongs to, as far as you can see it: null if no contact has the number, or only a contact of someone else.',
      ),
    ),
    null,
  ),
  sender_id: readOnly(nullable(Type.String({ description: 'The number of the workspace.' })), null),
  direction: readOnly(Type.Enum(directions), 'OUTBOUND'),
  from: number("The caller's number."),
  to: number('The number called.'),
  handled_by: readOnly(Type.Enum(handlers, { description: 'Who talks: the AI or a member.' }), 'human'),
  persona_id: readOnly(
    nullable(Type.String({ description: 'The persona of the AI, if the request named one.' })),
    null,
  ),
  persona_version: readOnly(
    nullable(
      Type.Integer({ description: 'The version of the persona when the call began. Null until then.' }),
    ),
    null,
  ),
  member_id: readOnly(
    nullable(
      Type.String({ description: 'The member who talks, or whose phone rang. Null if only the AI talks.' }),
    ),
    null,
  ),
  status: readOnly(
    Type.Enum(callStatuses, {
      title: 'CallStatus',
      description:
        '`queued` until the provider has the call. The status only moves forward. `unknown`: the provider may have placed the call, or does not say how it ended. Gable looks for it, and never places it again.',
    }),
    'queued',
  ),
  disposition: patchOnly(
    nullable(
      Type.Enum(dispositions, {
        title: 'CallDisposition',
        description:
          'The result of the call. Null until it is known. Gable acts on a result that asks for no more calls, even if a person sets it. More values may be added.',
      }),
    ),
    null,
  ),
  scheduled_at: time('When the call is to be placed, if it is waiting for the hours.'),
  started_at: time('When the call began to ring.'),
  answered_at: time('When the call was answered. Null if it was not answered.'),
  ended_at: time('When the call ended.'),
  duration_seconds: readOnly(
    nullable(
      Type.Integer({
        minimum: 0,
        description: 'The duration of the conversation. 0 if the call was not answered.',
      }),
    ),
    null,
  ),
  ai_disclosed: readOnly(
    nullable(
      Type.Boolean({
        description:
          'Whether the AI began by saying that it is an AI. Null until it is known. If the AI did not say so, the owner of the contact gets an email.',
      }),
    ),
    null,
  ),
  summary: patchOnly(
    masked(
      'text',
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 4000,
          description: 'What was said. Null if there is no summary.',
        }),
      ),
    ),
    null,
  ),
  summary_source: enumOrNull(
    'SummarySource',
    summarySources,
    'Who wrote the summary: the provider of the call, a language model, or a person.',
  ),
  sentiment: enumOrNull('Sentiment', sentiments, 'How the person sounded.'),
  extracted: readOnly(
    masked(
      'text',
      nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Facts about the person and what they are looking for, by name.',
        }),
      ),
    ),
    null,
  ),
  content_findings: readOnly(
    Type.Array(CallFinding, {
      description:
        'Words that an AI must not say, found in what the AI said in the call, or in a summary or `extracted`. The owner of the contact gets an email.',
    }),
    [],
  ),
  compliance: readOnly(Type.Union([Compliance, Type.Null()]), null),
  error: readOnly(Type.Union([CallError, Type.Null()]), null),
  recording_error: enumOrNull(
    'RecordingError',
    recordingErrors,
    'Why Gable gave up copying the recording. Null otherwise. More values may be added.',
  ),
  provider_call_id: readOnly(text, null),
  erased_at: time('When the content of the call was erased.'),
  connection_id: internal(text, null),
  /** The member in whose reach the call is: the owner of its contact, else the member who talks or placed it. */
  owner_id: internal(text, null),
  /** As in messages: the contact that the author named if the call belongs to another, and who the author was. */
  addressed_contact_id: internal(text, null),
  author_id: internal(text, null),
  hidden_from: internal(text, null),
  actor: internal(Type.Unsafe<Actor | null>({}), null),
  waits_for_hours: internal(Type.Boolean(), false),
  turns: internal(Type.Integer(), 0),
  attempts: internal(Type.Integer(), 0),
  began_at: internal(nullable(Timestamp), null),
  completed_at: internal(nullable(Timestamp), null),
  acted_on: internal(Type.Union([Type.Enum(['opt_out', 'wrong_number', 'review']), Type.Null()]), null),
  asked_at: internal(nullable(Timestamp), null),
  recorded: internal(nullable(Type.Boolean()), null),
  recording_source: internal(text, null),
  recording_file_id: internal(text, null),
  recording_stored_at: internal(nullable(Timestamp), null),
  retention_ended_at: internal(nullable(Timestamp), null),
}

export const callRecord = defineRecord('Call', {
  fields: callFields,
  example: {},
  patchExample: { disposition: 'callback_requested', summary: 'Wants to hear from us after the holidays.' },
  shownExample: {
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    sender_id: 'cmi8h4z9x0000a1s5d8f2g6h3',
    direction: 'INBOUND',
    from: '+1******0123',
    to: '+1******0188',
    handled_by: 'ai',
    status: 'completed',
    disposition: 'appointment_set',
    started_at: '2026-11-20T20:08:55.310Z',
    answered_at: '2026-11-20T20:09:01.040Z',
    ended_at: '2026-11-20T20:12:40.090Z',
    duration_seconds: 219,
    ai_disclosed: true,
    summary: 'Wants to see the house on Elm Street; a showing on Tuesday was agreed.',
    summary_source: 'provider',
    sentiment: 'positive',
    extracted: { timeline: '3 months' },
  },
})
export type CallRow = RowOf<typeof callFields>

/** Field values after an erasure. What remains: that a call took place, when, and who talked. */
export const erasedCall = {
  from: null,
  to: null,
  summary: null,
  summary_source: null,
  sentiment: null,
  extracted: null,
  content_findings: [],
  error: null,
  recording_error: null,
  recording_source: null,
  recording_file_id: null,
  recording_stored_at: null,
} satisfies Partial<CallRow>

/** Whether the call is waiting to be placed and has not been sent to a provider. */
export const isWaiting = ({ status, began_at }: Pick<CallRow, 'status' | 'began_at'>): boolean =>
  status === 'queued' && began_at === null

/** Whether the call has ended or never took place. */
export const isOver = ({ status }: Pick<CallRow, 'status'>): boolean =>
  !['queued', 'ringing', 'in_progress', 'unknown'].includes(status)

/** Whether a finished call may have a recording or an analysis that no report has delivered. */
export function lacksResult(call: CallRow): boolean {
  if (call.provider_call_id === null || call.asked_at !== null) return false
  if (call.erased_at !== null || call.retention_ended_at !== null) return false
  const isMissed = call.direction === 'INBOUND' && call.handled_by === 'human' && call.status === 'no_answer'
  if (isMissed) return call.disposition !== 'left_voicemail'
  if (call.answered_at === null && call.status !== 'completed') return false
  const isAnalyzed = call.summary !== null || call.sentiment !== null || call.extracted !== null
  const lacksAnalysis = call.handled_by === 'ai' && !isAnalyzed
  return lacksAnalysis || (call.recorded === true && call.recording_source === null)
}

/** Whether Gable still has to copy a recording from the provider. */
export const isToBeCopied = (call: CallRow): boolean =>
  call.recording_source !== null &&
  call.recording_stored_at === null &&
  call.recording_error === null &&
  call.erased_at === null

export const errorOf = ({ code, carrierCode, message }: Failure): NonNullable<CallRow['error']> => ({
  code,
  carrier_code: carrierCode,
  message,
})
