import { type CarrierRequest, type Served, json } from '../served.ts'
import { wav } from '../voice/retell.ts'
import { type CarriedCall, type Switchboard, secondsOf } from '../voice/switchboard.ts'
import { tonesOf } from '../voice/tones.ts'
import type { Callbacks } from './callbacks.ts'
import { newSid } from './numbers.ts'
import { fault } from './resource.ts'
import { verbsIn } from './twiml.ts'

/** What Twilio says of a call that ended so. */
export const endStatuses = {
  hung_up: 'completed',
  voicemail: 'completed',
  no_answer: 'no-answer',
  declined: 'busy',
  bad_number: 'failed',
} as const

/** What the TwiML of a call asks for: the person who is to be called once the member has picked up. */
interface Dial {
  callerId: string
  number: string
  url: string
  statusCallback: string
  recordingStatusCallback: string
}

function dialIn(twiml: string): Dial | undefined {
  const dial = verbsIn(twiml).find(({ name }) => name === 'Dial')
  const [number] = dial?.numbers ?? []
  if (dial === undefined || number === undefined || !/^\+\d+$/.test(number.text)) return undefined
  return {
    number: number.text,
    callerId: dial.attributes['callerId'] ?? '',
    url: number.attributes['url'] ?? '',
    statusCallback: number.attributes['statusCallback'] ?? '',
    recordingStatusCallback: dial.attributes['recordingStatusCallback'] ?? '',
  }
}

/** Twilio's API for calls: members pick up at once, then the person is called and joined. */
export function voiceApi({
  switchboard,
  callbacks,
  tokenOf,
  origin,
}: {
  switchboard: Switchboard
  callbacks: Callbacks
  tokenOf: (account: string) => string
  origin: () => string
}) {
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

  async function report(call: CarriedCall, url: string, form: Record<string, string>): Promise<void> {
    if (url === '') return
    const all = { AccountSid: call.account, ApiVersion: '2010-04-01', From: call.from, To: call.to, ...form }
    await callbacks.send(url, all, tokenOf(call.account))
  }

  function create(account: string, form: URLSearchParams): Served {
    const [from, member, twiml] = ['From', 'To', 'Twiml'].map((name) => form.get(name) ?? '') as [
      string,
      string,
      string,
    ]
    const dial = dialIn(twiml)
    if (!/^\+[1-9]\d{6,14}$/.test(member)) return fault(400, 21211, { from, to: member })
    if (dial === undefined) return fault(400, 21205)
    const sid = newSid('CA')
    const events = (call: CarriedCall) => {
      const ended = call.end === null ? undefined : endStatuses[call.end]
      return ['initiated', 'ringing', ...(call.answeredAt ? ['in-progress'] : []), ...(ended ? [ended] : [])]
    }
    const legOf = (call: CarriedCall, status: string) => ({
      CallSid: call.id,
      ParentCallSid: sid,
      CallStatus: status,
      ...(status === 'completed' && { CallDuration: String(secondsOf(call)) }),
      ...(status === 'failed' && { SipResponseCode: '404' }),
    })
    const { call, behavior } = switchboard.ring(
      {
        id: newSid('CA'),
        account,
        from: dial.callerId || from,
        to: dial.number,
        more: { parent: sid, member, recording: newSid('RE') },
      },
      {
        async answered(one) {
          await report(one, dial.url, { CallSid: one.id, ParentCallSid: sid, CallStatus: 'in-progress' })
          if (behavior.reports === undefined)
            await report(one, dial.statusCallback, legOf(one, 'in-progress'))
        },
        async ended(one) {
          if (behavior.reports === 'none') return
          const isReversed = behavior.reports !== undefined
          const legs = isReversed
            ? events(one)
                .toReversed()
                .flatMap((status) => [status, status])
            : events(one).slice(-1)
          for (const status of legs) await report(one, dial.statusCallback, legOf(one, status))
          if (one.answeredAt !== null && dial.recordingStatusCallback !== '')
            await report(one, dial.recordingStatusCallback, {
              CallSid: sid,
              RecordingSid: String(one.more['recording']),
              RecordingUrl: `${origin()}/2010-04-01/Accounts/${account}/Recordings/${String(one.more['recording'])}`,
              RecordingStatus: 'completed',
            })
          await report(one, form.get('StatusCallback') ?? '', { CallSid: sid, CallStatus: 'completed' })
        },
      },
    )
    return behavior.response === 'reset' ? 'reset' : json(201, { ...parent(call), status: 'queued' })
  }

  /** Undefined for what is no resource of calls. */
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
          ? own.map(parent).filter(({ to, from }) => to === query.get('To') && from === query.get('From'))
          : own.filter((call) => parentOf(call) === parentSid && call.id !== parentSid).map(child)
      return json(200, { calls: found })
    }
    if (resource === 'Calls') {
      // Of a call that came in, the first leg is a handset's as well.
      const call = own.find((one) => one.id === id) ?? own.find((one) => parentOf(one) === id)
      if (call === undefined) return fault(404, 20404)
      if (sub === undefined) return json(200, parent(call))
      const isThere = call.answeredAt !== null && call.more['recording'] !== null
      return json(200, { recordings: isThere ? [{ sid: call.more['recording'] }] : [] })
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
