import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { isWithheld, shownVerdict } from '../messages/public.ts'
import { callRecord } from './call.ts'
import { cancelCall } from './cancel-call.ts'
import { CallDraft, CallPreflight } from './draft.ts'
import { placeCall } from './place-call.ts'
import { planCall } from './plan-call.ts'
import { callFilters, findCall, findTranscript, listCalls } from './queries.ts'
import { CallShown, CallWithTranscript, presentCall } from './schemas.ts'
import { updateCall } from './update-call.ts'

export const getCalls = listEndpoint('GET /calls', {
  scope: 'calls:read',
  summary: 'List calls',
  description:
    'Newest first. Includes calls that were placed, received, and blocked, by people and by the AI. The list does not include transcripts.',
  item: CallShown,
  filters: callFilters,
  rows: (ctx, { query, page }) => listCalls(ctx.db, query, page, ctx.masked),
  present: presentCall,
})

export const getCallCount = countEndpoint(getCalls)

export const getCall = endpoint('GET /calls/{id}', {
  scope: 'calls:read',
  summary: 'Retrieve a call',
  description: 'Includes its transcript.',
  responses: { 200: CallWithTranscript },
  fields: true,
  handle: async (ctx, { params }) => {
    const call = orNotFound(await findCall(ctx.db, params.id))
    const transcript = isWithheld(call, ctx) ? null : await findTranscript(ctx.db, call.id)
    return ok({ ...presentCall(call, ctx), transcript })
  },
})

export const patchCall = endpoint('PATCH /calls/{id}', {
  scope: 'calls:write',
  summary: 'Update a call',
  description:
    'Sets the result or the summary of a call that is over. The summary then counts as written by a person (`summary_source`). `do_not_call`, `wrong_number`, and `not_interested` have the same effect as if the person said so in the call. A member who placed the call, but does not see its contact, can set only its result.',
  body: callRecord.Patch,
  responses: { 200: CallShown },
  fields: true,
  errors: {
    409: '`call_erased`: the content of the call has been erased. `call_not_over`: the call is not over yet.',
  },
  handle: async (ctx, { params, body }) => ok(presentCall(await updateCall(ctx, params.id, body), ctx)),
})

const missing =
  'The contact in `contact_id`, the member in `member_id`, the persona in `persona_id`, the connection in `connection_id`, or the number in `from` does not exist in this workspace.'
const notNow =
  '`contact_erased`: the contact has been erased. `member_inactive`: the member in `member_id` is inactive. `ai_off`: the AI would talk, and it is off in the AI settings. `persona_off`: the persona in `persona_id` is off. `voice_not_connected`: no connection can carry the call.'

export const postCall = endpoint('POST /calls', {
  scope: 'calls:write',
  summary: 'Place a call',
  description:
    'The AI calls a person, or Gable calls a member first and then connects them. Every call passes the compliance gates twice: when it is accepted and when it is placed. No option skips them. If a gate forbids a call, the response is a 422 with the reason, and Gable keeps the attempt. A call is placed at most once.',
  body: CallDraft,
  responses: { 201: CallShown },
  errors: {
    404: missing,
    409: notNow,
    422: '`compliance_blocked`: a gate forbids the call. `reason` is the first of `reasons`; `retry_at` says when the same call may be placed, if only the hours forbid it; `call_id` is the attempt.',
  },
  errorMembers: {
    422: {
      reasons: Type.Array(Type.String()),
      retry_at: nullable(Timestamp),
      call_id: Type.String({ description: 'The attempt that Gable keeps.' }),
    },
  },
  prepare: (ctx, { body }) => planCall(ctx, body),
  handle: async (ctx, { body }, plan) => created(presentCall(await placeCall(ctx, body, plan), ctx)),
})

export const postCallCancel = endpoint('POST /calls/{id}/cancel', {
  scope: 'calls:write',
  summary: 'Cancel a call',
  description: 'Cancels a call that is waiting to be placed.',
  responses: { 200: CallShown },
  errors: { 409: '`call_not_cancellable`: the call has begun, or is over.' },
  handle: async (ctx, { params }) => ok(presentCall(await cancelCall(ctx, params.id), ctx)),
})

export const postCallPreflight = endpoint('POST /calls/preflight', {
  scope: 'calls:write',
  summary: 'Check a call',
  description:
    'Returns whether the call could be placed now, gate by gate, with the local times that count and the law behind each rule. Places and records nothing.',
  body: CallDraft,
  readOnly: true,
  responses: { 200: CallPreflight },
  errors: { 404: missing, 409: notNow },
  prepare: (ctx, { body }) => planCall(ctx, body),
  handle: async (ctx, _, plan) => ok(shownVerdict(plan, ctx.clock.now(), 'The call may be placed.')),
})
