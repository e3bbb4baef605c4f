import { legs, ringMember } from '../voice/legs.ts'
import { voiceBehaviorOf } from '../voice/script.ts'
import { type CallEnd, type CarriedCall, type Switchboard, secondsOf } from '../voice/switchboard.ts'
import type { Callbacks } from './callbacks.ts'
import { newSid } from './numbers.ts'
import { endStatuses } from './resource.ts'
import { type Verb, verbsIn } from './twiml.ts'

export interface PlacedCall {
  account: string
  from: string
  to: string
  twiml: string
  statusCallback: string
}

/** The key that an unattended member handset presses. */
const anyKey = '1'

/** Places an account's calls: follows the TwiML once the recipient picks up. Returns the first leg. */
export function placedCalls({
  switchboard,
  callbacks,
  tokenOf,
  now,
  deliveryMs,
  origin,
}: {
  switchboard: Switchboard
  callbacks: Callbacks
  tokenOf: (account: string) => string
  now: () => Date
  deliveryMs: number
  origin: () => string
}): (placed: PlacedCall) => CarriedCall {
  const { answer, end, say } = legs(now)

  return ({ account, from, to, twiml, statusCallback }) => {
    const party = switchboard.open()
    const sid = newSid('CA')
    const member = party.join({
      id: sid,
      account,
      from,
      to,
      more: { parent: sid, member: to, recording: null },
    })
    let isReported = true

    async function report(url: string, form: Record<string, string>): Promise<string> {
      if (url === '') return ''
      const all = { AccountSid: account, ApiVersion: '2010-04-01', CallSid: sid, From: from, To: to, ...form }
      return callbacks.send(url, all, tokenOf(account))
    }

    /** Follows TwiML, and the TwiML that its actions return, until the call ends. */
    async function follow(response: string): Promise<CallEnd> {
      for (const verb of verbsIn(response)) {
        if (verb.name === 'Say') say(member, 'agent', verb.text)
        if (verb.name === 'Dial') return dial(verb)
        if (verb.name === 'Hangup') break
        if (verb.name !== 'Gather') continue
        for (const { text } of verb.prompts) say(member, 'agent', text)
        const key = await pressed()
        if (key === undefined) break
        if (key !== '' || verb.attributes['actionOnEmptyResult'] === 'true')
          return follow(
            await report(verb.attributes['action'] ?? '', { CallStatus: 'in-progress', Digits: key }),
          )
      }
      return 'hung_up'
    }

    /** The key that the member presses: empty for none, undefined if they hang up. */
    async function pressed(): Promise<string | undefined> {
      const isAlone = member.more['isAlone'] === true
      if (isAlone && voiceBehaviorOf(to).end !== 'voicemail') return anyKey
      for (;;) {
        const next = await party.next(isAlone ? deliveryMs : switchboard.patienceMs)
        if (next === undefined) return ''
        if (next.what.kind === 'key') return next.what.key
        if (next.what.kind === 'hang up') return undefined
      }
    }

    async function dial({ attributes, numbers: [rung] }: Verb): Promise<CallEnd> {
      if (rung === undefined || !/^\+\d+$/.test(rung.text)) return 'hung_up'
      const { url = '', statusCallback: ofLeg = '' } = rung.attributes
      const { recordingStatusCallback: ofRecording = '' } = attributes
      const isRecorded = (attributes['record'] ?? 'do-not-record') !== 'do-not-record'
      const recording = isRecorded ? newSid('RE') : null
      const { reports } = voiceBehaviorOf(rung.text)
      isReported = reports !== 'none'
      const reportLeg = (call: CarriedCall, status: string) =>
        report(ofLeg, {
          CallSid: call.id,
          ParentCallSid: sid,
          From: call.from,
          To: call.to,
          CallStatus: status,
          ...(status === 'completed' && { CallDuration: String(secondsOf(call)) }),
          ...(status === 'failed' && { SipResponseCode: '404' }),
        })
      const over = Promise.withResolvers<CallEnd>()
      const { call } = switchboard.ring(
        {
          id: newSid('CA'),
          account,
          from: attributes['callerId'] ?? from,
          to: rung.text,
          more: { parent: sid, member: to, recording },
        },
        {
          async answered(one) {
            await report(url, { CallSid: one.id, ParentCallSid: sid, CallStatus: 'in-progress' })
            if (reports === undefined) await reportLeg(one, 'in-progress')
          },
          async ended(one) {
            if (reports !== 'none') await reportEnd(one)
            over.resolve(one.end ?? 'hung_up')
          },
        },
      )
      async function reportEnd(one: CarriedCall): Promise<void> {
        const status = endStatuses[one.end ?? 'hung_up']
        const all = ['initiated', 'ringing', ...(one.answeredAt ? ['in-progress'] : []), status]
        const said = reports === undefined ? [status] : all.toReversed().flatMap((name) => [name, name])
        for (const name of said) await reportLeg(one, name)
        if (one.answeredAt === null || recording === null) return
        await report(ofRecording, {
          RecordingSid: recording,
          RecordingUrl: `${origin()}/2010-04-01/Accounts/${account}/Recordings/${recording}`,
          RecordingStatus: 'completed',
        })
      }
      callbacks.run(() => hangUpWith(call, over.promise))
      await over.promise
      return 'hung_up'
    }

    /** Ends the call when the member hangs up. */
    async function hangUpWith(call: CarriedCall, over: Promise<unknown>): Promise<void> {
      const isOver = over.then(() => undefined)
      for (;;) {
        const next = await Promise.race([party.next(switchboard.patienceMs), isOver])
        if (next?.what.kind === 'hang up') call.press({ kind: 'hang up' })
        if (next === undefined || next.what.kind === 'hang up') return
      }
    }

    callbacks.run(async () => {
      const how = await ringMember(switchboard, party, member)
      if (how === undefined) {
        answer(member)
        await report(statusCallback, { CallStatus: 'in-progress' })
      }
      end(member, how ?? (await follow(twiml)))
      if (isReported) await report(statusCallback, { CallStatus: endStatuses[member.end ?? 'hung_up'] })
    })
    return member
  }
}
