import { type Static, Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { extendRecord } from '#kernel/records/extend.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { fileLink, recordingsPath } from '../files/public.ts'
import { isWithheld, withheld } from '../messages/public.ts'
import { type CallRow, TranscriptTurn, callRecord } from './call.ts'

const recording = {
  recording_url: nullable(
    Type.String({
      description:
        'The address of the recording, created for each read. It is valid for five minutes, and as long as the credential may read calls. Null until Gable has a copy.',
    }),
  ),
  recording_expires_at: nullable(Timestamp),
}

const noRecording = { recording_url: null, recording_expires_at: null }

export const CallShown = extendRecord('Call', callRecord, recording, noRecording)
export type CallShown = Static<typeof CallShown>

export const CallWithTranscript = extendRecord(
  'CallWithTranscript',
  callRecord,
  {
    ...recording,
    transcript: nullable(
      Type.Array(TranscriptTurn, {
        description: 'The turns of the conversation, in order. Null if there is no transcript.',
      }),
    ),
  },
  {
    ...noRecording,
    transcript: [
      {
        speaker: 'ai',
        start_ms: 400,
        end_ms: 4200,
        text: 'Hello, this is the AI assistant of Lakeside Realty.',
      },
      {
        speaker: 'contact',
        start_ms: 4900,
        end_ms: 7300,
        text: 'Hi. I would like to see the house on Elm Street.',
      },
    ],
  },
)

/** What the holder of a number said is not shown to an author who does not see the holder. */
const saidNothing = {
  summary: null,
  summary_source: null,
  sentiment: null,
  extracted: null,
  content_findings: [],
}

/**
 * The API representation of a call, with a recording link for the requesting credential. An author who does not see its
 * contact sees that the call took place, and how it ended.
 */
export function presentCall(row: CallRow, ctx: Ctx): CallShown {
  const {
    connection_id: _connection,
    actor: _actor,
    waits_for_hours: _waits,
    turns: _turns,
    attempts: _attempts,
    began_at: _began,
    completed_at: _completed,
    acted_on: _acted,
    asked_at: _asked,
    recorded: _recorded,
    recording_source: _source,
    retention_ended_at: _ended,
    owner_id: _owner,
    addressed_contact_id: _addressed,
    author_id: _author,
    hidden_from: _hidden,
    recording_file_id,
    recording_stored_at,
    ...shown
  } = row
  if (isWithheld(row, ctx)) return { ...shown, ...withheld(row), ...saidNothing, ...noRecording } as CallShown
  const link =
    recording_file_id === null || recording_stored_at === null
      ? undefined
      : fileLink(ctx, recording_file_id, recordingsPath)
  return {
    ...shown,
    recording_url: link?.url ?? null,
    recording_expires_at: link?.expires_at ?? null,
  } as CallShown
}
