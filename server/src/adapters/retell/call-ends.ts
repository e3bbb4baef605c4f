import type { CallReport } from '../../modules/calls/ports.ts'

/** How far a call has progressed, or how it ended. */
export type CallState = Pick<CallReport, 'status' | 'disposition' | 'error'>

type ErrorCode = NonNullable<CallReport['error']>['code']

interface Meaning extends Pick<CallReport, 'status' | 'disposition'> {
  /** The status if the call was not answered. Defaults to `status`. */
  unanswered?: CallReport['status']
  /** The error code of a failure. */
  code?: ErrorCode
}

const hungUp: Meaning = { status: 'completed', unanswered: 'no_answer' }
const stopped: Meaning = { status: 'completed', unanswered: 'cancelled' }
const busy: Meaning = { status: 'busy', disposition: 'busy' }
const transferred: Meaning = { status: 'completed', disposition: 'transferred' }
const failed = (code: ErrorCode): Meaning => ({ status: 'failed', code })

/** Retell's disconnection reasons. https://docs.retellai.com/reliability/debug-call-disconnect */
export const ends: Readonly<Record<string, Meaning>> = {
  user_hangup: hungUp,
  agent_hangup: hungUp,
  inactivity: hungUp,
  max_duration_reached: hungUp,
  ivr_reached: hungUp,
  voicemail_reached: { status: 'completed', disposition: 'left_voicemail' },
  call_transfer: transferred,
  transfer_bridged: transferred,
  transfer_cancelled: hungUp,
  call_take_over: stopped,
  manual_stopped: stopped,
  dial_no_answer: { status: 'no_answer', disposition: 'no_answer' },
  dial_busy: busy,
  user_declined: busy,
  dial_failed: failed('recipient_unreachable'),
  invalid_destination: { ...failed('recipient_invalid'), disposition: 'bad_number' },
  marked_as_spam: failed('filtered'),
  scam_detected: failed('filtered'),
  no_valid_payment: failed('rejected'),
  telephony_provider_permission_denied: failed('rejected'),
  telephony_provider_unavailable: failed('provider_unavailable'),
  sip_routing_error: failed('provider_unavailable'),
  concurrency_limit_reached: failed('provider_unavailable'),
  no_concurrency_fallback: failed('provider_unavailable'),
  registered_call_timeout: failed('provider_unavailable'),
  error_llm_websocket_open: failed('provider_unavailable'),
  error_llm_websocket_lost_connection: failed('provider_unavailable'),
  error_llm_websocket_runtime: failed('provider_unavailable'),
  error_llm_websocket_corrupt_payload: failed('provider_unavailable'),
  error_no_audio_received: failed('provider_unavailable'),
  error_asr: failed('provider_unavailable'),
  error_retell: failed('provider_unavailable'),
  error_unknown: failed('provider_unavailable'),
  error_user_not_joined: failed('provider_unavailable'),
}

/**
 * How a call ended. An unknown reason counts as a failure, unless the call was answered and Retell reports no error.
 */
export function endOf(
  reason: string | null,
  { isTaken, isFault }: { isTaken: boolean; isFault: boolean },
): CallState {
  const isNormal = !isFault && (isTaken || reason === null)
  const { code, unanswered, disposition, ...known } =
    (reason === null ? undefined : ends[reason]) ?? (isNormal ? hungUp : failed('provider_unavailable'))
  const status = isTaken ? known.status : (unanswered ?? known.status)
  const message = reason === null ? 'The call failed at Retell.' : `Retell ended the call: ${reason}.`
  return {
    status,
    ...(disposition && { disposition }),
    ...(code && { error: { code, carrierCode: reason, message } }),
  }
}
