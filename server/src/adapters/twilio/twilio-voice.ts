import type {
  CallReport,
  MemberConfirmation,
  OpenClearedCall,
  VoiceCarrier,
} from '../../modules/calls/ports.ts'
import {
  objectOf,
  objectsIn,
  saysGone,
  sendLater,
  testOutcome,
  unavailable,
  unexpected,
  unknown,
} from '../replies.ts'
import { findNumber } from './connect-number.ts'
import { findTwilioCall, isFirstLegOver, legFailure, legStatuses } from './find-call.ts'
import { readIncoming } from './incoming-call.ts'
import { callbackUrl, outcomeOf } from './send-message.ts'
import { isSigned } from './signature.ts'
import { callTwilio, loginOf, originOf } from './twilio-api.ts'
import type { TwilioOptions } from './twilio-carrier.ts'
import {
  afterAnnouncement,
  confirmSeconds,
  confirming,
  connecting,
  notConnected,
  ringSeconds,
  xml,
} from './twiml.ts'

interface VoiceOptions extends Omit<TwilioOptions, 'open' | 'mediaEgress'> {
  open: OpenClearedCall
}

const maxRecording = 200 * 2 ** 20

/** The time that must be left in the calling hours when the member's phone starts to ring. */
const leastMs = (2 * ringSeconds + confirmSeconds) * 1000

/**
 * Members' calls through Twilio. An outgoing call rings the member first, and connects the person after the member
 * presses a key. An incoming call rings the member, and takes a message if no one answers.
 */
export const twilioVoice = ({ open, clock, origin, ...place }: VoiceOptions): VoiceCarrier => ({
  async place(account, cleared) {
    const now = clock.now()
    // The person is called only after the member has picked up and pressed a key.
    if (cleared.validUntil - now.getTime() < leastMs)
      return sendLater(unavailable('The hours in which the person may be called are about to end.'))
    try {
      const call = open(cleared, now)
      const form = {
        From: call.from,
        To: call.member ?? '',
        Twiml: confirming(call, (path) => callbackUrl(origin(), account, path)),
        Timeout: String(ringSeconds),
        StatusCallback: callbackUrl(origin(), account, `voice/member/${call.callId}`),
      }
      return outcomeOf(await callTwilio(place, account, 'Calls.json', form))
    } catch (error) {
      return unknown(error instanceof Error ? error.message : 'defect')
    }
  },
  async test(account) {
    return testOutcome(
      await callTwilio(place, account, `/2010-04-01/Accounts/${encodeURIComponent(account.name)}.json`),
    )
  },
  parse(account, { url, path, headers, body }) {
    const form = new URLSearchParams(body.toString())
    if (!isSigned(account.secrets, headers['x-twilio-signature'] ?? '', url, form)) return undefined
    const [, kind = '', callId = ''] = path.split('/')
    const now = clock.now()
    if (kind === 'connect') {
      const isConfirmed = (form.get('Digits') ?? '') !== ''
      const response: MemberConfirmation['response'] = (cleared) =>
        cleared === undefined
          ? notConnected(isConfirmed)
          : connecting(open(cleared, clock.now()), (to) => callbackUrl(origin(), account, to))
      return { confirmation: { callId, providerCallId: form.get('CallSid') ?? '', isConfirmed, response } }
    }
    if (kind === 'announce') return { report: undefined, response: afterAnnouncement }
    const incoming = readIncoming(account, origin(), { kind, form, now })
    return incoming ?? { report: reportOf(kind, callId, form, now), response: xml('') }
  },
  find: (account, sought) => findTwilioCall(place, account, sought),
  async fetchRecording(account, url) {
    const { origin: given = '', pathname = '' } = URL.canParse(url) ? new URL(url) : {}
    const expected = originOf(place, account)
    // The simulated carrier's address may have changed.
    const isTheirs = account.simulated || given === expected
    if (!isTheirs || !pathname.startsWith(`/2010-04-01/Accounts/${account.name}/Recordings/`))
      return 'not_of_provider'
    const headers = { authorization: loginOf(account) }
    const { status, body } = await place.egress.stream({
      method: 'GET',
      url: expected + pathname,
      headers,
      maxBytes: maxRecording,
    })
    if (status === 200) return body
    body.destroy()
    throw new Error(`The recording could not be read: status ${status}.`)
  },
  async readNumberUrls(account, number) {
    const { sid, voiceUrl, endedUrl, voiceTarget, reply } = await findNumber(place, account, number)
    if (reply.status !== 200) throw unexpected('Twilio’s numbers', reply)
    if (sid === undefined) return undefined
    const at = (path: string) => callbackUrl(origin(), account, `voice/${path}`)
    return [
      {
        actual: voiceTarget ?? voiceUrl,
        expected: at('incoming'),
        setting: '"A call comes in" of the number',
      },
      { actual: endedUrl, expected: at('ended'), setting: '"Call status changes" of the number' },
    ]
  },
  async erase(account, providerCallId) {
    const reply = await callTwilio(
      place,
      account,
      `Calls/${encodeURIComponent(providerCallId)}/Recordings.json`,
    )
    if (saysGone(reply)) return true
    if (reply.status !== 200) return false
    for (const { sid } of objectsIn(objectOf(reply)['recordings'])) {
      const deleted = await callTwilio(place, account, `Recordings/${String(sid)}.json`, undefined, 'DELETE')
      if (deleted.status !== 204 && !saysGone(deleted)) return false
    }
    return true
  },
})

function reportOf(kind: string, callId: string, form: URLSearchParams, now: Date): CallReport | undefined {
  const sid = form.get('ParentCallSid') ?? form.get('CallSid') ?? ''
  if (sid === '') return undefined
  const base = {
    callId,
    providerCallId: sid,
    direction: 'OUTBOUND',
    handledBy: 'human',
    from: null,
    to: null,
  } as const
  const said = form.get('CallStatus') ?? ''
  // A call that ended before the person was called was cancelled.
  if (kind === 'member') return { ...base, status: isFirstLegOver(said) ? 'cancelled' : 'ringing' }
  if (kind === 'recording') {
    const recordingUrl = form.get('RecordingUrl')
    return recordingUrl === null ? undefined : { ...base, status: 'ringing', recordingUrl }
  }
  const status = legStatuses[said]
  if (kind !== 'contact' || status === undefined) return undefined
  const seconds = Number(form.get('CallDuration') ?? 0)
  const code = form.get('SipResponseCode')
  const isUnknownNumber = status === 'failed' && code === '404'
  return {
    ...base,
    status,
    ...(status === 'in_progress' && { answeredAt: now }),
    ...(status === 'completed' && { durationSeconds: seconds }),
    ...(!['ringing', 'in_progress'].includes(status) && { endedAt: now }),
    ...(isUnknownNumber && { disposition: 'bad_number' as const }),
    ...(status === 'failed' && { error: legFailure(code) }),
  }
}
