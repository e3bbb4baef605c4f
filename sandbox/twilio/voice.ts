import { type CarrierRequest, type Served, json } from '../served.ts'
import { wav } from '../voice/retell.ts'
import { voiceBehaviorOf } from '../voice/script.ts'
import { type CarriedCall, type Switchboard, secondsOf } from '../voice/switchboard.ts'
import { tonesOf } from '../voice/tones.ts'
import type { PlacedCall } from './placed-calls.ts'
import { endStatuses, fault } from './resource.ts'
import { verbsIn } from './twiml.ts'

/** Twilio's API for calls. `place` rings a number and runs the call. */
export function voiceApi(switchboard: Switchboard, place: (placed: PlacedCall) => CarriedCall) {
  const parentOf = (call: CarriedCall) => String(call.more['parent'])
  const isOf = (account: string) => (call: CarriedCall) =>
    call.account === account && call.id.startsWith('CA')

  const time = (at: Date | null) => at && at.toUTCString().replace('GMT', '+0000')
  const child = (call: CarriedCall) => ({
    sid: call.id,
    parent_call_sid: parentOf(call),
    account_sid: call.account,
    from: call.from,
    to: call.to,
    status: statusOf(call),
    duration: String(secondsOf(call)),
    date_created: time(call.startedAt),
    start_time: time(call.answeredAt),
    end_time: time(call.endedAt),
  })
  const parent = (call: CarriedCall) => ({
    sid: parentOf(call),
    account_sid: call.account,
    from: call.from,
    to: String(call.more['member']),
    status: call.state === 'ended' ? 'completed' : 'in-progress',
    date_created: time(call.startedAt),
  })

  const recordingOf = (call: CarriedCall) => ({
    sid: call.more['recording'],
    account_sid: call.account,
    call_sid: parentOf(call),
    status: call.state === 'ended' ? 'completed' : 'in-progress',
    duration: String(secondsOf(call)),
    date_created: time(call.answeredAt),
  })

  function create(account: string, form: URLSearchParams): Served {
    const [from = '', to = '', twiml = ''] = ['From', 'To', 'Twiml'].map((name) => form.get(name) ?? '')
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return fault(400, 21211, { from, to })
    if (verbsIn(twiml).length === 0) return fault(400, 21205)
    const first = place({ account, from, to, twiml, statusCallback: form.get('StatusCallback') ?? '' })
    return voiceBehaviorOf(to).response === 'reset'
      ? 'reset'
      : json(201, { ...parent(first), status: 'queued' })
  }

  /** Returns undefined if the path is not a call resource. */
  return (
    account: string,
    { method, query, form, path: [, , , resource = '', item = '', sub] }: CarrierRequest,
  ): Served | undefined => {
    const own = switchboard.all().filter(isOf(account))
    const id = item.replace(/\.json$/, '')
    if (resource === 'Calls.json' && method === 'POST') return create(account, form)
    if (resource === 'Calls.json') {
      const parentSid = query.get('ParentCallSid')
      const found =
        parentSid === null
          ? own
              .filter(({ id: sid, more }) => sid === more['parent'])
              .map(parent)
              .filter(({ to, from }) => to === query.get('To') && from === query.get('From'))
          : own.filter((call) => parentOf(call) === parentSid && call.id !== parentSid).map(child)
      return json(200, { calls: found })
    }
    if (resource === 'Calls') {
      // An incoming call's first leg is also a handset's.
      const call = own.find((one) => one.id === id) ?? own.find((one) => parentOf(one) === id)
      if (call === undefined) return fault(404, 20404)
      if (sub === undefined) return json(200, parent(call))
      // Twilio lists all legs' recordings under the first leg.
      const recorded = own.filter(
        (one) => parentOf(one) === id && one.answeredAt !== null && one.more['recording'] !== null,
      )
      return json(200, { recordings: recorded.map(recordingOf) })
    }
    if (resource !== 'Recordings') return undefined
    const recorded = own.find((call) => call.more['recording'] === id)
    if (recorded === undefined) return fault(404, 20404)
    if (method === 'GET') return wav(tonesOf(recorded.lines, secondsOf(recorded)))
    recorded.more['recording'] = null
    return { status: 204, headers: {}, body: '' }
  }
}

const statusOf = ({ state, end }: CarriedCall): string => {
  if (end !== null) return endStatuses[end]
  return state === 'ringing' ? 'ringing' : 'in-progress'
}
