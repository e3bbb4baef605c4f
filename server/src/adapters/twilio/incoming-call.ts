import type { CallReport, IncomingRoute, ProviderAccount } from '../../modules/calls/ports.ts'
import { callbackUrl } from './send-message.ts'
import { answering, hungUp, takingMessage, xml } from './twiml.ts'

interface Said {
  /** The last part of the callback's path, which identifies its type. */
  kind: string
  form: URLSearchParams
  now: Date
}

/**
 * Reads a callback about an incoming call and decides how the call continues. The member's phone rings (`incoming`,
 * `leg`). After that (`dialed`), the call ends or the caller leaves a message (`left`, `voicemail`). `ended` is the end
 * of the caller's leg. Returns undefined for other callbacks.
 */
export function readIncoming(account: ProviderAccount, origin: string, said: Said) {
  const urlOf = (path: string) => callbackUrl(origin, account, path)
  const report = reportOf(said)
  switch (said.kind) {
    case 'incoming':
      return { report, response: (route: IncomingRoute | undefined) => answering(route, urlOf) }
    case 'dialed':
      return { report, response: isTalkOver(said.form) ? hungUp : takingMessage(urlOf) }
    case 'left':
      return { report: undefined, response: hungUp }
    case 'leg':
    case 'voicemail':
    case 'ended':
      return { report, response: xml('') }
    default:
      return undefined
  }
}

const isTalkOver = (form: URLSearchParams): boolean =>
  ['completed', 'answered'].includes(form.get('DialCallStatus') ?? '')

/** The caller's leg shows when the call began and ended; the member's leg shows whether anyone talked. */
function reportOf({ kind, form, now }: Said): CallReport | undefined {
  const providerCallId = form.get('ParentCallSid') ?? form.get('CallSid') ?? ''
  if (providerCallId === '') return undefined
  const base = { callId: null, providerCallId, direction: 'INBOUND', handledBy: 'human' } as const
  const caller = { ...base, from: form.get('From'), to: form.get('To') }
  const member = { ...base, from: null, to: null }
  const talked = (seconds: string | null) =>
    ({ ...member, status: 'completed', durationSeconds: Number(seconds ?? 0), endedAt: now }) as const
  const recordingUrl = form.get('RecordingUrl')
  if (kind === 'incoming') return { ...caller, status: 'ringing', startedAt: now }
  if (kind === 'dialed') return isTalkOver(form) ? talked(form.get('DialCallDuration')) : undefined
  if (kind === 'voicemail' && recordingUrl !== null)
    return { ...member, status: 'ringing', recordingUrl, isVoicemail: true, disposition: 'left_voicemail' }
  if (kind === 'ended') return { ...caller, status: 'no_answer', endedAt: now }
  if (kind !== 'leg') return undefined
  const status = form.get('CallStatus')
  if (status === 'in-progress') return { ...member, status: 'in_progress', answeredAt: now }
  return status === 'completed' ? talked(form.get('CallDuration')) : undefined
}
