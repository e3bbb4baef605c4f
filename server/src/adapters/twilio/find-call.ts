import type { CallReport, ProviderAccount, SoughtCall } from '../../modules/calls/ports.ts'
import type { Failure } from '../../modules/messages/ports.ts'
import { objectOf, objectsIn, saysGone } from '../replies.ts'
import { type TwilioPlace, accountPath, callTwilio, originOf } from './twilio-api.ts'

type Resource = Readonly<Record<string, unknown>>

/** Twilio's statuses of a leg. */
export const legStatuses: Readonly<Record<string, CallReport['status']>> = {
  queued: 'ringing',
  initiated: 'ringing',
  ringing: 'ringing',
  'in-progress': 'in_progress',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  failed: 'failed',
  canceled: 'cancelled',
}

/** Why a leg failed, by SIP response code (RFC 3261) if Twilio reports it. */
export const legFailure = (sipCode: string | null): Failure => ({
  code: sipCode === '404' ? 'recipient_invalid' : 'recipient_unreachable',
  carrierCode: sipCode,
  message: 'Twilio could not connect the call.',
})

/** Whether the first leg has ended: the member's for an outgoing call, the caller's for an incoming one. */
export const isFirstLegOver = (status: string): boolean =>
  !['queued', 'initiated', 'ringing', 'in-progress'].includes(status)

/**
 * Looks up a call and derives its state from its legs. Returns undefined if the call isn't found or Twilio doesn't
 * respond as expected.
 */
export async function findTwilioCall(
  place: TwilioPlace,
  account: ProviderAccount,
  sought: SoughtCall,
): Promise<CallReport | undefined> {
  const sid = sought.providerCallId ?? (await findSid(place, account, sought))
  if (sid === undefined) return undefined
  // Read the first leg first: if it has ended, the second has too.
  const first = objectOf(await callTwilio(place, account, `Calls/${encodeURIComponent(sid)}.json`))['status']
  const others = await listCalls(place, account, { ParentCallSid: sid })
  if (typeof first !== 'string' || others === undefined) return undefined
  const { callId, direction, from, to } = sought
  const base = { callId, providerCallId: sid, direction, handledBy: 'human', from, to } as const
  const [second] = others
  const isOver = isFirstLegOver(first)
  const state = direction === 'INBOUND' ? comeIn(isOver, second) : placed(isOver, second)
  if (!isOver) return { ...base, ...state }
  // If no member answered, the caller's recording is a voicemail.
  const isVoicemail = direction === 'INBOUND' && state.status === 'no_answer'
  const recording = await recordingOf(place, account, sid, isVoicemail)
  return recording && { ...base, ...state, ...recording }
}

/** The URL of a call's recording, or `{}` if there is none. Undefined if Twilio doesn't respond as expected. */
async function recordingOf(
  place: TwilioPlace,
  account: ProviderAccount,
  sid: string,
  isVoicemail: boolean,
): Promise<Partial<CallReport> | undefined> {
  const reply = await callTwilio(place, account, `Calls/${encodeURIComponent(sid)}/Recordings.json`)
  if (reply.status !== 200 && !saysGone(reply)) return undefined
  const found = objectsIn(objectOf(reply)['recordings']).find(
    (one) =>
      typeof one['sid'] === 'string' && !['absent', 'failed', 'deleted'].includes(String(one['status'])),
  )
  if (found === undefined) return {}
  const recordingUrl = `${originOf(place, account)}${accountPath(account)}Recordings/${String(found['sid'])}`
  return isVoicemail ? { recordingUrl, isVoicemail: true, disposition: 'left_voicemail' } : { recordingUrl }
}

type State = Pick<CallReport, 'status' | 'answeredAt' | 'endedAt' | 'durationSeconds' | 'error'>

/**
 * For an outgoing call, the second leg is the person's. If the call ended before the person was called, it was
 * cancelled.
 */
function placed(isOver: boolean, second: Resource | undefined): State {
  return second === undefined ? { status: isOver ? 'cancelled' : 'ringing' } : stateOf(second)
}

/**
 * For an incoming call, the second leg is the member's. If the member doesn't answer, the caller may still leave a
 * message.
 */
function comeIn(isOver: boolean, second: Resource | undefined): State {
  const state: State = second === undefined ? { status: 'ringing' } : stateOf(second)
  if (isOver) return state.status === 'completed' ? state : { status: 'no_answer' }
  return state.status === 'in_progress' ? state : { status: 'ringing' }
}

function stateOf(leg: Resource): State {
  const timeOf = (name: string) => new Date(String(leg[name]))
  const status = legStatuses[String(leg['status'])] ?? 'ringing'
  const isConversation = status === 'in_progress' || status === 'completed'
  return {
    status,
    ...(isConversation && { answeredAt: timeOf('start_time') }),
    ...(status === 'completed' && {
      durationSeconds: Number(leg['duration'] ?? 0),
      endedAt: timeOf('end_time'),
    }),
    ...(status === 'failed' && { error: legFailure(null) }),
  }
}

/**
 * Finds the member's leg of a call whose response was lost. Twilio's list has nothing that identifies the call, so this
 * picks the leg that started closest in time, with the same two numbers, and that belongs to no other call.
 */
async function findSid(
  place: TwilioPlace,
  account: ProviderAccount,
  { from, member, since, isAnother }: SoughtCall,
): Promise<string | undefined> {
  if (member === null || from === null) return undefined
  const calls = (await listCalls(place, account, { To: member, From: from, PageSize: '20' })) ?? []
  const near = calls
    .map(({ sid, date_created: at }) => ({ sid, apart: new Date(String(at)).getTime() - since.getTime() }))
    .filter(({ apart }) => apart > -2_000 && apart < 30_000)
    .toSorted((one, other) => Math.abs(one.apart) - Math.abs(other.apart))
  for (const { sid } of near) if (typeof sid === 'string' && !(await isAnother(sid))) return sid
  return undefined
}

async function listCalls(place: TwilioPlace, account: ProviderAccount, query: Record<string, string>) {
  const reply = await callTwilio(place, account, `Calls.json?${new URLSearchParams(query)}`)
  return reply.status === 200 ? objectsIn(objectOf(reply)['calls']) : undefined
}
